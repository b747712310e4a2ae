#include "service/patterns.h"

#include <algorithm>

namespace stator::service {
namespace {

bool is_control(unsigned char c) { return c < 0x20 || c == 0x7f; }

// U+0080 to U+009F, which are c2 80 to c2 9f.
bool has_high_control(std::string_view text) {
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] == '\xc2' && static_cast<unsigned char>(text[i + 1]) < 0xa0) return true;
  }
  return false;
}

bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return is_control(static_cast<unsigned char>(c)); }) ||
         has_high_control(text);
}

bool is_xml_text(std::string_view text) {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r') return false;
  }
  return text.find("\xef\xbf\xbe") == std::string_view::npos && text.find("\xef\xbf\xbf") == std::string_view::npos;
}

}  // namespace

bool matches(Pattern pattern, std::string_view text) {
  switch (pattern) {
    case Pattern::none:
      return true;
    case Pattern::xml_text:
      return is_xml_text(text);
    case Pattern::no_leading_colon:
      return is_xml_text(text) && !text.starts_with(':');
    case Pattern::no_control:
    case Pattern::printable:
      return is_xml_text(text) && !has_control(text);
    case Pattern::printable_ascii:
      return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c <= 0x7e; });
    case Pattern::action_name:
      return is_xml_text(text) && !has_control(text) && text.find_first_of(":/|") == std::string_view::npos &&
             !text.starts_with(' ') && !text.ends_with(' ');
  }
  return false;
}

std::string_view pattern_text(Pattern pattern) {
  switch (pattern) {
    case Pattern::none:
      break;
    case Pattern::xml_text:
      return R"([\u0020-\uD7FF\uE000-\uFFFD\uD800\uDC00-\uDBFF\uDFFF\r\n\t]*)";
    case Pattern::no_leading_colon:
      return "[^:].*";
    case Pattern::no_control:
      return R"([^\u0000-\u001f\u007f-\u009f]*)";
    case Pattern::printable:
      return R"(\p{Print}+)";
    case Pattern::printable_ascii:
      return R"([\x20-\x7E]+)";
    case Pattern::action_name:
      return R"((?!((^[ ]+.*)|(.*([\u0000-\u001f]|[\u007f-\u009f]|[:/|])+.*)|(.*[ ]+$))).+)";
  }
  return "";
}

}  // namespace stator::service
