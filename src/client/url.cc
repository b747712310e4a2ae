#include "client/url.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>

namespace stator::client {
namespace {

tl::unexpected<Error> malformed(std::string_view text) {
  return invalid(fmt::format(
      "'{}' is not an address such as http://127.0.0.1:8000 or https://dynamodb.eu-west-1.amazonaws.com", text));
}

bool is_port(std::string_view text) {
  std::uint16_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && number != 0;
}

bool printable(std::string_view text) {
  for (const char c : text) {
    if (c <= ' ' || c == 0x7f) return false;
  }
  return true;
}

}  // namespace

std::string Url::host_header() const {
  const std::string name = host.find(':') == std::string::npos ? host : fmt::format("[{}]", host);
  return port == (tls ? "443" : "80") ? name : fmt::format("{}:{}", name, port);
}

bool Url::loopback() const { return host == "localhost" || host == "::1" || host.starts_with("127."); }

Result<Url> parse_url(std::string_view text) {
  Url url;
  std::string_view rest = text;
  if (rest.starts_with("http://")) {
    rest.remove_prefix(7);
  } else if (rest.starts_with("https://")) {
    rest.remove_prefix(8);
    url.tls = true;
  } else {
    return malformed(text);
  }
  if (!printable(rest)) return malformed(text);
  const std::size_t path = rest.find_first_of("/?");
  if (path != std::string_view::npos) {
    url.path = rest[path] == '/' ? std::string(rest.substr(path)) : fmt::format("/{}", rest.substr(path));
    rest = rest.substr(0, path);
  }
  if (rest.find('@') != std::string_view::npos) return malformed(text);
  std::string_view port;
  if (rest.starts_with('[')) {
    const std::size_t end = rest.find(']');
    if (end == std::string_view::npos) return malformed(text);
    url.host = rest.substr(1, end - 1);
    port = rest.substr(end + 1);
  } else {
    const std::size_t colon = rest.find(':');
    url.host = rest.substr(0, colon);
    if (colon != std::string_view::npos) port = rest.substr(colon);
  }
  if (url.host.empty()) return malformed(text);
  if (port.empty()) {
    url.port = url.tls ? "443" : "80";
  } else if (port.front() == ':' && is_port(port.substr(1))) {
    url.port = port.substr(1);
  } else {
    return malformed(text);
  }
  return url;
}

}  // namespace stator::client
