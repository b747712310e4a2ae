#pragma once

#include <string>

#include "design/size/json_item.h"

namespace stator::design {

// What one item weighs and what reading and writing it costs, attribute by attribute, as a table for people.
[[nodiscard]] std::string size_report(const std::string& name, const JsonItem& item);
// The same figures for programs.
[[nodiscard]] std::string size_json(const JsonItem& item);

}  // namespace stator::design
