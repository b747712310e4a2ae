#pragma once

#include <string>
#include <string_view>

namespace stator::api {

// Messages quote what was sent, which may be megabytes. None that helps anybody is as long as this.
inline constexpr std::size_t kMessageBytesMax = 48 * 1024;

// The text up to so many bytes, never within a character, and "..." where there was more.
[[nodiscard]] inline std::string cut(std::string_view text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) return std::string(text);
  while (bytes_max > 0 && (static_cast<unsigned char>(text[bytes_max]) & 0xc0) == 0x80) --bytes_max;
  return std::string(text.substr(0, bytes_max)).append("...");
}

}  // namespace stator::api
