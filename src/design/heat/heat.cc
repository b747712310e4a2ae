#include "design/heat/heat.h"

#include <algorithm>
#include <cmath>

#include "design/heat/skew.h"
#include "design/shape.h"

namespace stator::design {

namespace {

const Template* partition_template(const Model& model, const Entity& entity, const Index* index) {
  return entity.key(model.partition_key(index == nullptr ? "" : index->name).name);
}

// Whether the sort keys under a partition key come in ascending order, so that all new items go to its end.
bool grows_with_time(const Model& model, const Entity& entity, const Index* index) {
  const KeyAttribute* sort_key = model.sort_key(index == nullptr ? "" : index->name);
  const Template* sort = sort_key == nullptr ? nullptr : entity.key(sort_key->name);
  if (sort == nullptr) return false;
  for (const Part& part : sort->parts()) {
    if (part.kind == PartKind::literal) continue;
    if (part.kind == PartKind::shard) return false;
    const Attribute* attribute = entity.attribute(part.text);
    if (attribute == nullptr) return false;
    return attribute->sequential || attribute->format == ValueFormat::date ||
           attribute->format == ValueFormat::datetime || attribute->format == ValueFormat::ulid ||
           attribute->format == ValueFormat::epoch;
  }
  return false;
}

bool has_local_index(const Model& model) {
  return std::any_of(model.indexes.begin(), model.indexes.end(),
                     [](const Index& index) { return index.kind == IndexKind::local; });
}

class Builder {
 public:
  Builder(const Model& model, const HeatOptions& options) : model_(model), options_(options) {}

  HeatReport build() {
    add_keys(nullptr);
    for (const Index& index : model_.indexes)
      if (index.kind == IndexKind::global) add_keys(&index);
    for (const Pattern& pattern : model_.patterns) add_pattern(pattern);
    for (KeyHeat& key : report_.keys) judge(key);
    return std::move(report_);
  }

 private:
  // One entry per template text: entities with the same template share their keys.
  void add_keys(const Index* index) {
    for (const Entity& entity : model_.entities) {
      const Template* key = partition_template(model_, entity, index);
      if (key == nullptr || (index != nullptr && !is_in(model_, entity, index->name))) continue;
      KeyHeat& heat = key_of(index, *key);
      heat.entities.push_back(entity.name);
      heat.ascending = heat.ascending || grows_with_time(model_, entity, index);
    }
  }

  KeyHeat& key_of(const Index* index, const Template& key) {
    const auto found = std::find_if(report_.keys.begin(), report_.keys.end(),
                                    [&](const KeyHeat& heat) { return heat.index == index && heat.key == key.text(); });
    if (found != report_.keys.end()) return *found;
    KeyHeat heat;
    heat.index = index;
    heat.key = key.text();
    heat.constant = key.is_constant();
    if (const Part* shard = key.shard()) heat.shards = shard->shard_count;
    heat.local_index = index == nullptr && has_local_index(model_);
    report_.keys.push_back(std::move(heat));
    return report_.keys.back();
  }

  void add_pattern(const Pattern& pattern) {
    const PatternUnits units = pattern_units(model_, pattern);
    for (std::size_t at = 0; at < units.parts.size(); ++at) {
      const UnitsAt& part = units.parts[at];
      const Template* key = part.entity == nullptr ? nullptr : partition_template(model_, *part.entity, part.index);
      if (key == nullptr) continue;
      HeatSource source{&pattern, share_of(pattern, units, part, *key, at == 0)};
      double read = part.read;
      if (part.action == nullptr && units.resolution.shards > 1)
        read /= units.resolution.shards;  // each shard its part
      KeyHeat& heat = key_of(part.index, *key);
      source.read = read * pattern.rate.peak * source.share;
      source.write = part.write * pattern.rate.peak * source.share;
      heat.read_peak += source.read;
      heat.write_peak += source.write;
      heat.read_average += read * pattern.rate.average * source.share;
      heat.write_average += part.write * pattern.rate.average * source.share;
      add_source(heat, source);
      if (part.action == nullptr) readers_.push_back({heat.index, heat.key, units});
    }
  }

  // A transaction that writes several items under one key is one source.
  static void add_source(KeyHeat& heat, const HeatSource& source) {
    if (source.read == 0 && source.write == 0) return;
    if (!heat.sources.empty() && heat.sources.back().pattern == source.pattern) {
      HeatSource& last = heat.sources.back();
      last.read += source.read;
      last.write += source.write;
      last.share = std::max(last.share, source.share);
    } else {
      heat.sources.push_back(source);
    }
  }

  // Which share of the calls meets the busiest key of a template. The declared share is about the key that the
  // pattern itself addresses; for other keys of its items it holds as far as they contain the same fields.
  double share_of(const Pattern& pattern, const PatternUnits& units, const UnitsAt& part, const Template& key,
                  bool first) const {
    const Moment moment = part.action != nullptr && part.action->kind == ActionKind::put ? Moment::now : Moment::any;
    double computed = busiest_key_share(model_, *part.entity, key, moment);
    if (part.action == nullptr && units.resolution.shards > 1 && key.shard() != nullptr) {
      computed *= key.shard()->shard_count;  // every use reads every shard
    }
    if (key.is_constant()) return 1;
    if (!pattern.hottest_share) return computed;
    if (first) return std::max(*pattern.hottest_share, 0.0);
    const Template* own = partition_template(model_, *part.entity, nullptr);
    if (part.index == nullptr || own == nullptr || units.parts.front().entity != part.entity) return computed;
    const std::vector<std::string> fields = own->fields();
    const bool same =
        std::all_of(fields.begin(), fields.end(), [&](const std::string& field) { return key.uses(field); });
    if (!same) return computed;
    const double own_share = busiest_key_share(model_, *part.entity, *own, moment);
    return own_share > 0 ? std::min(1.0, *pattern.hottest_share * computed / own_share) : computed;
  }

  void judge(KeyHeat& key) const {
    const double write = key.write_peak / options_.write_ceiling;
    const double read = key.read_peak / options_.read_ceiling;
    const double fullest = std::max(write, read);
    if (fullest > 0) key.hot_at = 1 / fullest;
    key.verdict = fullest > 1 ? Verdict::hot : fullest >= options_.warm ? Verdict::warm : Verdict::cool;
    add_allotment(key);
    if (write > 1) key.proposed_shards = shards_for(0, key.write_peak, options_) * key.shards;
    if (read > 1) key.proposed_copies = shards_for(key.read_peak, 0, options_);
    // One key for everything is a design decision: what shards would cost is shown although it is cool today.
    for (const Reader& reader : readers_) {
      if (reader.index != key.index || reader.key != key.key) continue;
      const int shards = key.proposed_shards > 1 ? key.proposed_shards : key.constant ? 10 : 1;
      if (shards > 1) key.readers.push_back(sharded_read(reader.units, shards));
    }
  }

  // Partitions as the service makes them from units and size; each has an equal part of the units.
  void add_allotment(KeyHeat& key) const {
    const Capacity& capacity =
        key.index != nullptr && key.index->capacity ? *key.index->capacity : model_.table.capacity;
    if (capacity.mode != CapacityMode::provisioned) return;
    double bytes = 0;
    for (const Entity& entity : model_.entities) {
      const double share = key.index == nullptr ? 1 : index_share(model_, entity, *key.index);
      bytes += item_count(model_, entity) * share *
               (key.index == nullptr ? item_bytes(model_, entity).typical
                                     : index_item_bytes(model_, entity, *key.index).typical);
    }
    const double by_units =
        std::ceil(capacity.read_units / options_.read_ceiling + capacity.write_units / options_.write_ceiling);
    const double partitions = std::max({1.0, by_units, std::ceil(bytes / (10.0 * 1024 * 1024 * 1024))});
    key.write_allotment = capacity.write_units / partitions;
    key.read_allotment = capacity.read_units / partitions;
    const auto burst = [&](double peak, double allotment) {
      return peak > allotment ? options_.burst_seconds * allotment / (peak - allotment) : -1;
    };
    const double write = burst(std::min(key.write_peak, options_.write_ceiling), *key.write_allotment);
    const double read = burst(std::min(key.read_peak, options_.read_ceiling), *key.read_allotment);
    if (write >= 0 && (read < 0 || write < read)) key.burst_s = write;
    if (read >= 0 && (write < 0 || read <= write)) key.burst_s = read;
  }

  struct Reader {
    const Index* index;
    std::string key;
    PatternUnits units;
  };

  const Model& model_;
  const HeatOptions& options_;
  HeatReport report_;
  std::vector<Reader> readers_;
};

}  // namespace

bool HeatReport::any_hot() const {
  return std::any_of(keys.begin(), keys.end(), [](const KeyHeat& key) { return key.verdict == Verdict::hot; });
}

int shards_for(double read, double write, const HeatOptions& options) {
  const double needed = std::max(write / (options.write_ceiling * options.shard_fill),
                                 read / (options.read_ceiling * options.shard_fill));
  return std::max(1, static_cast<int>(std::ceil(needed - 1e-9)));
}

KeyHeat::ReadPrice sharded_read(const PatternUnits& units, int shards) {
  KeyHeat::ReadPrice price{units.pattern, std::max(1.0, units.resolution.calls), 0, units.read, 0};
  price.calls_after = price.calls_before / units.resolution.shards * shards;
  // A reader with a limit has to ask every shard for as many items: any of them may hold the first ones.
  const bool limited = units.pattern->limit.has_value();
  const double items = units.resolution.items_average / price.calls_before;
  const double bytes = units.item_bytes * items;
  price.units_after = price.calls_after * read_units(limited ? bytes : bytes * price.calls_before / price.calls_after,
                                                     units.pattern->consistency);
  return price;
}

HeatReport heat_of(const Model& model, const HeatOptions& options) { return Builder(model, options).build(); }

}  // namespace stator::design
