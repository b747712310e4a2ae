#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "net/exchange.h"
#include "net/head_pieces.h"

namespace stator::net {

class HeadMemo;

enum class ContentEncoding : std::uint8_t { identity, gzip, deflate, unknown };

// Takes requests out of the bytes of a connection, in place: nothing is copied but the chunks of a
// chunked body, which are moved together. What it decides depends on the bytes alone, not on the
// pieces in which they arrive.
//
// It knows where a request ends and what its headers say; Boost.Beast checks their grammar.
class RequestParser {
 public:
  struct Limits {
    std::size_t header_bytes_max = 16 * 1024;
    std::size_t body_bytes_max = 16 * 1024 * 1024;
  };
  enum class Progress : std::uint8_t {
    in_head,   // needs more bytes of the head
    in_body,   // the head is complete, needs more bytes of the body
    complete,  // fill() gives the request
    failed,    // error_status() says why; the bytes behind cannot be understood any more
  };

  // The memo, where there is one, must outlive the parser.
  explicit RequestParser(const Limits& limits, HeadMemo* memo = nullptr) noexcept;
  ~RequestParser();
  RequestParser(const RequestParser&) = delete;
  RequestParser& operator=(const RequestParser&) = delete;

  // `data` are all bytes from the first of the request on, those of earlier calls included; they
  // may have moved to another place in between. `size` shrinks where the framing of chunks is taken
  // out.
  Progress parse(char* data, std::size_t& size);
  // Forgets the request; the next call of parse() begins another.
  void reset() noexcept;

  // Points the views of `request` into the data of a complete request.
  void fill(Request& request, const char* data) const noexcept;

  // Known once the head is complete.
  [[nodiscard]] bool keep_alive() const noexcept { return keep_alive_; }
  [[nodiscard]] bool http11() const noexcept { return http11_; }
  [[nodiscard]] bool expects_continue() const noexcept { return expects_continue_; }
  [[nodiscard]] ContentEncoding content_encoding() const noexcept { return content_encoding_; }
  // How many more bytes are needed at least.
  [[nodiscard]] std::size_t missing_bytes(std::size_t size) const noexcept;
  // The bytes that a complete request takes up.
  [[nodiscard]] std::size_t request_bytes() const noexcept { return head_end_ + body_size_; }
  // The HTTP status to refuse a failed request with.
  [[nodiscard]] int error_status() const noexcept { return error_status_; }

 private:
  class Beast;  // keeps Boost.Beast out of this header
  enum class Stage : std::uint8_t { head, sized_body, chunked_body, complete, failed };

  Progress fail(int status) noexcept;
  Progress progress() const noexcept;
  bool find_head_end(const char* data, std::size_t size);
  bool recall_head(const char* data, std::size_t size) noexcept;
  bool parse_plain_head(const char* data, std::size_t size);
  void take_plain_head(std::size_t head_bytes) noexcept;
  Piece* place_of(std::string_view header) noexcept;
  bool parse_head_at_once(const char* data, std::size_t size);
  void parse_head(const char* data);
  void take_head(Beast&& beast);
  void parse_chunks(char* data, std::size_t& size);
  std::size_t parse_chunk(std::string_view rest);
  std::size_t parse_chunk_frame(std::string_view rest);
  void take_target(Piece target, const char* data) noexcept;
  int check_head(const Beast& beast) const noexcept;

  Limits limits_;
  HeadMemo* memo_;
  Stage stage_ = Stage::head;
  bool keep_alive_ = false;
  bool http11_ = false;
  bool expects_continue_ = false;
  ContentEncoding content_encoding_ = ContentEncoding::identity;
  int error_status_ = 0;
  std::size_t scanned_ = 0;     // no end of the head before here
  std::size_t line_start_ = 0;  // of the line that is being scanned
  std::size_t head_start_ = 0;  // behind empty lines before the request
  std::size_t head_end_ = 0;
  std::size_t body_size_ = 0;  // announced, or unchunked so far

  HeadPieces head_;
  std::uint64_t head_number_ = 0;  // of the memo
  std::unique_ptr<Beast> chunks_;  // only while a chunked body is read
};

}  // namespace stator::net
