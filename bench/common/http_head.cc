#include "bench/common/http_head.h"

#include <charconv>

namespace stator::bench {
namespace {

constexpr std::string_view kEmptyLine = "\r\n\r\n";
constexpr std::string_view kContentLength = "content-length";

bool EqualsLowerCase(std::string_view text, std::string_view lower) {
  if (text.size() != lower.size()) {
    return false;
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c) != lower[i]) {
      return false;
    }
  }
  return true;
}

std::string_view Trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) {
    text.remove_prefix(1);
  }
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) {
    text.remove_suffix(1);
  }
  return text;
}

}  // namespace

std::optional<std::size_t> FindHeadEnd(std::string_view data) {
  const std::size_t at = data.find(kEmptyLine);
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  return at + kEmptyLine.size();
}

std::optional<std::uint64_t> ContentLength(std::string_view head) {
  std::size_t line = head.find("\r\n");
  while (line != std::string_view::npos) {
    const std::size_t begin = line + 2;
    const std::size_t end = head.find("\r\n", begin);
    const std::string_view text = head.substr(begin, end - begin);
    line = end;
    if (text.size() <= kContentLength.size() || text[kContentLength.size()] != ':' ||
        !EqualsLowerCase(text.substr(0, kContentLength.size()), kContentLength)) {
      continue;
    }
    const std::string_view value = Trim(text.substr(kContentLength.size() + 1));
    std::uint64_t length = 0;
    const char* stop = value.data() + value.size();
    const auto [parsed, error] = std::from_chars(value.data(), stop, length);
    if (error != std::errc() || parsed != stop) {
      return std::nullopt;
    }
    return length;
  }
  return std::nullopt;
}

int StatusCode(std::string_view head) {
  constexpr std::size_t kStatusAt = sizeof("HTTP/1.1 ") - 1;
  int status = 0;
  if (head.size() < kStatusAt + 3 || !head.starts_with("HTTP/1.")) {
    return 0;
  }
  std::from_chars(head.data() + kStatusAt, head.data() + kStatusAt + 3, status);
  return status;
}

}  // namespace stator::bench
