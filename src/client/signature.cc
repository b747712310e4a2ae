#include "client/signature.h"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>

#include <algorithm>
#include <ctime>

#include "base/check.h"

namespace stator::client {
namespace {

std::string hmac(std::string_view key, std::string_view text) {
  std::string digest(SHA256_DIGEST_LENGTH, '\0');
  unsigned length = 0;
  const void* made =
      HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), reinterpret_cast<const unsigned char*>(text.data()),
           text.size(), reinterpret_cast<unsigned char*>(digest.data()), &length);
  CHECK(made != nullptr);
  return digest;
}

std::string hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string sha256_hex(std::string_view text) {
  std::string digest(SHA256_DIGEST_LENGTH, '\0');
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(),
         reinterpret_cast<unsigned char*>(digest.data()));
  return hex(digest);
}

// Runs of spaces inside a value count as one.
std::string one_space(std::string_view value) {
  std::string out;
  for (const char c : value) {
    if (c != ' ' || (!out.empty() && out.back() != ' ')) out += c;
  }
  if (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

// Parameters go in the order of their encoded names, then values.
std::string sorted_query(std::string_view query) {
  std::vector<std::pair<std::string, std::string>> parameters;
  while (!query.empty()) {
    const std::size_t end = query.find('&');
    const std::string_view one = query.substr(0, end);
    query = end == std::string_view::npos ? std::string_view() : query.substr(end + 1);
    const std::size_t equals = one.find('=');
    parameters.emplace_back(one.substr(0, equals),
                            equals == std::string_view::npos ? std::string_view() : one.substr(equals + 1));
  }
  std::sort(parameters.begin(), parameters.end());
  std::string text;
  for (const auto& [name, value] : parameters) {
    if (!text.empty()) text += '&';
    text += name + '=' + value;
  }
  return text;
}

}  // namespace

void Signer::derive_key(std::string_view day) {
  day_ = day;
  key_ = hmac(hmac(hmac(hmac("AWS4" + credentials_.secret_access_key, day), region_), service_), "aws4_request");
  scope_ = fmt::format("{}/{}/{}/aws4_request", day, region_, service_);
}

std::string Signer::authorization(const RequestToSign& request, std::string_view timestamp) {
  const std::string_view day = timestamp.substr(0, 8);
  if (day != day_) derive_key(day);
  Headers headers = request.headers;
  std::sort(headers.begin(), headers.end());
  std::string canonical = fmt::format("{}\n{}\n{}\n", request.method, request.path, sorted_query(request.query));
  std::string names;
  for (const auto& [name, value] : headers) {
    canonical += fmt::format("{}:{}\n", name, one_space(value));
    if (!names.empty()) names += ';';
    names += name;
  }
  canonical += fmt::format("\n{}\n{}", names, sha256_hex(request.body));
  const std::string to_sign = fmt::format("AWS4-HMAC-SHA256\n{}\n{}\n{}", timestamp, scope_, sha256_hex(canonical));
  return fmt::format("AWS4-HMAC-SHA256 Credential={}/{}, SignedHeaders={}, Signature={}", credentials_.access_key_id,
                     scope_, names, hex(hmac(key_, to_sign)));
}

std::string signature_timestamp(std::int64_t now_ms) {
  const std::time_t seconds = now_ms / 1000;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  return fmt::format("{:04}{:02}{:02}T{:02}{:02}{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                     parts.tm_hour, parts.tm_min, parts.tm_sec);
}

}  // namespace stator::client
