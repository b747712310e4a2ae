#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "design/model.h"

// A first model from items that exist: entities by type attribute or key prefix, key templates, sizes, counts, sparse
// conditions, parents. A guess to start from; the comments of the written file say so.
namespace stator::design {

struct InferInput {
  Table table;  // name, keys, capacity
  std::vector<Index> indexes;
  std::vector<nlohmann::ordered_json> items;  // in wire form
  std::map<std::string, std::map<std::string, std::string>>
      aliases;            // templates that are known, by entity and key attribute
  double item_count = 0;  // of the whole table; the items are a sample of it. 0: the items are all
};

[[nodiscard]] Model infer_model(const InferInput& input);

// The model as a file that load.h reads again.
[[nodiscard]] std::string model_text(const Model& model, const std::string& head_comment);

}  // namespace stator::design
