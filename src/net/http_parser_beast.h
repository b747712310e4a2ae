#pragma once

// Of http_parser.cc alone: Boost.Beast takes long to compile.
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>

#include "net/http_parser.h"
#include "net/text.h"

namespace stator::net {

namespace http = boost::beast::http;

// Beast's callbacks. One put() parses the whole head; for a chunked body the same object goes on.
class RequestParser::Beast final : public http::basic_parser<true> {
 public:
  Beast(RequestParser& owner, const char* data, std::size_t size)
      : owner_(owner), data_(data), size_(size) {
    header_limit(std::numeric_limits<std::uint32_t>::max());  // checked before
    body_limit(owner.limits_.body_bytes_max);
    eager(false);
  }

  char* write_at = nullptr;  // where unchunked bytes go
  std::uint64_t chunk_left = 0;
  bool first_chunk = true;
  // A status of our own choice for a field that Beast lets pass.
  int refused_with = 0;
  int host_count = 0;
  bool has_transfer_encoding = false;

 private:
  using string_view = boost::beast::string_view;
  using error_code = boost::beast::error_code;

  Piece piece(string_view text) const {
    return {static_cast<std::uint32_t>(text.data() - data_),
            static_cast<std::uint32_t>(text.size())};
  }
  static void take_first(Piece& to, Piece value) {
    if (to.offset == 0) to = value;  // no value is at offset 0, where the method is
  }

  void on_request_impl(http::verb, string_view method, string_view target, int version,
                       error_code&) override {
    owner_.head_.method = piece(method);
    owner_.take_target(piece(target), data_);
    owner_.http11_ = version == 11;
    constexpr std::string_view kEndOfLine = " HTTP/1.1\r\n";
    owner_.head_.header_lines.offset =
        static_cast<std::uint32_t>(target.data() + target.size() + kEndOfLine.size() - data_);
    if (owner_.head_.path.size == 0) refused_with = 400;
  }

  void on_field_impl(http::field field, string_view name, string_view value,
                     error_code& error) override {
    if (is_header_done()) return;  // a trailer must not change what the headers said
    // A folded value may lie in a buffer of Beast's; RFC 9112 has a server refuse folding anyway.
    const char* gap = name.data() + name.size() + 1;
    if (value.data() < gap || value.data() > data_ + size_ ||
        std::memchr(gap, '\r', static_cast<std::size_t>(value.data() - gap)) != nullptr) {
      error = http::error::bad_value;
      return;
    }
    take_field(field, {name.data(), name.size()}, piece(value), {value.data(), value.size()});
  }

  void take_field(http::field field, std::string_view name, Piece at, std::string_view value) {
    switch (field) {
      case http::field::host:
        take_first(owner_.head_.host, at);
        ++host_count;
        break;
      case http::field::content_type:
        take_first(owner_.head_.content_type, at);
        break;
      case http::field::authorization:
        take_first(owner_.head_.authorization, at);
        break;
      case http::field::origin:
        take_first(owner_.head_.origin, at);
        break;
      case http::field::accept_encoding:
        take_first(owner_.head_.accept_encoding, at);
        break;
      case http::field::content_encoding:
        take_content_encoding(value);
        break;
      case http::field::transfer_encoding:
        has_transfer_encoding = true;
        if (!equals_ignoring_case(value, "chunked")) refused_with = 501;
        break;
      case http::field::expect:
        owner_.expects_continue_ = equals_ignoring_case(value, "100-continue");
        if (!owner_.expects_continue_) refused_with = 417;
        break;
      case http::field::unknown:
        if (name.size() == 12 && equals_ignoring_case(name, "x-amz-target")) {
          take_first(owner_.head_.x_amz_target, at);
        } else if (name.size() == 10 && equals_ignoring_case(name, "x-amz-date")) {
          take_first(owner_.head_.x_amz_date, at);
        }
        break;
      default:
        break;
    }
  }

  void take_content_encoding(std::string_view value) {
    ContentEncoding& encoding = owner_.content_encoding_;
    if (value.empty() || equals_ignoring_case(value, "identity")) return;
    const bool again = encoding != ContentEncoding::identity;
    if (again) {
      encoding = ContentEncoding::unknown;
    } else if (equals_ignoring_case(value, "gzip") || equals_ignoring_case(value, "x-gzip")) {
      encoding = ContentEncoding::gzip;
    } else if (equals_ignoring_case(value, "deflate")) {
      encoding = ContentEncoding::deflate;
    } else {
      encoding = ContentEncoding::unknown;
    }
  }

  void on_chunk_header_impl(std::uint64_t size, string_view, error_code&) override {
    chunk_left = size;
  }
  std::size_t on_chunk_body_impl(std::uint64_t, string_view bytes, error_code&) override {
    std::memmove(write_at, bytes.data(), bytes.size());
    write_at += bytes.size();
    return bytes.size();
  }
  void on_response_impl(int, string_view, int, error_code&) override {}
  void on_header_impl(error_code&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}
  std::size_t on_body_impl(string_view bytes, error_code&) override { return bytes.size(); }
  void on_finish_impl(error_code&) override {}

  RequestParser& owner_;
  const char* data_;
  std::size_t size_;
};

}  // namespace stator::net
