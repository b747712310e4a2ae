#include "expr/binder.h"
#include "expr/cache.h"

namespace stator::expr {

Result<Projection> bind_projection(std::string_view text, Placeholders& placeholders) {
  TRY(const std::shared_ptr<const ParsedProjection> parsed, cached_projection(text));
  Binder binder(placeholders);
  const auto paths = make_array<Path>(binder.arena(), parsed->paths.size());
  for (std::size_t i = 0; i < paths.size(); ++i) paths[i] = binder.bind_path(parsed->paths[i]);
  std::string problem = binder.name_problem();
  if (problem.empty()) problem = overlap_problem(paths);
  if (!problem.empty()) return invalid_expression(Parameter::projection, problem);
  Projection projection(paths, binder.arena());
  projection.parsed_ = parsed;
  return projection;
}

}  // namespace stator::expr
