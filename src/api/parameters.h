#pragma once

#include <initializer_list>
#include <optional>
#include <string_view>

#include "api/call.h"
#include "api/reader.h"
#include "base/result.h"
#include "engine/request.h"

// Parameters that several operations share, and the rules of combining them.
namespace stator::api {

struct ExpressionInput {
  std::optional<std::span<const expr::Name>> names;
  std::optional<ReadAttributes> values;
  std::string_view invalid_value = {};  // the whole text about a value that is none; in the request's arena
};
[[nodiscard]] ExpressionInput read_expression_input(const Reader& in, Nesting nesting = Nesting::unlimited);

// One expression parameter: its name and whether it is there.
struct Given {
  std::string_view name;
  bool present;
};

// Legacy parameters may not be mixed with expressions, and placeholders need an expression to stand in.
// `with_values` lists the expressions that may use values, for the text of the error, which only the classic layer gives.
[[nodiscard]] Result<void> check_combination(std::initializer_list<Given> legacy,
                                             std::initializer_list<Given> expressions,
                                             const ExpressionInput& input,
                                             std::initializer_list<std::string_view> with_values,
                                             Layer layer = Layer::classic);

// The placeholders, with what is wrong about them: the engine reports that in its turn, with the expressions.
[[nodiscard]] engine::ExpressionParameters expression_parameters(const ExpressionInput& input);

// A wrong attribute value that was found while reading Item, Key or the like.
[[nodiscard]] Result<void> check_values(const std::optional<ReadAttributes>& attributes);

inline constexpr std::string_view kEmptyAttributeName = "Empty attribute name";

// The attributes of an item that is to be stored have names.
[[nodiscard]] Result<void> check_names(const std::optional<ReadAttributes>& item);

enum class ReturnCapacity : std::uint8_t { none, total, indexes };
[[nodiscard]] ReturnCapacity return_capacity(const std::optional<std::string_view>& value);

}  // namespace stator::api
