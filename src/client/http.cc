#include "client/http.h"

#include <fmt/format.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>
#include <chrono>

#include "client/trusted_roots.h"

namespace stator::client {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using Request = http::request<http::span_body<const char>>;
using Parser = http::response_parser<http::string_body>;

// Answers of the service end at 16 MB of items; this leaves room for their JSON and stops an endless answer.
constexpr std::uint64_t kAnswerBytesMax = 128ull << 20;

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return out;
}

}  // namespace

std::string_view HttpAnswer::header(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (key == name) return value;
  }
  return {};
}

// Operations are asynchronous underneath, because only those can time out, and are waited for here.
class HttpConnection::Transport {
 public:
  virtual ~Transport() = default;
  [[nodiscard]] virtual beast::error_code connect(const Url& url, std::int64_t timeout_ms) = 0;
  [[nodiscard]] virtual beast::error_code exchange(Request& request, Parser& parser, std::int64_t timeout_ms) = 0;

  bool used = false;

 protected:
  template <class Stream>
  beast::error_code write_and_read(Stream& stream, Request& request, Parser& parser) {
    beast::error_code result;
    http::async_write(stream, request, [&](beast::error_code written, std::size_t) {
      result = written;
      if (written) return;
      http::async_read(stream, buffer_, parser, [&](beast::error_code read, std::size_t) { result = read; });
    });
    run();
    return result;
  }

  beast::error_code connect_lowest(beast::tcp_stream& stream, const Url& url, std::int64_t timeout_ms) {
    beast::error_code result;
    asio::ip::tcp::resolver resolver(io_);
    const auto addresses = resolver.resolve(url.host, url.port, result);
    if (result) return result;
    stream.expires_after(std::chrono::milliseconds(timeout_ms));
    stream.async_connect(addresses, [&](beast::error_code connected, const auto&) { result = connected; });
    run();
    if (!result) stream.socket().set_option(asio::ip::tcp::no_delay(true), result);
    return result;
  }

  void run() {
    io_.restart();
    io_.run();
  }

  asio::io_context io_{1};
  beast::flat_buffer buffer_;
};

class HttpConnection::PlainTransport final : public Transport {
 public:
  beast::error_code connect(const Url& url, std::int64_t timeout_ms) override {
    return connect_lowest(stream_, url, timeout_ms);
  }
  beast::error_code exchange(Request& request, Parser& parser, std::int64_t timeout_ms) override {
    stream_.expires_after(std::chrono::milliseconds(timeout_ms));
    return write_and_read(stream_, request, parser);
  }

 private:
  beast::tcp_stream stream_{io_};
};

class HttpConnection::TlsTransport final : public Transport {
 public:
  beast::error_code connect(const Url& url, std::int64_t timeout_ms) override {
    beast::error_code result = trust_system_roots(context_);
    if (result) return result;
    stream_.set_verify_mode(asio::ssl::verify_peer);
    stream_.set_verify_callback(asio::ssl::host_name_verification(url.host));
    // One address may serve many names: the peer must know which certificate to show.
    SSL_set_tlsext_host_name(stream_.native_handle(), url.host.c_str());
    result = connect_lowest(beast::get_lowest_layer(stream_), url, timeout_ms);
    if (result) return result;
    stream_.async_handshake(asio::ssl::stream_base::client, [&](beast::error_code shaken) { result = shaken; });
    run();
    return result;
  }
  beast::error_code exchange(Request& request, Parser& parser, std::int64_t timeout_ms) override {
    beast::get_lowest_layer(stream_).expires_after(std::chrono::milliseconds(timeout_ms));
    return write_and_read(stream_, request, parser);
  }

 private:
  asio::ssl::context context_{asio::ssl::context::tls_client};
  beast::ssl_stream<beast::tcp_stream> stream_{io_, context_};
};

HttpConnection::HttpConnection(Url url, HttpTimeouts timeouts) : url_(std::move(url)), timeouts_(timeouts) {}
HttpConnection::~HttpConnection() = default;

bool HttpConnection::kept() const { return transport_ != nullptr && transport_->used; }
void HttpConnection::close() { transport_.reset(); }

Result<void> HttpConnection::connect() {
  if (transport_) return {};
  if (url_.tls) {
    transport_ = std::make_unique<TlsTransport>();
  } else {
    transport_ = std::make_unique<PlainTransport>();
  }
  const beast::error_code error = transport_->connect(url_, timeouts_.connect_ms);
  if (!error) return {};
  close();
  return fail(ErrorCode::unavailable, fmt::format("cannot connect to {}: {}", url_.host_header(), error.message()));
}

Result<HttpAnswer> HttpConnection::post(const std::string& path, const Headers& headers, std::string_view body) {
  return exchange(Method::post, path, headers, body);
}

Result<HttpAnswer> HttpConnection::get(const std::string& path, const Headers& headers) {
  return exchange(Method::get, path, headers, {});
}

Result<HttpAnswer> HttpConnection::exchange(Method method, const std::string& path, const Headers& headers,
                                            std::string_view body) {
  TRY_VOID(connect());
  Request request(method == Method::get ? http::verb::get : http::verb::post, path, 11);
  request.set(http::field::host, url_.host_header());
  for (const auto& [name, value] : headers) request.set(name, value);
  request.body() = {body.data(), body.size()};
  if (method == Method::post) request.content_length(body.size());
  Parser parser;
  parser.body_limit(kAnswerBytesMax);
  transport_->used = true;
  const beast::error_code error = transport_->exchange(request, parser, timeouts_.answer_ms);
  if (error) {
    close();
    return fail(ErrorCode::unavailable, fmt::format("no answer from {}: {}", url_.host_header(), error.message()));
  }
  HttpAnswer answer;
  answer.status = parser.get().result_int();
  for (const auto& field : parser.get()) {
    const auto name = field.name_string();
    const auto value = field.value();
    answer.headers.emplace_back(lower({name.data(), name.size()}), std::string(value.data(), value.size()));
  }
  const bool keep = parser.get().keep_alive();
  answer.body = std::move(parser.get().body());
  if (!keep) close();
  return answer;
}

}  // namespace stator::client
