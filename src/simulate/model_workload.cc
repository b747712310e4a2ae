#include "simulate/model_workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "design/cost/pattern_units.h"
#include "design/heat/heat.h"
#include "design/shape.h"

namespace stator::simulate {
namespace {

using capacity::Direction;
using capacity::HalfUnits;

capacity::Settings settings_of(const design::Capacity& declared) {
  capacity::Settings settings;
  if (declared.mode == design::CapacityMode::on_demand) return settings;
  settings.billing = capacity::BillingMode::provisioned;
  settings.provisioned = {.read = std::max<std::int64_t>(1, std::llround(declared.read_units)),
                          .write = std::max<std::int64_t>(1, std::llround(declared.write_units))};
  return settings;
}

class Builder {
 public:
  Builder(const design::Model& model, bool ignore_shards)
      : model_(model), ignore_shards_(ignore_shards), heat_(design::heat_of(model, {})) {}

  Result<Workload> build() {
    add_targets();
    for (const design::Pattern& pattern : model_.patterns) add_stream(pattern);
    if (workload_.streams.empty())
      return invalid("no pattern of the model has a rate; give patterns `rate: {average: ..., peak: ...}`");
    return std::move(workload_);
  }

 private:
  void add_targets() {
    Target table{.table = model_.table.name, .index = "", .settings = settings_of(model_.table.capacity)};
    for (const design::Index& index : model_.indexes)
      if (index.kind == design::IndexKind::local) table.settings.has_local_indexes = true;
    workload_.targets.push_back(std::move(table));
    for (const design::Index& index : model_.indexes) {
      if (index.kind != design::IndexKind::global) continue;
      workload_.targets.push_back({.table = model_.table.name,
                                   .index = index.name,
                                   .settings = settings_of(index.capacity.value_or(model_.table.capacity))});
    }
  }

  std::uint32_t target_of(const design::Index* index) const {
    for (std::uint32_t i = 0; index != nullptr && i < workload_.targets.size(); ++i)
      if (workload_.targets[i].index == index->name) return i;
    return 0;
  }

  void add_stream(const design::Pattern& pattern) {
    if (pattern.rate.peak <= 0 && pattern.rate.average <= 0) return;
    Stream stream{.name = pattern.name, .average = pattern.rate.average, .peak = pattern.rate.peak, .touches = {}};
    const design::PatternUnits units = design::pattern_units(model_, pattern);
    for (const design::UnitsAt& part : units.parts) {
      const bool fans_out = part.action == nullptr && !ignore_shards_;
      const int shards = fans_out ? std::max(1, units.resolution.shards) : 1;
      if (part.read > 0) add_touches(pattern, part, Direction::read, part.read, shards, stream);
      if (part.write > 0) add_touches(pattern, part, Direction::write, part.write, 1, stream);
    }
    if (!stream.touches.empty()) workload_.streams.push_back(std::move(stream));
  }

  // A reader of n shards makes n calls, each for its part of the units.
  void add_touches(const design::Pattern& pattern, const design::UnitsAt& part, Direction direction, double units,
                   int shards, Stream& stream) {
    Touch touch;
    touch.target = target_of(part.index);
    touch.direction = direction;
    touch.whole_collection = part.action == nullptr && pattern.kind == design::PatternKind::query;
    // Declared averages are fractions (an index that 2 % of the items are in): a whole cost, now and then.
    const double each = units / shards;
    touch.cost = direction == Direction::write ? 2 * static_cast<HalfUnits>(std::ceil(each))
                                               : static_cast<HalfUnits>(std::ceil(2 * each));
    touch.probability = 2 * each / static_cast<double>(touch.cost);
    choose_keys(pattern, part, touch);
    for (int i = 0; i < shards; ++i) stream.touches.push_back(touch);
  }

  void choose_keys(const design::Pattern& pattern, const design::UnitsAt& part, Touch& touch) const {
    touch.keys.label = "(any key)";
    touch.keys.distinct = 1e6;  // a Scan goes over all of them
    if (part.entity == nullptr) return;
    const std::string index_name = part.index == nullptr ? "" : part.index->name;
    const design::Template* key = part.entity->key(model_.partition_key(index_name).name);
    if (key == nullptr) return;
    touch.keys.label = key->text();
    touch.keys.distinct = std::max(1.0, std::round(design::distinct_keys(model_, *part.entity, *key)));
    touch.items = items_of(pattern, part, index_name);
    for (const design::KeyHeat& heat : heat_.keys) {
      if (heat.index != part.index || heat.key != key->text()) continue;
      for (const design::HeatSource& source : heat.sources)
        if (source.pattern == &pattern) touch.keys.hottest_share = std::min(1.0, source.share);
      const bool creates = part.action != nullptr && part.action->kind == design::ActionKind::put;
      if (heat.ascending && creates) touch.items = ItemChoice::ascending;
    }
    if (ignore_shards_ && key->shard() != nullptr) join_shards(*key, part.action != nullptr, touch.keys);
  }

  // A writer's share is that of one shard; a reader of all shards meets the key itself already, and is left with the
  // units of its queries together.
  void join_shards(const design::Template& key, bool writes, KeyChoice& keys) const {
    const double count = key.shard()->shard_count;
    keys.distinct = std::max(1.0, std::round(keys.distinct / count));
    if (writes) keys.hottest_share = std::min(1.0, keys.hottest_share * count);
    const std::size_t start = keys.label.find("{shard(");
    if (start == std::string::npos) return;
    keys.label.erase(start, keys.label.find('}', start) - start + 1);
    if (!keys.label.empty() && keys.label.back() == model_.delimiter) keys.label.pop_back();
  }

  ItemChoice items_of(const design::Pattern& pattern, const design::UnitsAt& part,
                      const std::string& index_name) const {
    if (pattern.kind == design::PatternKind::scan) return ItemChoice::any;
    if (part.index != nullptr) return ItemChoice::any;
    const design::KeyAttribute* sort_key = model_.sort_key(index_name);
    const design::Template* sort = sort_key == nullptr ? nullptr : part.entity->key(sort_key->name);
    return sort == nullptr || sort->is_constant() ? ItemChoice::single : ItemChoice::any;
  }

  const design::Model& model_;
  const bool ignore_shards_;
  const design::HeatReport heat_;
  Workload workload_;
};

}  // namespace

Result<Workload> workload_of(const design::Model& model, bool ignore_shards) {
  return Builder(model, ignore_shards).build();
}

}  // namespace stator::simulate
