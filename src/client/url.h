#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace stator::client {

// The parts of an http or https address that a connection needs.
struct Url {
  bool tls = false;
  std::string host;  // a name or an address; IPv6 without its brackets
  std::string port;
  std::string path = "/";  // with the query, as it goes into the request line

  // What the Host header says: the port only where it is not the scheme's own.
  [[nodiscard]] std::string host_header() const;
  // Whether the host names this machine, by its name or address alone.
  [[nodiscard]] bool loopback() const;
};

// An error says what an address looks like.
[[nodiscard]] Result<Url> parse_url(std::string_view text);

}  // namespace stator::client
