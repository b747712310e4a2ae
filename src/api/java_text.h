#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/reader.h"
#include "item/value.h"

// Values as the service prints them in its messages, which is how its implementation language
// prints them.
namespace stator::api {

// AttributeValue(s=a, n=null, b=null, ...)
void append_java_text(std::string& out, const item::Value& value);
// {pk=AttributeValue(...), sk=...}; "null" where there is nothing
void append_java_text(std::string& out, const std::optional<ReadAttributes>& attributes);

}  // namespace stator::api
