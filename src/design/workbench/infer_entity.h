#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "design/model.h"
#include "design/workbench/key_parts.h"

namespace stator::design {

// Items of one kind, as they go on the wire.
using ItemGroup = std::vector<const nlohmann::ordered_json*>;

// The text of a scalar attribute; nothing for documents and sets.
[[nodiscard]] std::optional<std::string> text_of(const nlohmann::ordered_json& item,
                                                 const std::string& name);

// Gives an entity the attributes, key templates and sparse conditions that its items show, in a
// model whose table, indexes, delimiter and type attribute are known. Returns the values of the
// fields that every item has.
std::map<std::string, Column> infer_entity(const Model& model, const ItemGroup& group,
                                           Entity& entity);

}  // namespace stator::design
