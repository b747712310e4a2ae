#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/reader.h"
#include "item/value.h"

// Values as the service prints them in its messages, which is how its implementation language
// prints them.
namespace stator::api {

// Where a text ends that may be of any length, because no message shows more of it. What is in a value is not longer than
// the request; what is around it is many times that.
inline constexpr std::size_t kJavaTextBytesMax = 20 * 1024;

// AttributeValue(s=a, n=null, b=null, ...)
void append_java_text(std::string& out, const item::Value& value);
// {pk=AttributeValue(...), sk=...}; "null" where there is nothing
void append_java_text(std::string& out, const std::optional<ReadAttributes>& attributes);

}  // namespace stator::api
