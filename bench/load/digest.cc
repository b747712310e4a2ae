#include "bench/load/digest.h"

#include <openssl/core_names.h>
#include <openssl/params.h>

#include <stdexcept>

namespace stator::bench {
namespace {

void Require(bool succeeded, const char* what) {
  if (!succeeded) {
    throw std::runtime_error(std::string("OpenSSL failed: ") + what);
  }
}

const unsigned char* Bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

}  // namespace

std::string ToHex(const Digest& digest) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(digest.size() * 2);
  for (const unsigned char byte : digest) {
    text.push_back(kDigits[byte >> 4]);
    text.push_back(kDigits[byte & 15]);
  }
  return text;
}

std::string_view AsText(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

Sha256::Sha256()
    : algorithm_(EVP_MD_fetch(nullptr, "SHA256", nullptr)), context_(EVP_MD_CTX_new()) {
  Require(algorithm_ != nullptr, "EVP_MD_fetch");
  Require(context_ != nullptr, "EVP_MD_CTX_new");
}

Digest Sha256::Of(std::string_view message) {
  Digest digest;
  Require(EVP_DigestInit_ex2(context_.get(), algorithm_.get(), nullptr) == 1, "EVP_DigestInit");
  Require(EVP_DigestUpdate(context_.get(), message.data(), message.size()) == 1,
          "EVP_DigestUpdate");
  Require(EVP_DigestFinal_ex(context_.get(), digest.data(), nullptr) == 1, "EVP_DigestFinal");
  return digest;
}

HmacSha256::HmacSha256(std::string_view key) {
  EVP_MAC* mac = EVP_MAC_fetch(nullptr, "HMAC", nullptr);
  Require(mac != nullptr, "EVP_MAC_fetch");
  context_.reset(EVP_MAC_CTX_new(mac));
  EVP_MAC_free(mac);  // The context holds its own reference.
  Require(context_ != nullptr, "EVP_MAC_CTX_new");
  char name[] = "SHA256";
  const OSSL_PARAM parameters[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, name, 0),
                                   OSSL_PARAM_construct_end()};
  Require(EVP_MAC_init(context_.get(), Bytes(key), key.size(), parameters) == 1, "EVP_MAC_init");
}

Digest HmacSha256::Of(std::string_view message) {
  Digest digest;
  std::size_t length = 0;
  // Without a key the context starts again with the key it has.
  Require(EVP_MAC_init(context_.get(), nullptr, 0, nullptr) == 1, "EVP_MAC_init");
  Require(EVP_MAC_update(context_.get(), Bytes(message), message.size()) == 1, "EVP_MAC_update");
  Require(EVP_MAC_final(context_.get(), digest.data(), &length, digest.size()) == 1,
          "EVP_MAC_final");
  return digest;
}

}  // namespace stator::bench
