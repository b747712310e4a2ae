#include "bench/load/resp_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace stator::bench {
namespace {

constexpr std::size_t kMaxLine = 64 * 1024;

}  // namespace

ResponseParser::Step RespParser::Consume(std::string_view data) {
  std::size_t consumed = 0;
  if (left_ == 0) {
    const std::size_t newline = data.find('\n');
    if (newline == std::string_view::npos) {
      partial_line_ += data;
      if (partial_line_.size() > kMaxLine) {
        throw ProtocolError("a reply's first line does not end");
      }
      return {data.size(), false};
    }
    consumed = newline + 1;
    if (partial_line_.empty()) {
      StartReply(data.substr(0, newline));
    } else {
      partial_line_ += data.substr(0, newline);
      StartReply(partial_line_);
      partial_line_.clear();
    }
  }
  const std::size_t body = std::min<std::uint64_t>(left_, data.size() - consumed);
  left_ -= body;
  return {consumed + body, left_ == 0};
}

void RespParser::StartReply(std::string_view line) {
  if (line.size() < 2 || line.back() != '\r') {
    throw ProtocolError(fmt::format("not a reply: '{}'", line));
  }
  line.remove_suffix(1);
  failed_ = line.front() == '-';
  if (line.front() == '$') {
    std::int64_t length = 0;
    const auto [stop, error] = std::from_chars(line.data() + 1, line.data() + line.size(), length);
    if (error != std::errc() || stop != line.data() + line.size() || length < -1) {
      throw ProtocolError(fmt::format("not a length: '{}'", line));
    }
    left_ = length < 0 ? 0 : static_cast<std::uint64_t>(length) + 2;
    failed_ = length < 0 || !expected_.Contains(static_cast<std::uint64_t>(length));
  } else if (line.front() != '+' && line.front() != '-' && line.front() != ':') {
    throw ProtocolError(fmt::format("a reply of a kind that is not expected: '{}'", line));
  }
  if (failed_) {
    sample_ = line;
  }
}

}  // namespace stator::bench
