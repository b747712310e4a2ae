#pragma once

#include <string>
#include <string_view>

namespace stator::base {

// Text as content or attribute of XML, SVG or HTML. Characters that XML 1.0 cannot carry are left out; a carriage
// return is written as a reference, since parsers make a line feed of it.
[[nodiscard]] std::string escape_markup(std::string_view text);

}  // namespace stator::base
