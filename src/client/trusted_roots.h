#pragma once

#include <boost/asio/ssl/context.hpp>
#include <boost/system/error_code.hpp>

namespace stator::client {

// Trusts the certificate authorities that the system trusts, on any distribution; SSL_CERT_FILE and SSL_CERT_DIR name others.
boost::system::error_code trust_system_roots(boost::asio::ssl::context& context);

}  // namespace stator::client
