#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "api/call.h"
#include "api/reader.h"
#include "api/violations.h"
#include "partiql/bind.h"

// One PartiQL statement of a request, with its parameters. ExecuteStatement has one, the others have a list of them.
namespace stator::api {

struct StatementInput {
  std::optional<std::string_view> statement;
  std::optional<ReadValues> parameters;
  std::optional<std::string_view> on_failure;  // ReturnValuesOnConditionCheckFailure
  bool consistent = false;

  [[nodiscard]] std::span<const item::Value> values() const {
    return parameters ? parameters->values : std::span<const item::Value>();
  }
};

// Reads the members and checks their constraints; `path` stands in front of their names: "", "statements.1.member.".
[[nodiscard]] StatementInput read_statement(const Reader& in, const std::string& path, Violations& violations);

// Parses and binds it. The order: syntax, parameter values, then what binding finds.
[[nodiscard]] Result<partiql::BoundStatement> bind_statement(const Call& call, const StatementInput& input);

}  // namespace stator::api
