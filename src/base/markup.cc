#include "base/markup.h"

namespace stator::base {

std::string escape_markup(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    switch (c) {
      case '\r':
        out += "&#13;";
        break;
      case '\xef':
        // U+FFFE and U+FFFF are no characters of XML.
        if (text.substr(i + 1).starts_with("\xbf\xbe") || text.substr(i + 1).starts_with("\xbf\xbf")) i += 2;
        else out.push_back(c);
        break;
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t') out.push_back(c);
    }
  }
  return out;
}

}  // namespace stator::base
