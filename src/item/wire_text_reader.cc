// decode_value and unescape: a strict reader of what wire_text_writer.cc writes, and of nothing
// else.
#include <cstring>
#include <vector>

#include "item/base64.h"
#include "item/escape.h"
#include "item/number.h"
#include "item/stored_item.h"

namespace stator::item {
namespace {

// Requests may nest 32 levels; the rest is room for us. It bounds the reader's recursion.
constexpr int kDepthMax = 40;

// Reads "\u00xy" as the writer spells it: lower case, only for characters that have no short
// escape.
int long_escape(const char* at, const char* end) noexcept {
  if (end - at < 6 || std::memcmp(at, "\\u00", 4) != 0) return -1;
  if (at[4] != '0' && at[4] != '1') return -1;
  const char low = at[5];
  int code = (at[4] - '0') * 16;
  if (low >= '0' && low <= '9') {
    code += low - '0';
  } else if (low >= 'a' && low <= 'f') {
    code += low - 'a' + 10;
  } else {
    return -1;
  }
  const bool has_short =
      code == '\n' || code == '\t' || code == '\r' || code == '\b' || code == '\f';
  return has_short ? -1 : code;
}

int escaped_character(char letter) noexcept {
  switch (letter) {
    case '"':
    case '\\':
      return letter;
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'r':
      return '\r';
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    default:
      return -1;
  }
}

// Undoes the escapes of a whole string; false for any that the writer does not write.
bool unescape_into(std::string_view escaped, std::string_view& out, base::Arena& arena) {
  const auto plain = arena.array<char>(escaped.size());
  char* to = plain.data();
  const char* at = escaped.data();
  const char* const end = at + escaped.size();
  while (true) {
    const char* const special = find_special(at, end);
    std::memcpy(to, at, static_cast<std::size_t>(special - at));
    to += special - at;
    if (special == end) break;
    if (*special != '\\' || end - special < 2) return false;
    int code = escaped_character(special[1]);
    at = special + 2;
    if (code < 0) {
      code = long_escape(special, end);
      at = special + 6;
    }
    if (code < 0) return false;
    *to++ = static_cast<char>(code);
  }
  out = {plain.data(), static_cast<std::size_t>(to - plain.data())};
  return true;
}

// Elements gather here until their container ends and its size is known. Kept per thread so that
// decoding allocates from the arena alone; nothing suspends while a reader is at work.
struct Scratch {
  std::vector<Value> values;
  std::vector<Attribute> attributes;
};
thread_local Scratch scratch;

class Reader {
 public:
  Reader(std::string_view text, base::Arena& arena)
      : at_(text.data()), end_(text.data() + text.size()), arena_(arena) {
    scratch.values.clear();
    scratch.attributes.clear();
  }

  [[nodiscard]] bool at_end() const noexcept { return at_ == end_; }

  bool read_value(Value& out, int depth) {
    if (end_ - at_ < 8 || at_[0] != '{' || at_[1] != '"') return false;  // 8: {"S":""}
    if (at_[3] == '"' && at_[4] == ':') {
      const char tag = at_[2];
      at_ += 5;
      return read_scalar_or_container(tag, out, depth) && skip("}");
    }
    if (at_[3] == 'S' && at_[4] == '"' && at_[5] == ':') {
      const char tag = at_[2];
      at_ += 6;
      return read_set(tag, out) && skip("}");
    }
    if (skip(R"({"BOOL":true})")) {
      out = Value::boolean(true);
    } else if (skip(R"({"BOOL":false})")) {
      out = Value::boolean(false);
    } else if (skip(R"({"NULL":true})")) {
      out = Value::null();
    } else {
      return false;
    }
    return true;
  }

 private:
  bool skip(std::string_view expected) noexcept {
    if (static_cast<std::size_t>(end_ - at_) < expected.size()) return false;
    if (std::memcmp(at_, expected.data(), expected.size()) != 0) return false;
    at_ += expected.size();
    return true;
  }

  bool read_scalar_or_container(char tag, Value& out, int depth) {
    switch (tag) {
      case 'S':
      case 'N':
      case 'B':
        return read_scalar(tag, out);
      case 'M':
        return read_map(out, depth + 1);
      case 'L':
        return read_list(out, depth + 1);
      default:
        return false;
    }
  }

  // A quoted string, number or binary.
  bool read_scalar(char tag, Value& out) {
    std::string_view text;
    if (!read_string(text)) return false;
    if (tag == 'S') {
      out = Value::string(text);
      return true;
    }
    if (tag == 'N') {
      out = Value::number(text);
      return is_canonical_number(text);
    }
    if (tag != 'B') return false;
    const auto bytes = base64_decode(text, arena_);
    if (!bytes) return false;
    out = Value::binary(*bytes);
    return true;
  }

  bool read_string(std::string_view& out) {
    if (!skip("\"")) return false;
    const char* const begin = at_;
    at_ = find_special(at_, end_);
    if (at_ == end_) return false;
    if (*at_ == '"') {
      out = {begin, static_cast<std::size_t>(at_++ - begin)};
      return true;
    }
    while (at_ != end_ && *at_ != '"') {
      // The character behind a backslash is no end; whether it is an escape is seen below.
      if (*at_ != '\\' || end_ - at_ < 2) return false;
      at_ = find_special(at_ + 2, end_);
    }
    if (at_ == end_) return false;
    return unescape_into({begin, static_cast<std::size_t>(at_++ - begin)}, out, arena_);
  }

  bool read_map(Value& out, int depth) {
    if (depth > kDepthMax || !skip("{")) return false;
    const std::size_t base = scratch.attributes.size();
    if (!skip("}")) {
      do {
        Attribute attribute;
        if (!read_string(attribute.name) || !skip(":")) return false;
        if (!read_value(attribute.value, depth)) return false;
        scratch.attributes.push_back(attribute);
      } while (skip(","));
      if (!skip("}")) return false;
    }
    out = Value::map(take(scratch.attributes, base));
    return true;
  }

  bool read_list(Value& out, int depth) {
    if (depth > kDepthMax || !skip("[")) return false;
    const std::size_t base = scratch.values.size();
    if (!skip("]")) {
      do {
        Value element;
        if (!read_value(element, depth)) return false;
        scratch.values.push_back(element);
      } while (skip(","));
      if (!skip("]")) return false;
    }
    out = Value::list(take(scratch.values, base));
    return true;
  }

  bool read_set(char tag, Value& out) {
    const Type type = tag == 'S'   ? Type::string_set
                      : tag == 'N' ? Type::number_set
                                   : Type::binary_set;
    if (!skip("[")) return false;
    const std::size_t base = scratch.values.size();
    do {
      Value member;
      if (!read_scalar(tag, member)) return false;
      scratch.values.push_back(member);
    } while (skip(","));
    if (!skip("]")) return false;
    out = Value::set(type, take(scratch.values, base));
    return true;
  }

  // Moves what was gathered since `base` into the arena.
  template <class T>
  std::span<const T> take(std::vector<T>& gathered, std::size_t base) {
    const std::span<const T> kept =
        arena_.copy(std::span<const T>(gathered.data() + base, gathered.size() - base));
    gathered.resize(base);
    return kept;
  }

  const char* at_;
  const char* end_;
  base::Arena& arena_;
};

}  // namespace

std::optional<Value> decode_value(std::string_view text, base::Arena& arena) {
  Reader reader(text, arena);
  Value value;
  if (!reader.read_value(value, 0) || !reader.at_end()) return std::nullopt;
  return value;
}

std::optional<std::string_view> try_unescape(std::string_view escaped, base::Arena& arena) {
  if (!needs_escape(escaped)) return escaped;
  std::string_view plain;
  if (!unescape_into(escaped, plain, arena)) return std::nullopt;
  return plain;
}

std::string_view unescape(std::string_view escaped, base::Arena& arena) {
  return try_unescape(escaped, arena).value_or(escaped);
}

}  // namespace stator::item
