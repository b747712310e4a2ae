#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/json.h"
#include "base/arena.h"
#include "base/result.h"
#include "expr/expression.h"
#include "item/value.h"

namespace stator::api {

// The fault of a JSON object where a scalar or a list belongs.
inline constexpr std::string_view kStructureUnexpected = "Start of structure or map found where not expected";

// Which of the service's two layers reads an operation: they word some faults differently, and read the exponents of numbers
// differently.
using expr::Layer;

// What reading a request body has found so far. The first value of a wrong JSON type wins and ends the request as a
// SerializationException; reading goes on meanwhile, with absent values, so that callers need not check each field.
class ReadState {
 public:
  explicit ReadState(base::Arena& arena, Layer layer = Layer::classic) : arena_(arena), layer_(layer) {}
  void fail(std::string message) {
    if (!error_) error_ = Error{ErrorCode::serialization, std::move(message)};
  }
  // Names of attributes have 65,535 bytes at most. A longer one is told of after everything of a wrong JSON type.
  // `names` says what they are in the member of the request: the keys of a map, its values, or members of a list.
  void check_name(std::string_view name, std::string_view member, std::string_view names) {
    if (name.size() > kNameBytesMax) [[unlikely]] note_long_name(member, names);
  }
  [[nodiscard]] Result<void> result() const {
    if (error_) return tl::unexpected(*error_);
    if (long_name_) return tl::unexpected(*long_name_);
    return {};
  }
  [[nodiscard]] base::Arena& arena() { return arena_; }
  [[nodiscard]] Layer layer() const { return layer_; }
  // Whether some value had too many levels.
  [[nodiscard]] bool too_deep() const { return too_deep_; }
  void note_too_deep() { too_deep_ = true; }

 private:
  static constexpr std::size_t kNameBytesMax = 65'535;
  void note_long_name(std::string_view member, std::string_view names);

  base::Arena& arena_;
  Layer layer_;
  bool too_deep_ = false;
  std::optional<Error> error_;
  std::optional<Error> long_name_;
};

// What is wrong with a value of a right JSON type. The service finds such values in different places, so that inside
// ExclusiveStartKey or ExpressionAttributeValues not all of them are reported in the same way.
enum class InvalidKind : std::uint8_t {
  shape,    // no type, several types, an empty set, too many levels
  content,  // what is found when the value is built: numbers, sets of numbers, members that are there twice
  null,     // {"NULL": false}
};

// Attributes of a request, and the first thing in them that has a right JSON type but no right value. Such errors belong to
// a later stage of validation than the reading, so they wait here.
struct ReadAttributes {
  item::Attributes attributes;
  std::optional<std::string> invalid;  // message
  std::string_view invalid_name;       // the attribute that it is about
  InvalidKind invalid_kind = InvalidKind::shape;
};

// The same of attribute values without names.
struct ReadValues {
  std::span<const item::Value> values;
  std::optional<std::string> invalid;
};

// Whether the levels of maps and lists are counted. Those of values in the expressions of a transaction are not while they are read:
// an action may have values that nobody looks at.
enum class Nesting : std::uint8_t { limited, unlimited };

// Reads the members of one JSON object of a request, by name. Null is absent; members nobody asks for are ignored.
class Reader {
 public:
  Reader(Json object, ReadState& state);

  [[nodiscard]] bool has(std::string_view name) const { return find(name).has_value(); }
  [[nodiscard]] std::optional<std::string_view> string(std::string_view name) const;
  [[nodiscard]] std::optional<std::int64_t> integer(std::string_view name) const;  // Integer
  [[nodiscard]] std::optional<std::int64_t> long_integer(std::string_view name) const;  // Long
  [[nodiscard]] std::optional<bool> boolean(std::string_view name) const;
  [[nodiscard]] std::optional<ReadAttributes> attributes(std::string_view name,
                                                         Nesting nesting = Nesting::limited) const;
  // One attribute value, and a list of them.
  [[nodiscard]] std::optional<ReadValues> value(std::string_view name) const;
  [[nodiscard]] std::optional<ReadValues> values(std::string_view name) const;
  [[nodiscard]] std::optional<std::span<const expr::Name>> names(std::string_view name) const;
  [[nodiscard]] std::optional<std::vector<std::string_view>> strings(std::string_view name) const;
  // AttributesToGet.
  [[nodiscard]] std::optional<std::vector<std::string_view>> attributes_to_get() const;
  // A nested structure; `type` is its name in the service's model, which some errors print.
  [[nodiscard]] std::optional<Reader> object(std::string_view name, std::string_view type) const;
  // Structures in a list.
  [[nodiscard]] std::optional<std::vector<Reader>> objects(std::string_view name, std::string_view type) const;
  // A map whose entries the caller reads itself.
  [[nodiscard]] std::optional<simdjson::dom::object> map(std::string_view name, std::string_view element) const;

  [[nodiscard]] ReadState& state() const { return *state_; }

 private:
  struct Member {
    std::string_view name;
    Json value;
  };
  [[nodiscard]] std::optional<Json> find(std::string_view name) const;
  [[nodiscard]] std::optional<std::int64_t> number(std::string_view name, std::string_view type) const;

  std::span<const Member> members_;
  ReadState* state_;
};

// Pieces that operations with unusual shapes use directly. `member` is what holds the attributes.
[[nodiscard]] ReadAttributes read_attributes(simdjson::dom::object object, ReadState& state,
                                             Nesting nesting = Nesting::limited, std::string_view member = "key");
[[nodiscard]] std::optional<Reader> read_structure(Json value, std::string_view type, bool is_member,
                                                   ReadState& state);
[[nodiscard]] std::optional<std::string_view> read_string(Json value, ReadState& state);
[[nodiscard]] std::optional<bool> read_boolean(Json value, ReadState& state);

}  // namespace stator::api
