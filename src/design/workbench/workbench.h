#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/result.h"
#include "design/model.h"
#include "design/workbench/infer.h"

// NoSQL Workbench's data model files.
namespace stator::design {

// The table with its indexes, one facet for each entity with its key templates as aliases, and generated sample items.
[[nodiscard]] Result<nlohmann::ordered_json> workbench_json(const Model& model);

// The tables of such a file: each with the items of its sample data and the facets. Facets whose aliases are templates
// keep them; the rest is inferred from the sample data. Errors: no Workbench file, no such table.
[[nodiscard]] Result<Model> read_workbench(const nlohmann::ordered_json& document, const std::string& table);

}  // namespace stator::design
