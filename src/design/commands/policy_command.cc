#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "design/commands/output.h"
#include "design/commands/tools.h"
#include "design/deploy/policy.h"

namespace stator::design {

void add_policy_command(CLI::App& design) {
  struct Options {
    std::string model;
    std::string principal;
    PolicyOptions policy;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command =
      design.add_subcommand("policy", "IAM policies that allow the patterns, each principal under its own keys");
  command->add_option("model", options->model, "Model file")->required();
  command->add_option("--principal", options->principal, "Only the policy of this principal of the model");
  command->add_option("--region", options->policy.region, "Region in the resource names")->capture_default_str();
  command->add_option("--account", options->policy.account, "Account in the resource names")->capture_default_str();
  command->callback([options] {
    const Model model = model_or_stop(options->model);
    nlohmann::ordered_json out;
    for (const Policy& policy : policies_of(model, options->policy)) {
      if (!options->principal.empty() && policy.principal != options->principal) continue;
      out[policy.principal] = policy.document;
      for (const std::string& pattern : policy.left_out) {
        std::fprintf(stderr, "%s may not use %s\n", policy.principal.c_str(), pattern.c_str());
      }
    }
    if (out.empty()) stop(fmt::format("the model has no principal {}", options->principal));
    // One policy is printed as it is attached; several by name.
    write_output("", (out.size() == 1 ? out.begin().value() : out).dump(2) + "\n");
  });
}

}  // namespace stator::design
