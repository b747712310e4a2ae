#include <fmt/format.h>

#include "design/yaml_reader.h"

namespace stator::design {

std::vector<KeyCondition> load_key_conditions(LoadContext& context, const YAML::Node& node, std::string_view what) {
  std::vector<KeyCondition> conditions;
  for (const Entry& entry : read_entries(context, node, what)) {
    KeyCondition condition;
    condition.attribute = entry.key;
    condition.position = entry.position;
    const std::string where = fmt::format("{} in {}", entry.key, what);
    YAML::Node value = entry.value;
    if (value.IsMap()) {
      const std::vector<Entry> operators = read_entries(context, value, where);
      if (operators.size() != 1) {
        context.problem(entry.position, where + ": expected one operator, such as begins_with");
        continue;
      }
      YAML::Node name(operators.front().key);
      const std::size_t before = context.problems.size();
      condition.op = read_choice<KeyOperator>(context, name, where,
                                              {{"equal", KeyOperator::equal},
                                               {"begins_with", KeyOperator::begins_with},
                                               {"less", KeyOperator::less},
                                               {"less_or_equal", KeyOperator::less_or_equal},
                                               {"greater", KeyOperator::greater},
                                               {"greater_or_equal", KeyOperator::greater_or_equal},
                                               {"between", KeyOperator::between}})
                         .value_or(KeyOperator::equal);
      if (context.problems.size() > before) {
        context.problems.back().position = operators.front().position;
        continue;
      }
      value.reset(operators.front().value);
    }
    if (condition.op == KeyOperator::between) {
      if (!value.IsSequence() || value.size() != 2) {
        context.problem(position_of(value), where + ": expected a list of the lowest and the highest value");
        continue;
      }
      const auto upper = read_template(context, value[1], where);
      if (upper) condition.upper = *upper;
      value.reset(YAML::Node(value[0]));
    }
    const auto text = read_template(context, value, where);
    if (!text) continue;
    condition.value = *text;
    conditions.push_back(std::move(condition));
  }
  return conditions;
}

}  // namespace stator::design
