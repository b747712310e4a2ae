#pragma once

#include <string_view>

#include "design/yaml_reader.h"

namespace stator::design {

// One attribute of an entity: its type alone (`total: N`) or a map. Sizes that are not declared follow from type,
// format, values and example.
[[nodiscard]] Attribute load_attribute(LoadContext& context, const Entry& entry, std::string_view entity);

}  // namespace stator::design
