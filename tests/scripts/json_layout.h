#pragma once

#include <string>
#include <string_view>

namespace stator::scripts {

// JSON without white space between its tokens; text that is no JSON loses its white space likewise.
[[nodiscard]] std::string compact_json(std::string_view json);

// Compact JSON on one line where it fits, else with each member on a line of its own. Numbers and
// strings stay as they are spelled.
[[nodiscard]] std::string lay_out_json(std::string_view compact);

}  // namespace stator::scripts
