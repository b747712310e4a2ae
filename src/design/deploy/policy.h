#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "design/model.h"

// IAM policies that allow the patterns of a model and nothing else, each principal under its own keys.
namespace stator::design {

struct PolicyOptions {
  std::string partition = "aws";
  std::string region = "*";
  std::string account = "*";
};

struct Policy {
  std::string principal;  // "application" where the model declares none
  nlohmann::ordered_json document;
  std::vector<std::string> left_out;  // "A5: ..." patterns that the principal may not use, and why
};

// One policy for each principal of the model; without any, one that allows all patterns on all keys.
[[nodiscard]] std::vector<Policy> policies_of(const Model& model, const PolicyOptions& options);

// A partition key template as a pattern for dynamodb:LeadingKeys: the principal's field becomes the policy variable,
// every other field a star. Nothing where the template has no such field as a whole component, because then
// keys of others would match as well.
[[nodiscard]] std::string leading_key(const Template& key, const Principal& principal, char delimiter);

}  // namespace stator::design
