#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "client/credentials.h"

// Signature Version 4, the client's side.
namespace stator::client {

// Names in lower case; values without spaces around them. Every header in the list is signed.
using Headers = std::vector<std::pair<std::string, std::string>>;

struct RequestToSign {
  std::string_view method;
  std::string_view path;   // encoded, as in the request line, without the query
  std::string_view query;  // encoded "name=value" pairs, in any order
  const Headers& headers;  // with host and x-amz-date
  std::string_view body;
};

// Signs for one region and service. The key that is derived for a day is kept. One thread at a time.
class Signer {
 public:
  Signer(Credentials credentials, std::string region, std::string service)
      : credentials_(std::move(credentials)), region_(std::move(region)), service_(std::move(service)) {}

  [[nodiscard]] const Credentials& credentials() const { return credentials_; }

  // The value of the Authorization header. `timestamp` is the value of x-amz-date.
  [[nodiscard]] std::string authorization(const RequestToSign& request, std::string_view timestamp);

 private:
  void derive_key(std::string_view day);

  Credentials credentials_;
  std::string region_;
  std::string service_;
  std::string day_;
  std::string key_;
  std::string scope_;
};

// "20150830T123600Z"
[[nodiscard]] std::string signature_timestamp(std::int64_t now_ms);

}  // namespace stator::client
