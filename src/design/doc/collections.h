#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "design/generate/item_text.h"
#include "design/model.h"

// Examples of item collections, for people to look at: generated items under one value of each partition key template.
namespace stator::design {

struct ExampleRow {
  std::string entity;
  std::string sort_key;
  std::vector<std::pair<std::string, std::string>> attributes;  // what the table or the index keeps, without the keys
};

struct ExampleCollection {
  std::string key_template;   // of the partition key
  std::string partition_key;  // the example's value
  std::vector<ExampleRow> rows;
  std::size_t left_out = 0;  // further rows of the same collection
};

struct ExampleView {
  const Index* index = nullptr;  // null: the table
  std::vector<ExampleCollection> collections;
};

// The table's view first, then one for each index. The same for the same model. Errors: data that cannot be generated.
[[nodiscard]] Result<std::vector<ExampleView>> example_views(const Model& model);

}  // namespace stator::design
