#include <fmt/format.h>

#include "design/rules/rules.h"

namespace stator::design {

void find_filter_selections(RuleContext& context) {
  for (const Resolution& resolution : context.resolutions()) {
    const Pattern& pattern = *resolution.pattern;
    if (!pattern.filter || pattern.filter->keeps >= 1) continue;
    const Filter& filter = *pattern.filter;
    const double read = resolution.items_average;
    context.report(
        filter.keeps <= 0.5 ? Severity::error : Severity::warning, place_of(pattern).at(filter.position),
        fmt::format("the filter on {} throws away {:.0f} % of what is read and billed: {} items read for {} returned",
                    join(filter.attributes), 100 * (1 - filter.keeps), count_text(read),
                    count_text(read * filter.keeps)),
        fmt::format("Bring {} into a key: a component of the sort key, or a sparse index that holds only what the "
                    "pattern wants.",
                    join(filter.attributes)));
  }
}

void find_filters_on_keys(RuleContext& context) {
  const Model& model = context.model();
  for (const Pattern& pattern : model.patterns) {
    if (!pattern.filter || pattern.kind == PatternKind::scan) continue;
    const KeyAttribute* sort = model.sort_key(pattern.index);
    for (const std::string& name : pattern.filter->attributes) {
      if (name != model.partition_key(pattern.index).name && (sort == nullptr || name != sort->name)) continue;
      context.report(
          place_of(pattern).at(pattern.filter->position),
          fmt::format("the filter names {}, a key of {}", name, target_text(pattern.index)),
          fmt::format("Say it in the key condition (key: {{{}: ...}}); to return two kinds of items, read the "
                      "collection without a condition on the sort key.",
                      name));
    }
  }
}

}  // namespace stator::design
