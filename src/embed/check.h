#pragma once

#include <string_view>

#include "api/violations.h"
#include "base/result.h"

namespace stator::embed {

// TableName: 3 to 255 characters of a-zA-Z0-9_.-
[[nodiscard]] inline Result<void> check_table_name(std::string_view name) {
  if (name.size() >= 3 && name.size() <= 255 && api::has_name_characters(name)) return {};
  api::Violations violations;
  violations.name("tableName", name);
  return violations.result();
}

}  // namespace stator::embed
