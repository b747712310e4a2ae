#include "client/http.h"

#include <fmt/format.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <chrono>
#include <functional>

#include "client/trusted_roots.h"

namespace stator::client {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using Parser = http::response_parser<http::string_body>;

// Answers of the service end at 16 MB of items; this leaves room for their JSON and stops an endless answer.
constexpr std::uint64_t kAnswerBytesMax = 128ull << 20;
constexpr std::size_t kReadBytes = 64 * 1024;

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

// Operations are asynchronous underneath, because only those can time out, and are waited for here. A stream gives single reads
// and writes; Beast's composed operations, made for each kind of stream, would take half a minute to compile.
class HttpConnection::Transport {
 public:
  virtual ~Transport() = default;
  [[nodiscard]] virtual beast::error_code connect(const Url& url, std::int64_t timeout_ms) = 0;

  // Sends the request and reads its whole answer.
  [[nodiscard]] beast::error_code exchange(std::string_view head, std::string_view body, Parser& parser, std::int64_t timeout_ms) {
    tcp().expires_after(std::chrono::milliseconds(timeout_ms));
    if (const auto error = write(head)) return error;
    if (const auto error = write(body)) return error;
    parser.eager(true);
    while (!parser.is_done()) {
      if (const auto error = read(parser)) return error;
    }
    return {};
  }

  bool used = false;

 protected:
  using Done = std::function<void(beast::error_code, std::size_t)>;
  [[nodiscard]] virtual beast::tcp_stream& tcp() = 0;
  virtual void start_write(asio::const_buffer bytes, Done done) = 0;
  virtual void start_read(asio::mutable_buffer room, Done done) = 0;

  beast::error_code connect_tcp(const Url& url, std::int64_t timeout_ms) {
    beast::error_code result;
    asio::ip::tcp::resolver resolver(io_);
    const auto addresses = resolver.resolve(url.host, url.port, result);
    if (result) return result;
    tcp().expires_after(std::chrono::milliseconds(timeout_ms));
    tcp().async_connect(addresses, [&](beast::error_code connected, const auto&) { result = connected; });
    run();
    if (!result) tcp().socket().set_option(asio::ip::tcp::no_delay(true), result);
    return result;
  }

  void run() {
    io_.restart();
    io_.run();
  }

  asio::io_context io_{1};

 private:
  beast::error_code write(std::string_view bytes) {
    beast::error_code result;
    while (!bytes.empty() && !result) {
      start_write(asio::const_buffer(bytes.data(), bytes.size()), [&](beast::error_code error, std::size_t written) {
        result = error;
        bytes.remove_prefix(written);
      });
      run();
    }
    return result;
  }

  // One read, given to the parser. An answer without a length ends with the connection.
  beast::error_code read(Parser& parser) {
    beast::error_code result;
    start_read(buffer_.prepare(kReadBytes), [&](beast::error_code error, std::size_t got) {
      result = error;
      buffer_.commit(got);
    });
    run();
    if (result == asio::error::eof && parser.got_some()) {
      parser.put_eof(result = {});
      return result;
    }
    if (result) return result;
    buffer_.consume(parser.put(buffer_.data(), result));
    return result == http::error::need_more ? beast::error_code() : result;
  }

  beast::flat_buffer buffer_;
};

class HttpConnection::PlainTransport final : public Transport {
 public:
  beast::error_code connect(const Url& url, std::int64_t timeout_ms) override { return connect_tcp(url, timeout_ms); }

 private:
  beast::tcp_stream& tcp() override { return stream_; }
  void start_write(asio::const_buffer bytes, Done done) override { stream_.async_write_some(bytes, std::move(done)); }
  void start_read(asio::mutable_buffer room, Done done) override { stream_.async_read_some(room, std::move(done)); }

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
    result = connect_tcp(url, timeout_ms);
    if (result) return result;
    stream_.async_handshake(asio::ssl::stream_base::client, [&](beast::error_code shaken) { result = shaken; });
    run();
    return result;
  }

 private:
  beast::tcp_stream& tcp() override { return stream_.next_layer(); }
  void start_write(asio::const_buffer bytes, Done done) override { stream_.async_write_some(bytes, std::move(done)); }
  void start_read(asio::mutable_buffer room, Done done) override { stream_.async_read_some(room, std::move(done)); }

  asio::ssl::context context_{asio::ssl::context::tls_client};
  asio::ssl::stream<beast::tcp_stream> stream_{io_, context_};
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
  std::string head = fmt::format("{} {} HTTP/1.1\r\nHost: {}\r\n", method == Method::get ? "GET" : "POST", path, url_.host_header());
  for (const auto& [name, value] : headers) {
    if (name != "host") head += fmt::format("{}: {}\r\n", name, value);  // signed headers name it again
  }
  if (method == Method::post) head += fmt::format("Content-Length: {}\r\n", body.size());
  head += "\r\n";
  Parser parser;
  parser.body_limit(kAnswerBytesMax);
  transport_->used = true;
  const beast::error_code error = transport_->exchange(head, body, parser, timeouts_.answer_ms);
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
