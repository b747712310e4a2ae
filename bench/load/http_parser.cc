#include "bench/load/http_parser.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/common/http_head.h"

namespace stator::bench {
namespace {

constexpr std::size_t kMaxHead = 64 * 1024;
constexpr std::size_t kMaxSample = 400;

}  // namespace

ResponseParser::Step HttpParser::Consume(std::string_view data) {
  std::size_t consumed = 0;
  if (!in_body_) {
    consumed = ConsumeHead(data);
    if (!in_body_) {
      return {consumed, false};
    }
  }
  const std::string_view rest = data.substr(consumed);
  const std::size_t body = std::min<std::uint64_t>(body_left_, rest.size());
  if (failed_ && sample_.size() < kMaxSample) {
    sample_ += rest.substr(0, std::min(body, kMaxSample - sample_.size()));
  }
  body_left_ -= body;
  in_body_ = body_left_ > 0;
  return {consumed + body, !in_body_};
}

std::size_t HttpParser::ConsumeHead(std::string_view data) {
  if (partial_head_.empty()) {
    if (const auto end = FindHeadEnd(data)) {
      StartBody(data.substr(0, *end));
      return *end;
    }
  }
  const std::size_t before = partial_head_.size();
  partial_head_ += data;
  if (const auto end = FindHeadEnd(partial_head_)) {
    StartBody(std::string_view(partial_head_).substr(0, *end));
    partial_head_.clear();
    return *end - before;
  }
  if (partial_head_.size() > kMaxHead) {
    throw ProtocolError("an answer's head does not end");
  }
  return data.size();
}

void HttpParser::StartBody(std::string_view head) {
  const auto length = ContentLength(head);
  if (!length) {
    throw ProtocolError(fmt::format("an answer without Content-Length: {}", head));
  }
  body_left_ = *length;
  in_body_ = true;
  failed_ = StatusCode(head) != 200 || !expected_.Contains(*length);
  if (failed_) {
    sample_ = fmt::format("{} (body of {} bytes) ", head.substr(0, head.find('\r')), *length);
  }
}

}  // namespace stator::bench
