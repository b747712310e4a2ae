#include "client/trusted_roots.h"

#include <openssl/x509.h>

#include <cstdlib>
#include <filesystem>

namespace stator::client {
namespace {

// A program that was built on one distribution and runs on another brings an OpenSSL that looks in the wrong place.
constexpr const char* kRootFiles[] = {
    "/etc/ssl/certs/ca-certificates.crt",                 // Debian, Arch, NixOS
    "/etc/pki/tls/certs/ca-bundle.crt",                   // Fedora and its relatives
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // newer Fedora
    "/etc/ssl/ca-bundle.pem",                             // openSUSE
};

}  // namespace

boost::system::error_code trust_system_roots(boost::asio::ssl::context& context) {
  boost::system::error_code result;
  context.set_default_verify_paths(result);
  if (result) return result;
  const bool chosen = std::getenv(X509_get_default_cert_file_env()) != nullptr ||
                      std::getenv(X509_get_default_cert_dir_env()) != nullptr;
  std::error_code ignored;
  if (chosen || std::filesystem::exists(X509_get_default_cert_dir(), ignored)) return result;
  for (const char* const file : kRootFiles) {
    if (!std::filesystem::exists(file, ignored)) continue;
    context.load_verify_file(file, result);
    return result;
  }
  return result;
}

}  // namespace stator::client
