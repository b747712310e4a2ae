// The part of a connection from a complete request to its answer on the way out.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <utility>

#include "base/check.h"
#include "base/log_text.h"
#include "net/connection.h"

namespace stator::net {

namespace {

constexpr std::size_t kCopiedBodyMax = 16 * 1024;  // larger ones are written from where they are
constexpr int kPiecesPerTurn = 16;  // then other connections have their turn
constexpr std::string_view kChunkHead = "00000000\r\n";
constexpr std::size_t kZippedFrom = 4096;  // as the service does

}  // namespace

void Connection::dispatch() {
  parser_.fill(request_, input_.data() + input_begin_);
  persistence_ = !parser_.keep_alive() || context_.stopping ? Persistence::close
                 : parser_.http11()                         ? Persistence::keep_alive
                                                            : Persistence::keep_alive_stated;
  const std::size_t bytes = context_.handler.answer_bytes_max(request_);
  // In a turn that is long already, what may take long waits until the others have had theirs.
  const bool defer = bytes > 0 && context_.turn_is_long();
  if (defer) context_.line_may_move = true;
  if (!defer && may_begin(bytes)) [[likely]] {
    begin();
  } else {
    join_line();
  }
}

// Whether there is room for the answer, which is taken then, and a place for the connection.
bool Connection::may_begin(std::size_t bytes) {
  if (is_spare() && !take_place()) return context_.handler.always_answers(request_);
  if (bytes == 0 ? context_.answers.has_room() : context_.answers.reserve(bytes)) [[likely]] {
    answer_reserved_ = bytes;
    answer_counted_ += bytes;
    return true;
  }
  return context_.handler.always_answers(request_);
}

bool Connection::take_place() {
  if (context_.places.take(address_) != ConnectionPlaces::Taken::yes) return false;
  std::erase(context_.spares, this);
  kind_ = Kind::regular;
  return true;
}

void Connection::begin() {
  if (is_spare()) persistence_ = Persistence::close;
  if (parser_.content_encoding() != ContentEncoding::identity && !unzip_body()) return;
  context_.request_ids.write(request_id_);
  phase_ = Phase::handling;
  if (request_.method == "OPTIONS" && !request_.origin.empty()) {
    answer_preflight();
  } else {
    call_handler(&Handler::handle);
  }
}

void Connection::join_line() {
  phase_ = Phase::in_line;
  line_deadline_ms_ = context_.now_ms + context_.options.room_timeout_ms;
  line_previous_ = context_.line_last;
  (line_previous_ != nullptr ? line_previous_->line_next_ : context_.line_first) = this;
  context_.line_last = this;
  context_.answers.began_to_wait();
}

void Connection::leave_line() noexcept {
  phase_ = Phase::reading;
  (line_previous_ != nullptr ? line_previous_->line_next_ : context_.line_first) = line_next_;
  (line_next_ != nullptr ? line_next_->line_previous_ : context_.line_last) = line_previous_;
  line_next_ = line_previous_ = nullptr;
  context_.answers.ended_to_wait();
}

bool Connection::retry() {
  const bool room = may_begin(context_.handler.answer_bytes_max(request_));
  if (!room && context_.now_ms < line_deadline_ms_) return true;
  leave_line();
  if (room) {
    begin();
  } else {
    if (is_spare()) persistence_ = Persistence::close;
    context_.request_ids.write(request_id_);
    phase_ = Phase::handling;
    call_handler(&Handler::turn_away);
  }
  return run();
}

bool Connection::unzip_body() {
  // What cannot be unzipped, nothing included, gets 500, as from the service.
  if (request_.body.empty() && request_.method != "POST") return true;
  unzipped_ = context_.buffers.take();
  switch (context_.gzip.inflate(parser_.content_encoding(), request_.body, unzipped_,
                                context_.options.request_bytes_max, Request::kBodyPadding)) {
    case Gzip::Inflated::too_large:
      refuse(413);
      return false;
    case Gzip::Inflated::malformed:
      refuse(500);
      return false;
    case Gzip::Inflated::done:
      break;
  }
  request_.body = unzipped_.view();
  return true;
}

void Connection::call_handler(void (Handler::*how)(Exchange&)) {
  body_ = context_.buffers.take();
  in_handler_ = true;
  const char* problem = nullptr;
  try {
    (context_.handler.*how)(*this);
  } catch (const std::exception& error) {
    problem = error.what();
    std::fprintf(stderr, "stator: request %.*s failed: %s\n", static_cast<int>(kRequestIdSize),
                 request_id_, base::log_text(problem).c_str());
  } catch (...) {
    problem = "";
    std::fprintf(stderr, "stator: request %.*s failed\n", static_cast<int>(kRequestIdSize),
                 request_id_);
  }
  if (problem != nullptr && phase_ == Phase::handling) {
    body_.clear();
    extra_headers_.clear();
    body_.append(R"({"__type":"InternalServerError","message":"Internal server error"})");
    finish(500, "application/x-amz-json-1.0");
  }
  in_handler_ = false;
}

void Connection::answer_preflight() {
  const std::string_view methods = request_.header("access-control-request-method");
  const std::string_view headers = request_.header("access-control-request-headers");
  if (!methods.empty()) add_header("Access-Control-Allow-Methods", methods);
  if (!headers.empty()) add_header("Access-Control-Allow-Headers", headers);
  add_header("Access-Control-Max-Age", "172800");
  in_handler_ = true;
  finish(200, {});
  in_handler_ = false;
}

// The rest of the input cannot be trusted, so the connection ends with the answer.
void Connection::refuse(int status) {
  request_ = {};
  context_.request_ids.write(request_id_);
  persistence_ = Persistence::close;
  linger_ = true;
  answer(status, {});
  end_request();
}

void Connection::finish(int status, std::string_view content_type) {
  CHECK(phase_ == Phase::handling);
  if (socket_.fd() >= 0) answer(status, content_type);
  end_request();
  // Otherwise the handler is on the stack below, or run() goes on where it called it.
  if (!in_handler_) schedule();
}

void Connection::finish_in_pieces(int status, std::string_view content_type, std::unique_ptr<BodySource> rest) {
  CHECK(phase_ == Phase::handling);
  const bool has_more = rest->append_piece(body_);
  if (!has_more) return finish(status, content_type);
  if (socket_.fd() >= 0) {
    source_ = std::move(rest);
    answer_in_pieces(status, content_type);
  }
  end_request();
  if (!in_handler_) schedule();
}

ResponseHead Connection::start_head(int status, std::string_view content_type) {
  if (context_.stopping) persistence_ = Persistence::close;
  ResponseHead head;
  head.status = status;
  head.content_type = content_type;
  head.request_id = request_id();
  head.date_line = context_.date.view();
  head.extra_headers = extra_headers_.view();
  head.persistence = persistence_;
  head.cors = !request_.origin.empty();
  return head;
}

void Connection::answer(int status, std::string_view content_type) {
  ResponseHead head = start_head(status, content_type);
  head.content_encoding = zip_body();
  head.body_size = body_.size();
  head.body_crc32 = crc32(body_.view());
  if (output_.capacity() == 0) output_ = context_.buffers.take();
  append_head(output_, head);
  if (request_.method == "HEAD") {
    body_.clear();
  } else if (body_.size() <= kCopiedBodyMax) {
    output_.append(body_.view());
  } else {
    body_queued_ = true;
  }
  answer_reserved_ = 0;
  // What is behind the end of a large buffer was never touched, so it is no memory.
  count_unsent(body_queued_ ? body_.size() : 0);
}

// The first piece is in the body, the others come from the source when it has been sent.
void Connection::answer_in_pieces(int status, std::string_view content_type) {
  if (!parser_.http11()) persistence_ = Persistence::close;
  ResponseHead head = start_head(status, content_type);
  head.body_end = parser_.http11() ? BodyEnd::chunked : BodyEnd::connection;
  chunked_ = parser_.http11();
  if (output_.capacity() == 0) output_ = context_.buffers.take();
  append_head(output_, head);
  if (request_.method == "HEAD") {
    source_.reset();
    return;
  }
  const std::size_t start = output_.size();
  if (chunked_) output_.append(kChunkHead);
  output_.append(body_.view());
  frame_piece(start);
}

// False where the rest of the answer cannot be made. The client learns that by the end of the connection.
bool Connection::append_piece() noexcept {
  try {
    if (output_.capacity() == 0) output_ = context_.buffers.take();
    const std::size_t start = output_.size();
    if (chunked_) output_.append(kChunkHead);
    const bool has_more = source_->append_piece(output_);
    if (!has_more) source_.reset();
    frame_piece(start);
    return true;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "stator: an answer could not be completed: %s\n", error.what());
    return false;
  }
}

// Makes a chunk of what was appended behind room for the head of one.
void Connection::frame_piece(std::size_t start) {
  if (!chunked_) return;
  const std::size_t size = output_.size() - start - kChunkHead.size();
  if (size == 0) {
    output_.truncate(start);  // an empty chunk would be the last
  } else {
    char* digit = output_.data() + start + kChunkHead.find('\r');
    for (std::size_t left = size; left != 0; left >>= 4) *--digit = "0123456789abcdef"[left & 15];
    output_.append("\r\n");
  }
  if (!source_) output_.append("0\r\n\r\n");
}

void Connection::count_unsent(std::size_t bytes) noexcept {
  bytes += answer_reserved_;
  if (bytes < answer_counted_) context_.line_may_move = true;
  context_.answers.change(std::exchange(answer_counted_, bytes), bytes);
}

std::string_view Connection::zip_body() {
  if (body_.size() < kZippedFrom || request_.accept_encoding.empty()) return {};
  const ContentEncoding encoding = choose_encoding(request_.accept_encoding);
  if (encoding == ContentEncoding::identity) return {};
  base::Buffer zipped = context_.buffers.take();
  const bool smaller = context_.gzip.compress(encoding, body_.view(), zipped);
  if (smaller) std::swap(body_, zipped);
  context_.buffers.give(zipped);
  if (!smaller) return {};
  return encoding == ContentEncoding::gzip ? "gzip" : "deflate";
}

void Connection::end_request() noexcept {
  answer_reserved_ = 0;
  if (!body_queued_) {
    context_.buffers.give(body_);
    count_unsent(0);
  }
  context_.buffers.give(unzipped_);
  extra_headers_.clear();
  extra_headers_.release_above(1024);
  if (persistence_ == Persistence::close) {
    phase_ = Phase::closing;
    // Closing while the client still sends would reset the connection, and the answer with it.
    if (readable_ || input_.size() > input_begin_ + parser_.request_bytes()) linger_ = true;
    input_.clear();
    input_begin_ = 0;
  } else {
    phase_ = Phase::reading;
    input_begin_ += parser_.request_bytes();
  }
  if (input_begin_ == input_.size()) {
    input_.clear();
    input_begin_ = 0;
  }
  parser_.reset();
  progress_ = RequestParser::Progress::in_head;
  continue_sent_ = false;
  served_ = true;
  wait_ = Wait::nothing;
}

// Sends what there is, and makes more of an answer that comes in pieces. False if the connection is lost.
bool Connection::flush() {
  for (int pieces = 0; write_output(); ++pieces) {
    if (blocked_ || !source_) return true;
    if (pieces == kPiecesPerTurn) {
      schedule();
      return true;
    }
    if (!append_piece()) return false;
  }
  return false;
}

bool Connection::write_output() {
  for (;;) {
    const std::size_t head_left = output_.size() - std::min(output_.size(), output_sent_);
    const std::size_t body_left =
        body_queued_ ? body_.size() - (output_sent_ - (output_.size() - head_left)) : 0;
    if (head_left + body_left == 0) break;
    const iovec parts[] = {{output_.data() + (output_.size() - head_left), head_left},
                           {body_.data() + (body_.size() - body_left), body_left}};
    const std::size_t first = head_left == 0 ? 1 : 0;
    const std::size_t last = body_left == 0 ? 1 : 2;
    const Socket::Transfer put = socket_.write({parts + first, parts + last});
    if (put.status == Socket::Status::closed) return false;
    if (put.status == Socket::Status::would_block) {
      blocked_ = true;
      count_unsent(output_.capacity() + (body_queued_ ? body_.size() : 0));
      return true;
    }
    output_sent_ += put.bytes;
    if (wait_ == Wait::write) count_moved(put.bytes);
  }
  blocked_ = false;
  output_sent_ = 0;
  if (output_.capacity() != 0) context_.buffers.give(output_);
  if (std::exchange(body_queued_, false)) context_.buffers.give(body_);
  count_unsent(0);
  return true;
}

}  // namespace stator::net
