#pragma once

#include "api/json.h"
#include "base/buffer.h"

namespace stator::server {

// Appends what a request looks like, as JSON, without what it is about: expressions with their placeholders, names of tables,
// indexes and attributes, types instead of values. Lists are cut after a few elements. No value of an item, key or parameter
// is ever in it; what is not known to be harmless is shown as "?".
void append_shape(base::Buffer& out, api::Json body);

// A PartiQL statement with ? for each of its literals.
[[nodiscard]] std::string statement_shape(std::string_view statement);

}  // namespace stator::server
