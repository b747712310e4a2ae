#include "bench/load/signer.h"

#include <fmt/format.h>

#include <utility>

namespace stator::bench {
namespace {

std::string FormatTimestamp(std::time_t now) {
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  char text[32];
  const std::size_t length = std::strftime(text, sizeof(text), "%Y%m%dT%H%M%SZ", &utc);
  return std::string(text, length);
}

Digest SigningKey(const std::string& secret, std::string_view date, const SigningScope& scope) {
  Digest key = HmacSha256("AWS4" + secret).Of(date);
  key = HmacSha256(AsText(key)).Of(scope.region);
  key = HmacSha256(AsText(key)).Of(scope.service);
  return HmacSha256(AsText(key)).Of("aws4_request");
}

std::string_view Date(const std::string& timestamp) {
  return std::string_view(timestamp).substr(0, 8);
}

}  // namespace

Signer::Signer(Credentials credentials, const SigningScope& scope, std::time_t now)
    : access_key_(std::move(credentials.access_key)),
      timestamp_(FormatTimestamp(now)),
      scope_(fmt::format("{}/{}/{}/aws4_request", Date(timestamp_), scope.region, scope.service)),
      key_(AsText(SigningKey(credentials.secret_key, Date(timestamp_), scope))) {}

std::string Signer::Authorization(const RequestToSign& request) {
  const std::string canonical =
      fmt::format("{}\n/\n\n{}\n{}\n{}", request.method, request.canonical_headers,
                  request.signed_headers, ToHex(sha256_.Of(request.body)));
  const std::string to_sign =
      fmt::format("AWS4-HMAC-SHA256\n{}\n{}\n{}", timestamp_, scope_, ToHex(sha256_.Of(canonical)));
  return fmt::format("AWS4-HMAC-SHA256 Credential={}/{}, SignedHeaders={}, Signature={}",
                     access_key_, scope_, request.signed_headers, ToHex(key_.Of(to_sign)));
}

}  // namespace stator::bench
