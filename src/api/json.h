#pragma once

#include <simdjson.h>

namespace stator::api {

using Json = simdjson::dom::element;
using JsonType = simdjson::dom::element_type;

}  // namespace stator::api
