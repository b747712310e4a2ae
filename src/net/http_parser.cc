#include "net/http_parser.h"

#include <cstring>

#include "net/http_parser_beast.h"
#include "net/text.h"

namespace stator::net {

namespace {
// Bound of the framing of one chunk: its size, extensions and, for the last, the trailers.
constexpr std::size_t kChunkFrameBytesMax = 8 * 1024;
}  // namespace

RequestParser::RequestParser(const Limits& limits, HeadMemo* memo) noexcept : limits_(limits), memo_(memo) {}
RequestParser::~RequestParser() = default;

void RequestParser::reset() noexcept {
  stage_ = Stage::head;
  keep_alive_ = http11_ = expects_continue_ = false;
  content_encoding_ = ContentEncoding::identity;
  error_status_ = 0;
  scanned_ = line_start_ = head_start_ = head_end_ = body_size_ = 0;
  head_ = {};
  head_number_ = 0;
  chunks_.reset();
}

RequestParser::Progress RequestParser::fail(int status) noexcept {
  stage_ = Stage::failed;
  error_status_ = status;
  return Progress::failed;
}

RequestParser::Progress RequestParser::progress() const noexcept {
  switch (stage_) {
    case Stage::head:
      return Progress::in_head;
    case Stage::complete:
      return Progress::complete;
    case Stage::failed:
      return Progress::failed;
    default:
      return Progress::in_body;
  }
}

RequestParser::Progress RequestParser::parse(char* data, std::size_t& size) {
  if (stage_ == Stage::head && (scanned_ != 0 || !parse_head_at_once(data, size)) &&
      find_head_end(data, size)) {
    parse_head(data);
  }
  if (stage_ == Stage::chunked_body) parse_chunks(data, size);
  if (stage_ == Stage::sized_body && size - head_end_ >= body_size_) stage_ = Stage::complete;
  return progress();
}

// A head that comes in pieces is given to Beast only when it is there as a whole: its views then
// stay together, and the outcome does not depend on how the bytes were split.
bool RequestParser::find_head_end(const char* data, std::size_t size) {
  const std::size_t window = size < limits_.header_bytes_max ? size : limits_.header_bytes_max;
  while (scanned_ < window) {
    const void* found = std::memchr(data + scanned_, '\n', window - scanned_);
    // What cannot be the beginning of a request, such as a TLS handshake, is told so at once.
    if (line_start_ == head_start_ && data[line_start_] != '\r' &&
        !is_visible_ascii(data[line_start_])) {
      fail(400);
      return false;
    }
    if (found == nullptr) break;
    const auto at = static_cast<std::size_t>(static_cast<const char*>(found) - data);
    if (at == line_start_ || data[at - 1] != '\r') {
      fail(400);
      return false;
    }
    const bool empty_line = at - line_start_ == 1;
    const bool before_request = line_start_ == head_start_;
    scanned_ = line_start_ = at + 1;
    if (empty_line && before_request) {
      head_start_ = line_start_;  // RFC 9112: empty lines before a request are ignored
    } else if (empty_line) {
      head_end_ = line_start_;
      return true;
    }
  }
  if (scanned_ < window) scanned_ = window;
  if (size >= limits_.header_bytes_max) fail(400);  // as the service does
  return false;
}

// The common case: the whole head is there at the first look, and mostly a plain one. Otherwise Beast finds
// its end by itself, and where it succeeds it decides as it would with the head alone.
bool RequestParser::parse_head_at_once(const char* data, std::size_t size) {
  if (memo_ != nullptr && recall_head(data, size)) return true;
  if (parse_plain_head(data, size)) return true;
  reset();
  Beast beast(*this, data, size);
  boost::beast::error_code error;
  const std::size_t used = beast.put({data, size}, error);
  if (error || !beast.is_header_done() || used > limits_.header_bytes_max) {
    reset();
    return false;
  }
  head_end_ = used;
  take_head(std::move(beast));
  return true;
}

void RequestParser::parse_head(const char* data) {
  Beast beast(*this, data, head_end_);
  boost::beast::error_code error;
  beast.put({data + head_start_, head_end_ - head_start_}, error);
  if (error || !beast.is_header_done()) {
    fail(error == http::error::body_limit ? 413 : error == http::error::bad_version ? 505 : 400);
    return;
  }
  take_head(std::move(beast));
}

void RequestParser::take_head(Beast&& beast) {
  if (const int status = check_head(beast); status != 0) {
    fail(status);
    return;
  }
  head_.header_lines.size = static_cast<std::uint32_t>(head_end_ - 2 - head_.header_lines.offset);
  keep_alive_ = beast.keep_alive();
  if (beast.chunked()) {
    chunks_ = std::make_unique<Beast>(std::move(beast));
    stage_ = Stage::chunked_body;
  } else {
    body_size_ = static_cast<std::size_t>(beast.content_length().value_or(0));
    stage_ = Stage::sized_body;
  }
}

int RequestParser::check_head(const Beast& beast) const noexcept {
  if (beast.refused_with != 0) return beast.refused_with;
  if (content_encoding_ == ContentEncoding::unknown) return 500;  // as the service does
  if (beast.host_count > 1 || (http11_ && beast.host_count == 0)) return 400;
  // A body whose end is in doubt is how requests are smuggled past a proxy.
  if (beast.has_transfer_encoding && (!http11_ || !beast.chunked())) return 400;
  return 0;
}

void RequestParser::parse_chunks(char* data, std::size_t& size) {
  char* const body = data + head_end_;
  char* read_at = body + body_size_;  // what lies between was moved away by earlier calls
  char* const end = data + size;
  chunks_->write_at = read_at;
  while (stage_ == Stage::chunked_body && read_at < end) {
    const std::string_view rest(read_at, static_cast<std::size_t>(end - read_at));
    const std::size_t used = chunks_->chunk_left > 0 ? parse_chunk(rest) : parse_chunk_frame(rest);
    if (used == 0) break;
    read_at += used;
  }
  if (stage_ == Stage::failed) return;
  const auto rest = static_cast<std::size_t>(end - read_at);
  body_size_ = static_cast<std::size_t>(chunks_->write_at - body);
  std::memmove(chunks_->write_at, read_at, rest);
  size = head_end_ + body_size_ + rest;
  if (stage_ == Stage::complete) chunks_.reset();
}

std::size_t RequestParser::parse_chunk(std::string_view rest) {
  boost::beast::error_code error;
  const std::size_t used = chunks_->put({rest.data(), rest.size()}, error);
  chunks_->chunk_left -= used;
  return used;
}

// What stands between two chunks: the end of the last one's line, and the line with the size of the
// next; for the last chunk also the trailers. Like the head, Beast gets it once and as a whole: it
// counts a size again when asked again, and reads a quoted extension across the end of its line if
// there is more.
std::size_t RequestParser::parse_chunk_frame(std::string_view rest) {
  const std::string_view window = rest.substr(0, kChunkFrameBytesMax);
  const std::size_t line_start = chunks_->first_chunk ? 0 : 2;
  std::size_t last = window.find('\n', line_start);
  if (last != std::string_view::npos) {
    if (last == 0 || window[last - 1] != '\r') return fail(400), 0;
    const std::size_t size_end = window.find_first_not_of('0', line_start);
    const bool last_chunk = size_end > line_start && !is_hex_digit(window[size_end]);
    if (last_chunk) last = window.find("\n\r\n", last);
    if (last_chunk && last != std::string_view::npos) last += 2;
  }
  if (last == std::string_view::npos) {
    if (rest.size() > kChunkFrameBytesMax) fail(400);
    return 0;
  }
  boost::beast::error_code error;
  const std::size_t used = chunks_->put({window.data(), last + 1}, error);
  if (error) return fail(error == http::error::body_limit ? 413 : 400), 0;
  chunks_->first_chunk = false;
  if (chunks_->is_done()) stage_ = Stage::complete;
  return used;
}

void RequestParser::take_target(Piece target, const char* data) noexcept {
  std::string_view text(data + target.offset, target.size);
  if (text.starts_with("http://") || text.starts_with("https://")) {  // the form meant for proxies
    const std::size_t slash = text.find('/', text.find("//") + 2);
    if (slash == std::string_view::npos) return;
    text.remove_prefix(slash);
  }
  if (!text.starts_with('/') && text != "*") return;
  const std::size_t path_size = text.substr(0, text.find('?')).size();
  const auto offset = static_cast<std::uint32_t>(text.data() - data);
  head_.path = {offset, static_cast<std::uint32_t>(path_size)};
  if (path_size < text.size()) {
    head_.query = {static_cast<std::uint32_t>(offset + path_size + 1),
              static_cast<std::uint32_t>(text.size() - path_size - 1)};
  }
}

void RequestParser::fill(Request& request, const char* data) const noexcept {
  const auto view = [data](Piece piece) {
    return std::string_view(data + piece.offset, piece.size);
  };
  request.method = view(head_.method);
  request.path = view(head_.path);
  request.query = view(head_.query);
  request.body = {data + head_end_, body_size_};
  request.x_amz_target = view(head_.x_amz_target);
  request.content_type = view(head_.content_type);
  request.authorization = view(head_.authorization);
  request.host = view(head_.host);
  request.origin = view(head_.origin);
  request.accept_encoding = view(head_.accept_encoding);
  request.x_amz_date = view(head_.x_amz_date);
  request.header_lines = view(head_.header_lines);
  request.head_number = head_number_;
}

std::size_t RequestParser::missing_bytes(std::size_t size) const noexcept {
  if (stage_ != Stage::sized_body) return 1;
  const std::size_t needed = head_end_ + body_size_;
  return needed > size ? needed - size : 0;
}

}  // namespace stator::net
