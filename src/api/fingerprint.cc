#include "api/fingerprint.h"

#include <fmt/format.h>
#include <openssl/sha.h>

#include <array>

namespace stator::api {

std::string fingerprint(Json body, std::string_view member) {
  const auto found = body[member];
  const std::string text = found.error() == simdjson::SUCCESS ? simdjson::minify(found.value_unsafe()) : "";
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
  std::string hex;
  for (const unsigned char byte : digest) hex += fmt::format("{:02x}", byte);
  return hex;
}

}  // namespace stator::api
