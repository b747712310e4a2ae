// SHA-256 and HMAC-SHA-256 through OpenSSL, with contexts that are reused between messages.
#pragma once

#include <openssl/evp.h>

#include <array>
#include <memory>
#include <string>
#include <string_view>

namespace stator::bench {

using Digest = std::array<unsigned char, 32>;

// Lower-case hexadecimal text.
std::string ToHex(const Digest& digest);

std::string_view AsText(const Digest& digest);

class Sha256 {
 public:
  Sha256();
  Digest Of(std::string_view message);

 private:
  struct Free {
    void operator()(EVP_MD* digest) const { EVP_MD_free(digest); }
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
  };
  std::unique_ptr<EVP_MD, Free> algorithm_;
  std::unique_ptr<EVP_MD_CTX, Free> context_;
};

// HMAC-SHA-256 under one key, for any number of messages.
class HmacSha256 {
 public:
  explicit HmacSha256(std::string_view key);
  Digest Of(std::string_view message);

 private:
  struct Free {
    void operator()(EVP_MAC_CTX* context) const { EVP_MAC_CTX_free(context); }
  };
  std::unique_ptr<EVP_MAC_CTX, Free> context_;
};

}  // namespace stator::bench
