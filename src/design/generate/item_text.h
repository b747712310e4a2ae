#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "design/model.h"

namespace stator::design {

// One attribute of a generated item, with its wire text and its size as the service counts it.
struct GeneratedAttribute {
  std::string name;
  AttributeType type = AttributeType::string;
  std::string text;       // of S, N and BOOL: the value; of others: nothing
  std::string json;       // {"S":"..."}
  std::size_t bytes = 0;  // of the value alone
};

struct GeneratedItem {
  const Entity* entity = nullptr;
  FieldValues fields;      // all that templates may use, stored or not
  std::uint64_t bits = 0;  // that its documents and random shards were made from
  int table_shard = -1;    // the random shard of its partition key, where the shard tells items apart
  std::vector<GeneratedAttribute> attributes;

  [[nodiscard]] const GeneratedAttribute* attribute(std::string_view name) const;
  [[nodiscard]] std::size_t bytes() const;
  [[nodiscard]] std::string json() const;                                       // of the whole item
  [[nodiscard]] std::string json(const std::vector<std::string>& names) const;  // of these attributes, as far as there
};

// A value of the type: S, N, B and BOOL from the text; lists, maps and sets are filled with texts of about `bytes` in
// all.
[[nodiscard]] GeneratedAttribute make_attribute(std::string name, AttributeType type, std::string text, double bytes,
                                                std::uint64_t bits);

[[nodiscard]] std::string json_text(std::string_view text);  // with quotes

}  // namespace stator::design
