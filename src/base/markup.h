#pragma once

#include <string>
#include <string_view>

namespace stator::base {

// Text as content or attribute of XML, SVG or HTML. Control characters that XML 1.0 cannot carry are left out.
[[nodiscard]] std::string escape_markup(std::string_view text);

}  // namespace stator::base
