#include "design/migrate/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace stator::design {

std::string_view effect_text(Effect effect) noexcept {
  switch (effect) {
    case Effect::none:
      return "nothing to do";
    case Effect::setting:
      return "setting";
    case Effect::application:
      return "application";
    case Effect::removal:
      return "removal";
    case Effect::index_build:
      return "online index build";
    case Effect::backfill:
      return "backfill";
    case Effect::copy:
      return "copy";
    case Effect::refused:
      break;
  }
  return "not possible";
}

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t at = 0; at < names.size(); ++at) {
    if (at > 0) out += at + 1 == names.size() ? " and " : ", ";
    out += names[at];
  }
  return out;
}

bool DesignDiff::copies() const {
  return std::any_of(before.begin(), before.end(),
                     [&](const Model* model) { return model->table.name != after->table.name; });
}

bool DesignDiff::backfills() const { return !work.empty(); }

double DesignDiff::items() const {
  double sum = 0;
  for (const EntityWork& one : work) sum += one.items;
  return sum;
}

double DesignDiff::write_units() const {
  double sum = index_build_units;
  for (const EntityWork& one : work) sum += one.write_units + one.index_write_units;
  return sum;
}

double DesignDiff::read_units() const {
  double sum = scan_units;
  for (const EntityWork& one : work) sum += one.read_units;
  return sum;
}

namespace {

// One entity name stands for one entity.
void check_names(DesignDiff& diff) {
  std::map<std::string, std::string> homes;
  std::map<std::string, std::string> tables;
  for (const Model* model : diff.before) {
    if (const auto [at, added] = tables.try_emplace(model->table.name, model->file); !added) {
      diff.obstacles.push_back({"table " + model->table.name,
                                fmt::format("{} and {} both describe it", at->second, model->file),
                                "one table has one model; put both into one file"});
    }
    for (const Entity& entity : model->entities) {
      const auto [at, added] = homes.try_emplace(entity.name, model->file);
      if (added) continue;
      diff.obstacles.push_back({"entity " + entity.name, fmt::format("it is in {} and in {}", at->second, model->file),
                                "give one of them another name, in the old model and in the new one"});
    }
  }
}

}  // namespace

DesignDiff diff_models(const std::vector<const Model*>& before, const Model& after, const Prices& prices) {
  DesignDiff diff;
  diff.before = before;
  diff.after = &after;
  diff.currency = prices.currency;
  check_names(diff);
  std::vector<Transform> transforms;
  for (const Model* model : before) {
    const bool same = model->table.name == after.table.name;
    transforms.emplace_back(*model, after,
                            TransformOptions{same ? MigrationMode::in_place : MigrationMode::copy, false});
    const auto& found = transforms.back().obstacles();
    diff.obstacles.insert(diff.obstacles.end(), found.begin(), found.end());
  }
  diff_tables(diff);
  diff_indexes(diff);
  diff_entities(diff, transforms);
  diff_patterns(diff);
  estimate_work(diff, transforms, prices);
  make_plan(diff);
  return diff;
}

}  // namespace stator::design
