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
constexpr std::size_t kZippedFrom = 1024;

}  // namespace

void Connection::dispatch() {
  parser_.fill(request_, input_.data() + input_begin_);
  persistence_ = !parser_.keep_alive() || context_.stopping ? Persistence::close
                 : parser_.http11()                         ? Persistence::keep_alive
                                                            : Persistence::keep_alive_stated;
  if (parser_.content_encoding() != ContentEncoding::identity && !unzip_body()) return;
  context_.request_ids.write(request_id_);
  phase_ = Phase::handling;
  if (request_.method == "OPTIONS" && !request_.origin.empty()) {
    answer_preflight();
  } else {
    call_handler();
  }
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

void Connection::call_handler() {
  body_ = context_.buffers.take();
  in_handler_ = true;
  const char* problem = nullptr;
  try {
    context_.handler.handle(*this);
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

void Connection::answer(int status, std::string_view content_type) {
  if (context_.stopping) persistence_ = Persistence::close;
  ResponseHead head;
  head.status = status;
  head.content_type = content_type;
  head.request_id = request_id();
  head.date_line = context_.date.view();
  head.extra_headers = extra_headers_.view();
  head.persistence = persistence_;
  head.cors = !request_.origin.empty();
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
  if (!body_queued_) context_.buffers.give(body_);
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
  wait_ = Wait::nothing;
}

bool Connection::flush() {
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
      return true;
    }
    output_sent_ += put.bytes;
    if (wait_ == Wait::write) count_moved(put.bytes);
  }
  blocked_ = false;
  output_sent_ = 0;
  if (output_.capacity() != 0) context_.buffers.give(output_);
  if (std::exchange(body_queued_, false)) context_.buffers.give(body_);
  return true;
}

}  // namespace stator::net
