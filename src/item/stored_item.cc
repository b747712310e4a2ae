#include "item/stored_item.h"

#include <algorithm>
#include <cstring>

#include "item/escape.h"
#include "item/size.h"

namespace stator::item {
namespace {

constexpr char kFormat = 1;
constexpr std::size_t kVarintBytesMax = 5;
constexpr std::uint32_t kValueBytesMin = 8;  // {"S":""}
constexpr std::size_t kPunctuation =
    4;  // around an attribute: quotes, colon, and ',' or the last '}'

// In the text; in front of it two lengths of at most five bytes each.
constexpr std::size_t kAttributeBytesMin = kValueBytesMin + kPunctuation;
static_assert(kAttributeBytesMin >= 2 * kVarintBytesMax);

tl::unexpected<Error> corrupt_item() {
  return fail(ErrorCode::corruption, "a stored item is damaged");
}

char* write_varint(char* at, std::size_t value) noexcept {
  for (; value >= 0x80; value >>= 7) *at++ = static_cast<char>(value | 0x80);
  *at++ = static_cast<char>(value);
  return at;
}

void append_varint(base::Buffer& out, std::size_t value) {
  char* const at = out.prepare(kVarintBytesMax);
  out.commit(static_cast<std::size_t>(write_varint(at, value) - at));
}

char* write_bytes(char* at, std::string_view bytes) noexcept {
  if (!bytes.empty()) std::memcpy(at, bytes.data(), bytes.size());
  return at + bytes.size();
}

// Format byte, item size and count: what stands in front of the directory.
std::string_view write_head(char* to, std::size_t item_bytes, std::size_t count) noexcept {
  char* at = to;
  *at++ = kFormat;
  at = write_varint(at, item_bytes);
  at = write_varint(at, count);
  return {to, static_cast<std::size_t>(at - to)};
}
constexpr std::size_t kHeadBytesMax = 1 + 2 * kVarintBytesMax;

bool has_braces(std::string_view text) noexcept {
  return text.front() == '{' && text.back() == '}';
}

// The punctuation between the lengths that the directory tells.
bool has_punctuation(const StoredItem& item) {
  const std::string_view text = item.text();
  bool good = true;
  const char* const last = text.data() + text.size() - 1;
  item.for_each([&](std::string_view name, std::string_view value) {
    const char* const behind = value.data() + value.size();
    good = good && *(name.data() - 1) == '"' && *(value.data() - 2) == '"' &&
           *(value.data() - 1) == ':' && value.front() == '{' && value.back() == '}' &&
           (behind == last || *behind == ',');
  });
  return good;
}

// False where a value did not decode, which reads as NULL then, or a name, which is kept as it is.
bool decode_all(const StoredItem& item, std::span<Attribute> attributes, base::Arena& arena) {
  std::size_t i = 0;
  bool good = true;
  item.for_each([&](std::string_view name, std::string_view value_text) {
    const auto plain_name = try_unescape(name, arena);
    const auto value = decode_value(value_text, arena);
    good = good && plain_name.has_value() && value.has_value();
    new (&attributes[i++]) Attribute{plain_name.value_or(name), value.value_or(Value::null())};
  });
  return good;
}

}  // namespace

Result<StoredItem> StoredItem::open(std::string_view stored) {
  if (stored.empty() || stored.front() != kFormat) return corrupt_item();
  StoredItem item;
  item.stored_ = stored;
  // Pointers, which stay in registers: this is done for each row of a Query.
  const char* const end = stored.data() + stored.size();
  const char* at = detail::read_varint(stored.data() + 1, end, item.item_bytes_);
  if (at != nullptr) at = detail::read_varint(at, end, item.count_);
  // With this much room no length can reach beyond the end, whatever its bytes are: the bound of each is a constant.
  if (at == nullptr || static_cast<std::uint64_t>(end - at) < std::uint64_t{item.count_} * kAttributeBytesMin) {
    return corrupt_item();
  }
  const char* const directory = at;
  std::uint64_t text_bytes = item.count_ == 0 ? 2 : 1;
  for (std::uint32_t i = 0; i < item.count_; ++i) {
    std::uint32_t name_bytes = 0;
    std::uint32_t value_bytes = 0;
    at = detail::read_varint(at, at + kVarintBytesMax, name_bytes);
    if (at != nullptr) at = detail::read_varint(at, at + kVarintBytesMax, value_bytes);
    if (at == nullptr || value_bytes < kValueBytesMin) return corrupt_item();
    text_bytes += std::uint64_t{name_bytes} + value_bytes + kPunctuation;
  }
  if (static_cast<std::uint64_t>(end - at) != text_bytes) return corrupt_item();
  item.directory_ = {directory, static_cast<std::size_t>(at - directory)};
  item.text_ = {at, static_cast<std::size_t>(end - at)};
  if (!has_braces(item.text_)) return corrupt_item();
  return item;
}

std::optional<std::string_view> StoredItem::find_text(std::string_view name) const {
  if (needs_escape(name)) {
    static thread_local base::Buffer escaped;
    escaped.clear();
    append_escaped(escaped, name);
    name = escaped.view();
  }
  const char* directory = directory_.data();
  const char* const end = directory + directory_.size();
  const char* at = text_.data() + 1;
  for (std::uint32_t i = 0; i < count_; ++i) {
    std::uint32_t name_bytes = 0;
    std::uint32_t value_bytes = 0;
    directory = detail::read_varint(directory, end, name_bytes);
    directory = detail::read_varint(directory, end, value_bytes);
    if (name_bytes == name.size() && std::string_view(at + 1, name_bytes) == name) {
      return std::string_view(at + name_bytes + 3, value_bytes);
    }
    at += std::size_t{name_bytes} + value_bytes + kPunctuation;
  }
  return std::nullopt;
}

std::optional<Value> StoredItem::find(std::string_view name, base::Arena& arena) const {
  const auto value_text = find_text(name);
  if (!value_text) return std::nullopt;
  return decode_value(*value_text, arena);
}

Attributes StoredItem::decode(base::Arena& arena) const {
  const auto attributes = arena.array<Attribute>(count_);
  decode_all(*this, attributes, arena);
  return attributes;
}

Result<Attributes> StoredItem::decode_checked(base::Arena& arena) const {
  const auto attributes = arena.array<Attribute>(count_);
  if (!has_punctuation(*this) || !decode_all(*this, attributes, arena)) return corrupt_item();
  return attributes;
}

void StoredItemBuilder::reserve(std::size_t attributes) {
  if (attributes <= entries_.size()) return;
  const auto entries = arena_.array<Entry>(attributes);
  std::uninitialized_copy(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(count_),
                          entries.begin());
  entries_ = entries;
}

void StoredItemBuilder::add(std::string_view name, const Value& value) {
  static thread_local base::Buffer text;
  if (needs_escape(name)) {
    text.clear();
    append_escaped(text, name);
    name = arena_.copy(text.view());
  }
  text.clear();
  append_value(text, value);
  add_text(name, arena_.copy(text.view()));
}

void StoredItemBuilder::add_text(std::string_view escaped_name, std::string_view value_text) {
  if (count_ == entries_.size()) reserve(std::max<std::size_t>(8, 2 * count_));
  new (&entries_[count_++]) Entry{escaped_name, value_text};
}

std::string_view StoredItemBuilder::finish(std::size_t item_bytes) {
  static thread_local base::Buffer directory;
  directory.clear();
  std::size_t text_bytes = count_ == 0 ? 2 : 1;
  for (const Entry& entry : entries_.first(count_)) {
    append_varint(directory, entry.escaped_name.size());
    append_varint(directory, entry.value_text.size());
    text_bytes += entry.escaped_name.size() + entry.value_text.size() + kPunctuation;
  }
  char head_bytes[kHeadBytesMax];
  const std::string_view head = write_head(head_bytes, item_bytes, count_);
  const auto stored = arena_.array<char>(head.size() + directory.size() + text_bytes);
  char* at = write_bytes(stored.data(), head);
  at = write_bytes(at, directory.view());
  *at++ = '{';
  for (const Entry& entry : entries_.first(count_)) {
    *at++ = '"';
    at = write_bytes(at, entry.escaped_name);
    *at++ = '"';
    *at++ = ':';
    at = write_bytes(at, entry.value_text);
    *at++ = ',';
  }
  stored.back() = '}';  // in place of the last comma
  return {stored.data(), stored.size()};
}

std::string_view encode_item(Attributes attributes, base::Arena& arena) {
  static thread_local base::Buffer directory;
  static thread_local base::Buffer text;
  directory.clear();
  text.clear();
  for (const Attribute& attribute : attributes) {
    text.append(text.empty() ? "{\"" : ",\"");
    const std::size_t name_begin = text.size();
    append_escaped(text, attribute.name);
    append_varint(directory, text.size() - name_begin);
    text.append("\":");
    const std::size_t value_begin = text.size();
    append_value(text, attribute.value);
    append_varint(directory, text.size() - value_begin);
  }
  text.append(text.empty() ? "{}" : "}");
  char head_bytes[kHeadBytesMax];
  const std::string_view head = write_head(head_bytes, item_bytes(attributes), attributes.size());
  const auto stored = arena.array<char>(head.size() + directory.size() + text.size());
  char* at = write_bytes(stored.data(), head);
  at = write_bytes(at, directory.view());
  write_bytes(at, text.view());
  return {stored.data(), stored.size()};
}

}  // namespace stator::item
