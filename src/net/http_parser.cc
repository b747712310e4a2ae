#include "net/http_parser.h"

#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <cstring>
#include <limits>

#include "net/text.h"

namespace stator::net {

namespace http = boost::beast::http;

namespace {
// Bound of the framing of one chunk: its size, extensions and, for the last, the trailers.
constexpr std::size_t kChunkFrameBytesMax = 8 * 1024;
}  // namespace

// Beast's callbacks. One put() parses the whole head; for a chunked body the same object goes on.
class RequestParser::Beast final : public http::basic_parser<true> {
 public:
  Beast(RequestParser& owner, const char* data) : owner_(owner), data_(data) {
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
    owner_.method_ = piece(method);
    owner_.take_target(piece(target), data_);
    owner_.http11_ = version == 11;
    if (owner_.path_.size == 0) refused_with = 400;
  }

  void on_field_impl(http::field field, string_view name, string_view value,
                     error_code& error) override {
    if (is_header_done()) return;  // a trailer must not change what the headers said
    // A folded value may lie in a buffer of Beast's; RFC 9112 has a server refuse folding anyway.
    const char* gap = name.data() + name.size() + 1;
    if (value.data() < gap || value.data() > data_ + owner_.head_end_ ||
        std::memchr(gap, '\r', static_cast<std::size_t>(value.data() - gap)) != nullptr) {
      error = http::error::bad_value;
      return;
    }
    take_field(field, {name.data(), name.size()}, piece(value), {value.data(), value.size()});
  }

  void take_field(http::field field, std::string_view name, Piece at, std::string_view value) {
    switch (field) {
      case http::field::host:
        take_first(owner_.host_, at);
        ++host_count;
        break;
      case http::field::content_type:
        take_first(owner_.content_type_, at);
        break;
      case http::field::authorization:
        take_first(owner_.authorization_, at);
        break;
      case http::field::origin:
        take_first(owner_.origin_, at);
        break;
      case http::field::accept_encoding:
        take_first(owner_.accept_encoding_, at);
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
          take_first(owner_.x_amz_target_, at);
        } else if (name.size() == 10 && equals_ignoring_case(name, "x-amz-date")) {
          take_first(owner_.x_amz_date_, at);
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
};

RequestParser::RequestParser(const Limits& limits) noexcept : limits_(limits) {}
RequestParser::~RequestParser() = default;

void RequestParser::reset() noexcept {
  stage_ = Stage::head;
  keep_alive_ = http11_ = expects_continue_ = false;
  content_encoding_ = ContentEncoding::identity;
  error_status_ = 0;
  scanned_ = line_start_ = head_start_ = head_end_ = body_size_ = 0;
  method_ = path_ = query_ = x_amz_target_ = content_type_ = authorization_ = host_ = origin_ =
      accept_encoding_ = x_amz_date_ = header_lines_ = {};
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
  if (stage_ == Stage::head && find_head_end(data, size)) parse_head(data);
  if (stage_ == Stage::chunked_body) parse_chunks(data, size);
  if (stage_ == Stage::sized_body && size - head_end_ >= body_size_) stage_ = Stage::complete;
  return progress();
}

// The head is given to Beast only when it is there as a whole: its views then stay together, and
// the outcome does not depend on how the bytes were split.
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
    } else if (before_request) {
      header_lines_.offset = static_cast<std::uint32_t>(line_start_);
    }
  }
  if (scanned_ < window) scanned_ = window;
  if (size >= limits_.header_bytes_max) fail(431);
  return false;
}

void RequestParser::parse_head(const char* data) {
  Beast beast(*this, data);
  boost::beast::error_code error;
  beast.put(boost::asio::const_buffer(data + head_start_, head_end_ - head_start_), error);
  if (error || !beast.is_header_done()) {
    fail(error == http::error::body_limit ? 413 : error == http::error::bad_version ? 505 : 400);
    return;
  }
  if (const int status = check_head(beast); status != 0) {
    fail(status);
    return;
  }
  header_lines_.size = static_cast<std::uint32_t>(head_end_ - 2 - header_lines_.offset);
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
  if (content_encoding_ == ContentEncoding::unknown) return 415;
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
  path_ = {offset, static_cast<std::uint32_t>(path_size)};
  if (path_size < text.size()) {
    query_ = {static_cast<std::uint32_t>(offset + path_size + 1),
              static_cast<std::uint32_t>(text.size() - path_size - 1)};
  }
}

void RequestParser::fill(Request& request, const char* data) const noexcept {
  const auto view = [data](Piece piece) {
    return std::string_view(data + piece.offset, piece.size);
  };
  request.method = view(method_);
  request.path = view(path_);
  request.query = view(query_);
  request.body = {data + head_end_, body_size_};
  request.x_amz_target = view(x_amz_target_);
  request.content_type = view(content_type_);
  request.authorization = view(authorization_);
  request.host = view(host_);
  request.origin = view(origin_);
  request.accept_encoding = view(accept_encoding_);
  request.x_amz_date = view(x_amz_date_);
  request.header_lines = view(header_lines_);
}

std::size_t RequestParser::missing_bytes(std::size_t size) const noexcept {
  if (stage_ != Stage::sized_body) return 1;
  const std::size_t needed = head_end_ + body_size_;
  return needed > size ? needed - size : 0;
}

}  // namespace stator::net
