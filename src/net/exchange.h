#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "base/buffer.h"

namespace stator::net {

// A request as the client sent it. All views point into the connection's memory and are valid until
// the exchange is finished.
struct Request {
  std::string_view method;
  std::string_view path;   // without the query, not percent-decoded
  std::string_view query;  // behind the '?', not percent-decoded
  // Unchunked and unzipped. At least kBodyPadding readable bytes follow it; what they hold is
  // unspecified.
  std::string_view body;

  // The headers that every request is asked about, empty where absent.
  std::string_view x_amz_target;
  std::string_view content_type;
  std::string_view authorization;
  std::string_view host;
  std::string_view origin;
  std::string_view accept_encoding;
  std::string_view x_amz_date;

  // The header lines as received, each ended by CRLF, without the request line and the empty line.
  std::string_view header_lines;

  // Not 0: all requests of this number have the same head, but for the bytes of signature, date and length of the body, each in the same place.
  std::uint64_t head_number = 0;

  static constexpr std::size_t kBodyPadding = 64;

  // The value of the first header of that name, "" where absent. Reads header_lines anew, so it is
  // for headers that few requests are asked about. The name is given in lower case.
  [[nodiscard]] std::string_view header(std::string_view lowercase_name) const noexcept;
};

// Makes the body of a long answer piece by piece, as fast as its client takes it. Used on the exchange's thread, also after the
// exchange is finished; destroyed when the body is complete or the client is gone.
class BodySource {
 public:
  static constexpr std::size_t kPieceBytes = 64 * 1024;

  virtual ~BodySource() = default;
  // Appends the next piece, of about kPieceBytes; false where that was the last one.
  [[nodiscard]] virtual bool append_piece(base::Buffer& to) = 0;
};

// One request and its answer. It belongs to its connection and is reused for the connection's next
// request as soon as finish() has been called: do not touch it after that. If the client goes away
// meanwhile, the exchange stays valid and finish() drops the answer.
//
// Everything here is called on the thread of the reactor that gave out the exchange (a coroutine
// that its executor resumes is on it).
class Exchange {
 public:
  static constexpr std::size_t kRequestIdSize = 52;

  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  [[nodiscard]] const Request& request() const noexcept { return request_; }
  // The name of this exchange in logs and in the answer's x-amzn-RequestId: 52 characters [A-Z0-9].
  [[nodiscard]] std::string_view request_id() const noexcept {
    return {request_id_, kRequestIdSize};
  }

  // The answer's body, empty at first. The handler appends to it.
  [[nodiscard]] base::Buffer& body() noexcept { return body_; }

  // An extra header of the answer. Line breaks and other control characters are left out of both.
  void add_header(std::string_view name, std::string_view value);

  // Sends the answer; called exactly once. Status line, Content-Length, Content-Type, Date, Server,
  // x-amzn-RequestId, x-amz-crc32 (of the body as sent) and, for a request with Origin, CORS
  // headers are added here; a body of 4,096 bytes or more is gzipped for a client that accepts it.
  virtual void finish(int status, std::string_view content_type) = 0;
  // The same with the rest of the body from a source. What has more than one piece is sent in chunks, without a checksum and not
  // zipped: it is never in memory as a whole.
  virtual void finish_in_pieces(int status, std::string_view content_type, std::unique_ptr<BodySource> rest) = 0;

 protected:
  Exchange() = default;
  ~Exchange() = default;

  Request request_;
  base::Buffer body_;
  base::Buffer extra_headers_;  // ready lines, each ended by CRLF
  char request_id_[kRequestIdSize] = {};
};

// What answers requests. One handler serves all reactors, so it is called from several threads at
// once, each with exchanges of its own.
class Handler {
 public:
  virtual ~Handler() = default;
  // Called on the reactor's thread, where base::Executor::current() is the reactor. May finish the
  // exchange before it returns or later. Must not block. If it throws, the client gets a 500 and
  // the handler must not use the exchange again.
  virtual void handle(Exchange& exchange) = 0;

  // The following are asked on the reactor's thread before a request is begun. They must not throw.

  // How large the answer may become; 0 where it cannot be large. Room for it is reserved (ServerOptions::answer_bytes_max).
  [[nodiscard]] virtual std::size_t answer_bytes_max(const Request& /*request*/) const noexcept { return 0; }
  // Whether the request is to be answered whatever there is no room for, such as a health check. Its answer is small or
  // comes in pieces.
  [[nodiscard]] virtual bool always_answers(const Request& /*request*/) const noexcept { return false; }
  // Instead of handle(), for a request for which there is no room: finishes the exchange at once.
  virtual void turn_away(Exchange& exchange) { exchange.finish(503, {}); }
};

}  // namespace stator::net
