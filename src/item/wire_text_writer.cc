// append_value and its parts: the canonical wire text of values.
#include <algorithm>
#include <cstring>
#include <vector>

#include "item/base64.h"
#include "item/escape.h"
#include "item/stored_item.h"

namespace stator::item {
namespace {

// The short escape of a special character, or nothing where it has none.
char escape_letter(char c) noexcept {
  switch (c) {
    case '"':
    case '\\':
      return c;
    case '\n':
      return 'n';
    case '\t':
      return 't';
    case '\r':
      return 'r';
    case '\b':
      return 'b';
    case '\f':
      return 'f';
    default:
      return 0;
  }
}

// A string whose surroundings are known, with one check for room in the common case.
void append_quoted(base::Buffer& out, std::string_view before, std::string_view text,
                   std::string_view after) {
  if (needs_escape(text)) {
    out.append(before);
    append_escaped(out, text);
    return out.append(after);
  }
  const std::size_t size = before.size() + text.size() + after.size();
  char* at = out.prepare(size);
  std::memcpy(at, before.data(), before.size());
  at += before.size();
  if (!text.empty()) std::memcpy(at, text.data(), text.size());
  at += text.size();
  std::memcpy(at, after.data(), after.size());
  out.commit(size);
}

bool is_before(const Value& a, const Value& b) noexcept { return compare(a, b).value_or(0) < 0; }

void append_in_order(base::Buffer& out, const Value& set, std::span<const Value> members) {
  bool first = true;
  for (const Value& member : members) {
    const std::string_view before = first ? "\"" : ",\"";
    first = false;
    if (set.is(Type::binary_set)) {
      out.append(before);
      append_base64(out, member.text());
      out.push_back('"');
    } else {
      append_quoted(out, before, member.text(), "\"");
    }
  }
  out.append("]}");
}

// The members of a set have an order of their own, whatever order they came in: by bytes, numbers by value.
void append_members(base::Buffer& out, const Value& set) {
  const std::span<const Value> members = set.elements();
  if (std::is_sorted(members.begin(), members.end(), is_before)) return append_in_order(out, set, members);
  std::vector<Value> sorted(members.begin(), members.end());
  std::sort(sorted.begin(), sorted.end(), is_before);
  append_in_order(out, set, sorted);
}

}  // namespace

void append_escaped(base::Buffer& out, std::string_view utf8) {
  static constexpr std::string_view kHex = "0123456789abcdef";
  const char* at = utf8.data();
  const char* const end = at + utf8.size();
  while (true) {
    const char* const special = find_special(at, end);
    out.append({at, static_cast<std::size_t>(special - at)});
    if (special == end) return;
    if (const char letter = escape_letter(*special); letter != 0) {
      const char text[2] = {'\\', letter};
      out.append({text, sizeof text});
    } else {
      const auto code = static_cast<unsigned char>(*special);
      const char text[6] = {'\\', 'u', '0', '0', kHex[code >> 4], kHex[code & 15]};
      out.append({text, sizeof text});
    }
    at = special + 1;
  }
}

void append_value(base::Buffer& out, const Value& value) {
  switch (value.type()) {
    case Type::string:
      return append_quoted(out, R"({"S":")", value.text(), R"("})");
    case Type::number:
      return append_quoted(out, R"({"N":")", value.text(), R"("})");
    case Type::binary:
      out.append(R"({"B":")");
      append_base64(out, value.text());
      return out.append(R"("})");
    case Type::boolean:
      return out.append(value.as_bool() ? R"({"BOOL":true})" : R"({"BOOL":false})");
    case Type::null:
      return out.append(R"({"NULL":true})");
    case Type::map:
      out.append(R"({"M":)");
      append_attributes(out, value.attributes());
      return out.push_back('}');
    case Type::list: {
      out.append(R"({"L":[)");
      bool first = true;
      for (const Value& element : value.elements()) {
        if (!first) out.push_back(',');
        first = false;
        append_value(out, element);
      }
      return out.append("]}");
    }
    case Type::string_set:
      out.append(R"({"SS":[)");
      return append_members(out, value);
    case Type::number_set:
      out.append(R"({"NS":[)");
      return append_members(out, value);
    case Type::binary_set:
      out.append(R"({"BS":[)");
      return append_members(out, value);
  }
}

void append_attributes(base::Buffer& out, Attributes attributes) {
  out.push_back('{');
  bool first = true;
  for (const Attribute& attribute : attributes) {
    append_quoted(out, first ? "\"" : ",\"", attribute.name, "\":");
    first = false;
    append_value(out, attribute.value);
  }
  out.push_back('}');
}

}  // namespace stator::item
