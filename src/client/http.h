#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "client/signature.h"
#include "client/url.h"

namespace stator::client {

struct HttpTimeouts {
  std::int64_t connect_ms = 5'000;
  std::int64_t answer_ms = 60'000;  // from the first byte sent to the last byte received
};

struct HttpAnswer {
  int status = 0;
  Headers headers;  // names in lower case
  std::string body;

  // Empty where there is no such header.
  [[nodiscard]] std::string_view header(std::string_view name) const;
};

// One HTTP/1.1 connection that is opened when first needed and kept while the peer keeps it. For https the certificate
// is checked against the system's authorities (or SSL_CERT_FILE) and the host name. One thread at a time.
class HttpConnection {
 public:
  HttpConnection(Url url, HttpTimeouts timeouts);
  ~HttpConnection();
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  // Opens the connection where it is not open, which `post` does by itself: for those who must know which of the two
  // failed.
  [[nodiscard]] Result<void> connect();

  // Sends one POST and reads the whole answer. `headers` go out as they are, after Host and Content-Length. Any failure
  // (code unavailable, a text that names host and reason) closes the connection; whether the peer has acted is then
  // unknown.
  [[nodiscard]] Result<HttpAnswer> post(const std::string& path, const Headers& headers, std::string_view body);

  // The same for a GET.
  [[nodiscard]] Result<HttpAnswer> get(const std::string& path, const Headers& headers);

  // Whether the next request would go over a connection that already carried one: the peer may have closed it
  // meanwhile.
  [[nodiscard]] bool kept() const;
  void close();

 private:
  class Transport;
  class PlainTransport;
  class TlsTransport;

  enum class Method : std::uint8_t { get, post };
  [[nodiscard]] Result<HttpAnswer> exchange(Method method, const std::string& path, const Headers& headers,
                                            std::string_view body);

  const Url url_;
  const HttpTimeouts timeouts_;
  std::unique_ptr<Transport> transport_;
};

}  // namespace stator::client
