#include "net/response.h"

#include <charconv>
#include <cstring>

#include "base/check.h"

namespace stator::net {

namespace {

// Appends to room that has been made for the whole head at once.
class Writer {
 public:
  explicit Writer(char* at) : at_(at) {}
  void text(std::string_view text) {
    if (text.empty()) return;
    std::memcpy(at_, text.data(), text.size());
    at_ += text.size();
  }
  void number(std::uint64_t value) { at_ = std::to_chars(at_, at_ + 20, value).ptr; }
  [[nodiscard]] char* at() const { return at_; }

 private:
  char* at_;
};

void two_digits(char* to, int value) {
  to[0] = static_cast<char>('0' + value / 10 % 10);
  to[1] = static_cast<char>('0' + value % 10);
}

constexpr std::string_view kCors =
    "Access-Control-Allow-Origin: *\r\n"
    "Access-Control-Expose-Headers: "
    "x-amzn-requestid,x-amzn-errortype,x-amzn-errormessage,x-amz-crc32,Date\r\n";

}  // namespace

void DateLine::update(std::time_t now) noexcept {
  if (now == shown_) return;
  shown_ = now;
  std::tm parts{};
  gmtime_r(&now, &parts);
  // By hand, because strftime() would follow the locale of an embedding program.
  std::memcpy(line_, "Date: Sun, 00 Jan 0000 00:00:00 GMT\r\n", kSize + 1);
  std::memcpy(line_ + 6, &"SunMonTueWedThuFriSat"[parts.tm_wday * 3], 3);
  two_digits(line_ + 11, parts.tm_mday);
  std::memcpy(line_ + 14, &"JanFebMarAprMayJunJulAugSepOctNovDec"[parts.tm_mon * 3], 3);
  two_digits(line_ + 18, (parts.tm_year + 1900) / 100);
  two_digits(line_ + 20, parts.tm_year % 100);
  two_digits(line_ + 23, parts.tm_hour);
  two_digits(line_ + 26, parts.tm_min);
  two_digits(line_ + 29, parts.tm_sec);
}

std::string_view status_text(int status) noexcept {
  switch (status) {
    case 200:
      return "OK";
    case 204:
      return "No Content";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 413:
      return "Payload Too Large";
    case 417:
      return "Expectation Failed";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "";
  }
}

void append_head(base::Buffer& to, const ResponseHead& head) {
  DCHECK(head.status >= 100 && head.status <= 999);
  constexpr std::size_t kFixedBytesMax = 512;  // all but the parts of variable length
  char* const start = to.prepare(kFixedBytesMax + head.content_type.size() +
                                 head.request_id.size() + head.extra_headers.size());
  Writer out(start);
  if (head.status == 200) [[likely]] {
    out.text("HTTP/1.1 200 OK\r\nServer: Server\r\n");
  } else {
    out.text("HTTP/1.1 ");
    out.number(static_cast<std::uint64_t>(head.status));
    out.text(" ");
    out.text(status_text(head.status));
    out.text("\r\nServer: Server\r\n");
  }
  out.text(head.date_line);
  if (!head.content_type.empty()) {
    out.text("Content-Type: ");
    out.text(head.content_type);
    out.text("\r\n");
  }
  const bool known = head.body_end == BodyEnd::content_length;
  if (known) [[likely]] {
    out.text("Content-Length: ");
    out.number(head.body_size);
    out.text("\r\n");
  } else if (head.body_end == BodyEnd::chunked) {
    out.text("Transfer-Encoding: chunked\r\n");
  }
  out.text("x-amzn-RequestId: ");
  out.text(head.request_id);
  if (known) [[likely]] {
    out.text("\r\nx-amz-crc32: ");
    out.number(head.body_crc32);
  }
  out.text("\r\n");
  if (head.persistence == Persistence::close) out.text("Connection: close\r\n");
  if (head.persistence == Persistence::keep_alive_stated) out.text("Connection: keep-alive\r\n");
  if (!head.content_encoding.empty()) {
    out.text("Content-Encoding: ");
    out.text(head.content_encoding);
    out.text("\r\n");
  }
  if (head.cors) out.text(kCors);
  out.text(head.extra_headers);
  out.text("\r\n");
  to.commit(static_cast<std::size_t>(out.at() - start));
}

}  // namespace stator::net
