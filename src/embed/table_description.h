#pragma once

#include <optional>
#include <string_view>

#include "engine/describe_table.h"
#include "stator/tables.h"

namespace stator::embed {

// What the engine knows of a table, with the state that it is in now.
[[nodiscard]] TableDescription to_description(const engine::TableReport& report,
                                              TableStatus status);

// Names of enums as the engine keeps them, which is as the service writes them.
[[nodiscard]] std::string_view view_type_name(StreamViewType type);
[[nodiscard]] std::string_view table_class_name(TableClass table_class);

}  // namespace stator::embed
