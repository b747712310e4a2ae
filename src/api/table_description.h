#pragma once

#include "api/call.h"
#include "api/json_writer.h"
#include "engine/describe_table.h"

namespace stator::api {

// The TableDescription of an answer, everything the service shows of a table.
void write_table_description(JsonWriter& out, const Call& call, const engine::TableReport& report);
// An answer that has this description alone, in a member of this name.
void write_table_answer(Call& call, std::string_view member, const engine::TableReport& report);

// ACTIVE, CREATING and so on.
[[nodiscard]] std::string_view status_name(engine::TableStatus status);

// "KeySchema": [...]
void write_key_schema(JsonWriter& out, const engine::KeySchema& key);

}  // namespace stator::api
