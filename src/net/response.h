#pragma once

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <string_view>

#include "base/buffer.h"

namespace stator::net {

// The Date header, formatted once a second. One thread.
class DateLine {
 public:
  void update(std::time_t now) noexcept;
  [[nodiscard]] std::string_view view() const noexcept { return {line_, kSize}; }

 private:
  static constexpr std::size_t kSize = 37;  // "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
  std::time_t shown_ = -1;
  char line_[kSize + 1] = {};
};

// How a client learns where the body ends.
enum class BodyEnd : std::uint8_t { content_length, chunked, connection };

enum class Persistence : std::uint8_t { keep_alive, keep_alive_stated, close };

struct ResponseHead {
  int status = 200;
  std::string_view content_type;  // none where empty
  std::string_view request_id;
  std::string_view date_line;      // of DateLine
  std::string_view extra_headers;  // ready lines
  std::size_t body_size = 0;
  std::uint32_t body_crc32 = 0;
  BodyEnd body_end = BodyEnd::content_length;  // otherwise size and checksum are not known
  Persistence persistence = Persistence::keep_alive;
  std::string_view content_encoding;  // none where empty
  bool cors = false;
};

// Appends the head of a response, the empty line included.
void append_head(base::Buffer& to, const ResponseHead& head);

[[nodiscard]] std::string_view status_text(int status) noexcept;

}  // namespace stator::net
