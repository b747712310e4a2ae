// The short way through the head of a request. Nearly every request is a POST to "/" with headers as the SDKs write them; such
// a head is taken here, many bytes at a time. Anything else, be it legal or not, is left to Beast, which decides alone. So this
// may know little, but what it takes it must take as Beast does: the fuzz target and the tests of splits compare the two.
#include <cstdint>
#include <cstring>

#include "net/byte_classes.h"
#include "net/head_memo.h"
#include "net/http_parser.h"
#include "net/text.h"

namespace stator::net {
namespace {

constexpr std::string_view kRequestLine = "POST / HTTP/1.1\r\n";

constexpr std::uint64_t kCaseBits = 0x2020202020202020u;

std::uint64_t eight_bytes(const char* at) noexcept {
  std::uint64_t bytes;
  std::memcpy(&bytes, at, sizeof bytes);
  return bytes;
}

// For texts of at least eight bytes. Among what NameBytes has, one bit is all that letters differ in by their case.
bool is(std::string_view name, std::string_view lowercase) noexcept {
  std::size_t i = 0;
  for (; i + 8 < name.size(); i += 8) {
    if ((eight_bytes(name.data() + i) | kCaseBits) != eight_bytes(lowercase.data() + i)) return false;
  }
  i = name.size() - 8;
  return (eight_bytes(name.data() + i) | kCaseBits) == eight_bytes(lowercase.data() + i);
}

bool is_short(std::string_view name, std::string_view lowercase) noexcept {
  for (std::size_t i = 0; i < name.size(); ++i) {
    if ((name[i] | 0x20) != lowercase[i]) return false;
  }
  return true;
}

// Headers by which Beast decides where a request ends and what follows it.
bool is_for_beast(std::string_view name, std::string_view value) noexcept {
  switch (name.size()) {
    case 6:
      return is_short(name, "expect");
    case 7:
      return is_short(name, "upgrade");
    case 10:
      return is(name, "connection") && !(value.size() == 10 && is(value, "keep-alive"));
    case 16:
      return is(name, "content-encoding") || is(name, "proxy-connection");
    case 17:
      return is(name, "transfer-encoding");
    default:
      return false;
  }
}

}  // namespace

// Where the value of a header is kept; null for one that nobody asks for.
Piece* RequestParser::place_of(std::string_view name) noexcept {
  switch (name.size()) {
    case 4:
      return is_short(name, "host") ? &head_.host : nullptr;
    case 6:
      return is_short(name, "origin") ? &head_.origin : nullptr;
    case 10:
      return is(name, "x-amz-date") ? &head_.x_amz_date : nullptr;
    case 12:
      return is(name, "x-amz-target") ? &head_.x_amz_target : is(name, "content-type") ? &head_.content_type : nullptr;
    case 13:
      return is(name, "authorization") ? &head_.authorization : nullptr;
    case 15:
      return is(name, "accept-encoding") ? &head_.accept_encoding : nullptr;
    default:
      return nullptr;
  }
}

// A head that is like one that came before.
bool RequestParser::recall_head(const char* data, std::size_t size) noexcept {
  const HeadMemo::Head* const known = memo_->find(data, size, body_size_);
  if (known == nullptr || body_size_ > limits_.body_bytes_max) return false;
  head_ = known->pieces;
  head_number_ = known->number;
  take_plain_head(known->bytes);
  return true;
}

void RequestParser::take_plain_head(std::size_t head_bytes) noexcept {
  http11_ = keep_alive_ = true;
  head_end_ = head_bytes;
  stage_ = Stage::sized_body;
}

// False where the head is none of these or not there as a whole: then nothing is known of it.
bool RequestParser::parse_plain_head(const char* data, std::size_t size) {
  if (!std::string_view(data, size).starts_with(kRequestLine)) return false;
  const char* const end = data + size;
  const char* at = data + kRequestLine.size();
  bool has_length = false;
  for (;;) {
    const char* const name_start = at;
    at = end_of<NameBytes>(at, end);
    if (at == name_start) break;
    const std::string_view name(name_start, static_cast<std::size_t>(at - name_start));
    if (end - at < 2 || at[0] != ':' || at[1] != ' ') return false;
    const char* const value_start = at + 2;
    at = end_of<TextBytes>(value_start, end);
    const std::string_view value(value_start, static_cast<std::size_t>(at - value_start));
    if (end - at < 2 || at[0] != '\r' || at[1] != '\n') return false;
    at += 2;
    if (value.empty() || value.front() == ' ' || value.back() == ' ' || is_for_beast(name, value)) return false;
    if (name.size() == 14 && is(name, "content-length")) {
      if (has_length || !read_length(value, body_size_)) return false;
      has_length = true;
    } else if (Piece* const place = place_of(name); place != nullptr) {
      if (place->size != 0) return false;  // a second one
      *place = {static_cast<std::uint32_t>(value_start - data), static_cast<std::uint32_t>(value.size())};
    }
  }
  if (end - at < 2 || at[0] != '\r' || at[1] != '\n') return false;
  const auto head_bytes = static_cast<std::size_t>(at + 2 - data);
  if (head_bytes > limits_.header_bytes_max || !has_length || body_size_ > limits_.body_bytes_max || head_.host.size == 0) {
    return false;
  }
  head_.method = {0, 4};
  head_.path = {5, 1};
  head_.header_lines = {kRequestLine.size(), static_cast<std::uint32_t>(head_bytes - 2 - kRequestLine.size())};
  take_plain_head(head_bytes);
  if (memo_ != nullptr) memo_->offer({data, head_bytes}, head_);
  return true;
}

}  // namespace stator::net
