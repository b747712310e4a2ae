#pragma once

#include <string_view>

namespace stator::design {

// Files of share/ that are built into the program.
extern const std::string_view kModelSchema;   // share/model.schema.json
extern const std::string_view kStarterModel;  // share/starter.yaml

}  // namespace stator::design
