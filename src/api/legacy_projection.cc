#include "api/legacy_projection.h"

#include <fmt/format.h>

#include <set>

#include "api/parameters.h"
#include "expr/bound.h"

namespace stator::api {

Result<std::optional<expr::Projection>> attributes_to_get(
    const std::optional<std::vector<std::string_view>>& names, base::Arena& arena) {
  if (!names) return std::nullopt;
  std::set<std::string_view> seen;
  const auto paths = expr::make_array<expr::Path>(arena, names->size());
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const std::string_view name = (*names)[i];
    if (name.empty()) return invalid(std::string(kEmptyAttributeName));
    if (!seen.insert(name).second) {
      return invalid(fmt::format(
          "One or more parameter values were invalid: Duplicate value in attribute name: {}",
          name));
    }
    paths[i] = {arena.make<expr::PathStep>(name), 1};
  }
  return expr::Projection(paths, arena);
}

}  // namespace stator::api
