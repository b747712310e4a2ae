// The input three times over: as stored bytes, as the wire text of a value, and as a recipe for an
// item.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "item/number.h"
#include "item/size.h"
#include "item/stored_item.h"

namespace stator::item {
namespace {

// Bytes of any origin may be refused, but never read out of bounds; what decodes must encode to the
// same text.
void check_stored(std::string_view bytes) {
  base::Arena arena;
  const auto item = StoredItem::open(bytes);
  if (!item) return;
  std::size_t count = 0;
  StoredItemBuilder builder(arena);
  item->for_each([&](std::string_view name, std::string_view value_text) {
    ++count;
    builder.add_text(name, value_text);
    (void)item->find(unescape(name, arena), arena);
  });
  CHECK(count == item->attribute_count());
  CHECK(item->decode(arena).size() == count);
  (void)item->find_text("pk");
  const auto rebuilt = StoredItem::open(builder.finish(item->item_bytes()));
  CHECK(rebuilt.has_value());

  const auto attributes = item->decode_checked(arena);
  if (!attributes) return;  // open() does not look at what stands between the lengths
  CHECK(rebuilt->text() == item->text());
  // Sets may stand in any order, and are written in their own: only what we wrote comes back as it was.
  const auto written = StoredItem::open(encode_item(*attributes, arena));
  CHECK(written.has_value());
  const auto read = written->decode_checked(arena);
  CHECK(read.has_value());
  const auto again = StoredItem::open(encode_item(*read, arena));
  CHECK(again.has_value() && again->text() == written->text());
}

void check_text(std::string_view text) {
  base::Arena arena;
  const auto value = decode_value(text, arena);
  if (!value) return;
  base::Buffer out;
  append_value(out, *value);
  const auto read = decode_value(out.view(), arena);
  CHECK(read.has_value() && equal(*read, *value));
  base::Buffer again;
  append_value(again, *read);
  CHECK(again.view() == out.view());
}

// Builds values out of bytes: each byte chooses what comes next.
class Recipe {
 public:
  Recipe(std::string_view bytes, base::Arena& arena) : bytes_(bytes), arena_(arena) {}

  [[nodiscard]] bool done() const { return bytes_.empty(); }

  Attributes attributes(std::size_t count, int depth) {
    const auto made = arena_.array<Attribute>(count);
    for (std::size_t i = 0; i < count; ++i) {
      // A number in front keeps names distinct.
      base::Buffer name;
      name.append(std::to_string(i));
      name.push_back(':');
      name.append(text());
      made[i] = Attribute{arena_.copy(name.view()), value(depth)};
    }
    return made;
  }

 private:
  std::size_t next(std::size_t bound) {
    if (bytes_.empty()) return 0;
    const auto byte = static_cast<unsigned char>(bytes_.front());
    bytes_.remove_prefix(1);
    return byte % bound;
  }
  std::string_view text() {
    const std::string_view taken = bytes_.substr(0, next(40));
    bytes_.remove_prefix(std::min(taken.size(), bytes_.size()));
    return taken;
  }
  std::string_view number() {
    const auto number = canonical_number(text().substr(0, 20), arena_);
    return number ? *number : "0";
  }
  Value scalar(std::size_t kind) {
    if (kind == 0) return Value::string(text());
    if (kind == 1) return Value::number(number());
    return Value::binary(text());
  }
  Value value(int depth) {
    const std::size_t kind = next(depth < 30 ? 10 : 5);
    if (kind < 3) return scalar(kind);
    if (kind == 3) return Value::boolean(next(2) == 1);
    if (kind == 4) return Value::null();
    if (kind == 5) return Value::map(attributes(next(12), depth + 1));
    const auto elements = arena_.array<Value>(kind == 6 ? next(12) : 1 + next(12));
    for (Value& element : elements) element = kind == 6 ? value(depth + 1) : scalar(kind - 7);
    return kind == 6 ? Value::list(elements) : Value::set(static_cast<Type>(kind), elements);
  }

  std::string_view bytes_;
  base::Arena& arena_;
};

void check_recipe(std::string_view bytes) {
  base::Arena arena;
  Recipe recipe(bytes, arena);
  const Attributes attributes = recipe.attributes(bytes.size() % 16, 0);
  const auto item = StoredItem::open(encode_item(attributes, arena));
  CHECK(item.has_value() && item->item_bytes() == item_bytes(attributes));
  const auto decoded = item->decode_checked(arena);
  CHECK(decoded.has_value() && equal(Value::map(*decoded), Value::map(attributes)));
  for (const Attribute& attribute : attributes) {
    const auto found = item->find(attribute.name, arena);
    CHECK(found.has_value() && equal(*found, attribute.value));
  }
}

}  // namespace
}  // namespace stator::item

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  stator::item::check_stored(input);
  stator::item::check_text(input);
  stator::item::check_recipe(input);
  return 0;
}
