#include "net/exchange.h"

#include "net/text.h"

namespace stator::net {

std::string_view Request::header(std::string_view lowercase_name) const noexcept {
  std::string_view rest = header_lines;
  while (!rest.empty()) {
    const std::size_t end = rest.find("\r\n");
    const std::string_view line = rest.substr(0, end);
    if (line.size() > lowercase_name.size() && line[lowercase_name.size()] == ':' &&
        equals_ignoring_case(line.substr(0, lowercase_name.size()), lowercase_name)) {
      return trim(line.substr(lowercase_name.size() + 1));
    }
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 2);
  }
  return {};
}

void Exchange::add_header(std::string_view name, std::string_view value) {
  const auto append = [this](std::string_view text) {
    for (const char c : text) {
      if (static_cast<unsigned char>(c) >= ' ' && c != 127) extra_headers_.push_back(c);
    }
  };
  append(name);
  extra_headers_.append(": ");
  append(value);
  extra_headers_.append("\r\n");
}

}  // namespace stator::net
