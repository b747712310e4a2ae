#pragma once

#include <string_view>

#include "base/result.h"

namespace stator::auth {

// What an Authorization header says of its sender. Views into the header.
struct Credential {
  std::string_view access_key_id;
  std::string_view date;
  std::string_view region;
  std::string_view service;
};

// The headers that a signature needs, as they were sent; empty where absent.
struct SignedRequest {
  std::string_view authorization;
  std::string_view x_amz_date;
  std::string_view date;
  std::string_view query;
};

// Reads the credentials of a request; a missing or malformed header is the service's error. The signature itself is not
// verified yet: every key is accepted, which is why the server listens on loopback by default.
[[nodiscard]] Result<Credential> authenticate(const SignedRequest& request);

}  // namespace stator::auth
