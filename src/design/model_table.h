#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "design/position.h"

// The table of a model and its indexes. Part of model.h, which says what holds for all of these values.
namespace stator::design {

// A rule of `check` that somebody decided to live with here, and why. It stays visible in the output.
struct Allowance {
  std::string rule;
  std::string reason;
  Position position;
};

enum class CapacityMode : std::uint8_t { on_demand, provisioned };

struct AutoScaling {
  double minimum = 1;
  double maximum = 0;
  double target_utilization = 0.7;  // 0 .. 1
};

struct Capacity {
  CapacityMode mode = CapacityMode::on_demand;
  double read_units = 0;  // provisioned, per second
  double write_units = 0;
  std::optional<AutoScaling> read_scaling;
  std::optional<AutoScaling> write_scaling;
  Position position;
};

enum class AttributeType : std::uint8_t {
  string,          // S
  number,          // N
  binary,          // B
  boolean,         // BOOL
  null,            // NULL
  string_set,      // SS
  number_set,      // NS
  binary_set,      // BS
  list,            // L
  map,             // M
};

struct KeyAttribute {
  std::string name;
  AttributeType type = AttributeType::string;  // string, number or binary
  Position position;
};

struct Table {
  std::string name;
  KeyAttribute partition_key;
  std::optional<KeyAttribute> sort_key;
  Capacity capacity;
  std::string type_attribute;  // holds the entity's name on every item; empty: none
  std::string stream_view;     // NEW_IMAGE, OLD_IMAGE, NEW_AND_OLD_IMAGES, KEYS_ONLY; empty: no stream
  Position position;
};

enum class IndexKind : std::uint8_t { global, local };
enum class ProjectionKind : std::uint8_t { all, keys_only, include };

struct Projection {
  ProjectionKind kind = ProjectionKind::all;
  std::vector<std::string> attributes;  // of include
  Position position;
};

struct Index {
  std::string name;
  IndexKind kind = IndexKind::global;
  KeyAttribute partition_key;  // of a local index: the table's
  std::optional<KeyAttribute> sort_key;
  Projection projection;
  std::optional<Capacity> capacity;  // nothing: as the table
  std::vector<Allowance> allow;
  Position position;
};

// The word of the model file: "S", "SS", ...
[[nodiscard]] std::string_view attribute_type_text(AttributeType type) noexcept;

}  // namespace stator::design
