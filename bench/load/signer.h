// AWS Signature Version 4.
#pragma once

#include <ctime>
#include <string>
#include <string_view>

#include "bench/load/digest.h"

namespace stator::bench {

struct Credentials {
  std::string access_key;
  std::string secret_key;
};

struct SigningScope {
  std::string region = "us-east-1";
  std::string service = "dynamodb";
};

// The parts of a request that the signature covers. Path and query are always "/" and "".
struct RequestToSign {
  std::string_view method;
  std::string_view canonical_headers;  // "name:value\n" each, lower case, sorted by name.
  std::string_view signed_headers;     // "name;name", in the same order.
  std::string_view body;
};

// Signs requests with one timestamp, so that the signing key is derived only once. A server that
// checks timestamps accepts the requests for a quarter of an hour.
class Signer {
 public:
  Signer(Credentials credentials, const SigningScope& scope, std::time_t now);

  // The value for the X-Amz-Date header.
  const std::string& timestamp() const { return timestamp_; }

  // The value for the Authorization header.
  std::string Authorization(const RequestToSign& request);

 private:
  Sha256 sha256_;
  std::string access_key_;
  std::string timestamp_;
  std::string scope_;
  HmacSha256 key_;
};

}  // namespace stator::bench
