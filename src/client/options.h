#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "client/credentials.h"
#include "client/http.h"

namespace stator::client {

// Where a client connects to and who it is. Empty members are filled in by `resolve`.
struct Options {
  std::string endpoint;  // empty: AWS_ENDPOINT_URL_DYNAMODB, AWS_ENDPOINT_URL, then http://127.0.0.1:8000
  std::string region;    // empty: AWS_REGION, AWS_DEFAULT_REGION, the profile's, then us-east-1 on loopback
  std::string profile;   // empty: AWS_PROFILE, then "default"; a profile named here wins over keys in the environment
  Credentials credentials;  // no key: AWS_ACCESS_KEY_ID and so on, the profile's, then made-up keys on loopback
  HttpTimeouts timeouts;
  int attempts = 4;  // of one call, the first included
};

// Options with endpoint, region and credentials filled in; a second call leaves them as they are. An error says which one
// is missing and how to give it.
[[nodiscard]] Result<Options> resolve(Options options, const Environment& environment = process_environment);

}  // namespace stator::client
