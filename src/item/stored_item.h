#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/result.h"
#include "item/value.h"

namespace stator::item {

// The stored form of an item. Its heart is the item's canonical wire text, so that GetItem and Query answer by
// copying; in front stands a directory from which one attribute is found without reading the others.
//
//   stored    := format:u8 (=1) item_bytes:varint count:varint entry*count text
//   entry     := name_bytes:varint value_bytes:varint         lengths inside `text`, in its order
//   text      := '{' '"' name '":' value (',' '"' name '":' value)* '}'
//   value     := {"S":"..."} {"N":"1"} {"B":"base64"} {"BOOL":true} {"NULL":true} {"M":{..}} {"L":[..]} {"SS":[..]} ...
//
// `name` and strings are JSON-escaped (only '"', '\\' and control characters are), no white space anywhere,
// numbers canonical. docs/formats/items.md tells more.
class StoredItem {
 public:
  // Bytes of another origin than our store get an `Error` (corruption) from here on, never undefined behaviour.
  [[nodiscard]] static Result<StoredItem> open(std::string_view stored);

  [[nodiscard]] std::size_t item_bytes() const noexcept { return item_bytes_; }
  [[nodiscard]] std::size_t attribute_count() const noexcept { return count_; }
  // The whole item as it goes on the wire: {"pk":{"S":"a"},...}
  [[nodiscard]] std::string_view text() const noexcept { return text_; }
  [[nodiscard]] std::string_view bytes() const noexcept { return stored_; }

  // The wire text of one attribute's value; nothing where the item has no such attribute.
  [[nodiscard]] std::optional<std::string_view> find_text(std::string_view name) const;
  // The same, decoded into the arena (scalars without escapes are views into this item's bytes).
  [[nodiscard]] std::optional<Value> find(std::string_view name, base::Arena& arena) const;
  // All attributes, decoded.
  [[nodiscard]] Attributes decode(base::Arena& arena) const;
  // The same where the item will be written back or its bytes come from outside: open() checks that the lengths
  // fit, not what stands between them, and decode() reads a value that is damaged as NULL.
  [[nodiscard]] Result<Attributes> decode_checked(base::Arena& arena) const;

  // Calls visit(escaped_name, value_text) for each attribute in order.
  template <class Visit>
  void for_each(Visit&& visit) const;

 private:
  friend class StoredItemBuilder;
  std::string_view stored_;
  std::string_view directory_;
  std::string_view text_;
  std::uint32_t item_bytes_ = 0;
  std::uint32_t count_ = 0;
};

// Canonical wire text of a value, and back. `decode_value` reads what `append_value` wrote.
void append_value(base::Buffer& out, const Value& value);
void append_escaped(base::Buffer& out, std::string_view utf8);  // without the quotes
void append_attributes(base::Buffer& out, Attributes attributes);  // {"a":{...},...}
[[nodiscard]] std::optional<Value> decode_value(std::string_view text, base::Arena& arena);
// The plain form of an escaped name; a text that append_escaped() did not write comes back as it is.
[[nodiscard]] std::string_view unescape(std::string_view escaped, base::Arena& arena);

// Writes the stored form of an item, from values, from slices of another stored item, or both.
class StoredItemBuilder {
 public:
  // All memory comes from the arena; what finish() returns lives there. Names and slices are kept as views
  // until finish().
  explicit StoredItemBuilder(base::Arena& arena) : arena_(arena) {}
  void reserve(std::size_t attributes);
  void add(std::string_view name, const Value& value);
  // Attribute of another stored item, copied as it is.
  void add_text(std::string_view escaped_name, std::string_view value_text);
  [[nodiscard]] std::string_view finish(std::size_t item_bytes);

 private:
  struct Entry {
    std::string_view escaped_name;
    std::string_view value_text;
  };
  base::Arena& arena_;
  std::span<Entry> entries_;
  std::size_t count_ = 0;
};

[[nodiscard]] std::string_view encode_item(Attributes attributes, base::Arena& arena);

namespace detail {
// Reads a varint and returns what is behind it; null when it is cut short or too long.
inline const char* read_varint(const char* at, const char* end, std::uint32_t& value) noexcept {
  std::uint32_t read = 0;
  for (int shift = 0; shift < 32 && at != end; shift += 7) {
    const auto byte = static_cast<unsigned char>(*at++);
    read |= static_cast<std::uint32_t>(byte & 0x7f) << shift;
    if (byte < 0x80) {
      value = read;
      return at;
    }
  }
  return nullptr;
}
// The same at the front of `bytes`.
inline bool read_varint(std::string_view& bytes, std::uint32_t& value) noexcept {
  const char* const end = bytes.data() + bytes.size();
  const char* const behind = read_varint(bytes.data(), end, value);
  if (behind == nullptr) return false;
  bytes = {behind, static_cast<std::size_t>(end - behind)};
  return true;
}
}  // namespace detail

template <class Visit>
void StoredItem::for_each(Visit&& visit) const {
  const char* directory = directory_.data();
  const char* const end = directory + directory_.size();
  const char* at = text_.data() + 1;  // behind '{'
  for (std::uint32_t i = 0; i < count_; ++i) {
    std::uint32_t name_bytes = 0;
    std::uint32_t value_bytes = 0;
    directory = detail::read_varint(directory, end, name_bytes);
    directory = detail::read_varint(directory, end, value_bytes);
    const std::string_view name(at + 1, name_bytes);
    const std::string_view value(at + name_bytes + 3, value_bytes);
    visit(name, value);
    at += name_bytes + 3 + value_bytes + 1;  // quotes, colon, value, comma
  }
}

}  // namespace stator::item
