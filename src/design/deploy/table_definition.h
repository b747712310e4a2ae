#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/result.h"
#include "client/client.h"
#include "design/model.h"

// The table of a model, in the forms that create it.
namespace stator::design {

// The request of CreateTable.
[[nodiscard]] nlohmann::ordered_json create_table_request(const Model& model);
// What an index keeps, as CreateTable and Workbench write it.
[[nodiscard]] nlohmann::ordered_json projection_definition(const Projection& kept);
// The request of UpdateTimeToLive; null where no entity expires.
[[nodiscard]] nlohmann::ordered_json time_to_live_request(const Model& model);

[[nodiscard]] std::string cloudformation_text(const Model& model);  // YAML
[[nodiscard]] std::string terraform_text(const Model& model);
[[nodiscard]] std::string cli_text(const Model& model);  // a shell script for the AWS CLI

// A name that CloudFormation (letters and digits) or Terraform (with underscores) takes as an identifier.
[[nodiscard]] std::string resource_identifier(const std::string& name, bool underscores);

// Creates the table through the API and waits until it can be used. What was done is the result: "created", or "exists"
// where a table with the same keys and indexes is there already. A different one is an error that names the difference.
[[nodiscard]] Result<std::string> create_table(client::Client& client, const Model& model);
// The first difference between the model's table and a description of a table, or nothing.
[[nodiscard]] std::string table_difference(const Model& model, const nlohmann::json& description);

}  // namespace stator::design
