#include "base/log_text.h"

#include <fmt/format.h>

#include <iterator>

namespace stator::base {

std::string log_text(std::string_view text) {
  constexpr std::size_t kBytesMax = 1000;
  std::string out;
  for (const char c : text.substr(0, kBytesMax)) {
    if (c == '\\') out += "\\\\";
    else if (c == '\n') out += "\\n";
    else if (c == '\r') out += "\\r";
    else if (c == '\t') out += "\\t";
    else if (c >= 0x20 && c <= 0x7e) out.push_back(c);
    else fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(c));
  }
  if (text.size() > kBytesMax) fmt::format_to(std::back_inserter(out), "... ({} bytes)", text.size());
  return out;
}

std::string log_text(const Error& error) {
  const auto* more = dynamic_cast<const LogDetail*>(error.detail.get());
  return log_text(more != nullptr ? error.message + ": " + more->text : error.message);
}

}  // namespace stator::base
