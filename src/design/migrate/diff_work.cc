#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "design/cost/pattern_units.h"
#include "design/migrate/diff.h"
#include "design/report/text_table.h"
#include "design/shape.h"

// What a migration reads and writes, and the order in which it is done.
namespace stator::design {

namespace {

bool key_is_new(const EntityPath& path, const Index& index) {
  return contains(path.recomputed, index.partition_key.name) ||
         (index.sort_key && contains(path.recomputed, index.sort_key->name));
}

// Share of the items that a backfill in place has to write: those that come into a sparse index or leave it, or all.
double written_share(const Transform& transform, const EntityPath& path) {
  if (transform.mode() == MigrationMode::copy || path.drops || !path.removed_keys.empty() || !path.derived.empty() ||
      !path.converted.empty() || path.type_changes)
    return 1;
  double share = 0;
  for (const Index& index : transform.after().indexes) {
    if (!key_is_new(path, index)) continue;
    const bool had = path.before->key(index.partition_key.name) != nullptr;
    // What leaves the index is written as much as what comes into it.
    const Index* earlier = transform.before().index(index.name);
    if (had)
      share = std::max(share, earlier == nullptr ? 1.0 : index_share(transform.before(), *path.before, *earlier));
    share = std::max(share, index_share(transform.after(), *path.after, index));
  }
  return std::min(1.0, share);
}

// Writes to the global indexes for each item of the entity, where this share of them is written: of a copy one in each
// index; in place where keys or projected attributes change.
double index_units(const Transform& transform, const EntityPath& path, double written) {
  const Model& model = transform.after();
  double units = 0;
  for (const Index& index : model.indexes) {
    const double share = std::min(written, index_share(model, *path.after, index));
    if (share <= 0) continue;
    double writes = 1;
    if (transform.mode() == MigrationMode::in_place) {
      const bool moves = key_is_new(path, index);
      const bool shows = index.projection.kind == ProjectionKind::all ||
                         std::any_of(path.derived.begin(), path.derived.end(),
                                     [&](const std::string& name) { return is_projected(model, index, name); });
      const bool had =
          transform.before().index(index.name) != nullptr && path.before->key(index.partition_key.name) != nullptr;
      writes = moves ? (had ? 2 : 1) : shows ? 1 : 0;
    }
    units += writes * share * write_units(index_item_bytes(model, *path.after, index).typical);
  }
  return units;
}

// A new index over attributes that are there already.
double build_units(const Transform& transform, const EntityPath& path) {
  const Model& model = transform.after();
  double units = 0;
  for (const Index& index : model.indexes) {
    if (transform.before().index(index.name) != nullptr || key_is_new(path, index)) continue;
    const double share = index_share(model, *path.after, index);
    if (share > 0) units += share * write_units(index_item_bytes(model, *path.after, index).typical);
  }
  return units * item_count(transform.before(), *path.before);
}

EntityWork work_of(const Transform& transform, const EntityPath& path) {
  const bool in_place = transform.mode() == MigrationMode::in_place;
  EntityWork work;
  work.source = transform.before().table.name;
  work.entity = path.before->name;
  work.mode = transform.mode();
  work.items = written_items(transform, path);
  const double bytes = item_bytes(transform.after(), *path.after).typical;
  work.write_units = work.items * write_units(bytes);
  work.index_write_units = std::round(item_count(transform.before(), *path.before) *
                                      index_units(transform, path, written_share(transform, path)));
  const double before = item_bytes(transform.before(), *path.before).typical;
  if (!in_place) work.read_units = work.items * read_units(before, Consistency::strong);
  return work;
}

}  // namespace

double written_items(const Transform& transform, const EntityPath& path) {
  return std::round(written_share(transform, path) * item_count(transform.before(), *path.before));
}

void estimate_work(DesignDiff& diff, const std::vector<Transform>& transforms, const Prices& prices) {
  for (const Transform& transform : transforms) {
    double bytes = 0;
    bool reads = false;
    for (const EntityPath& path : transform.paths()) {
      bytes += item_count(transform.before(), *path.before) * item_bytes(transform.before(), *path.before).typical;
      if (path.after == nullptr) continue;
      const bool in_place = transform.mode() == MigrationMode::in_place;
      if (in_place) diff.index_build_units += build_units(transform, path);
      if (in_place && !path.rewrites()) continue;
      diff.work.push_back(work_of(transform, path));
      reads = true;
    }
    if (reads) diff.scan_units += std::ceil(bytes / 4096);  // consistently
  }
  diff.index_build_units = std::round(diff.index_build_units);
  diff.money = diff.write_units() / 1e6 * prices.on_demand_write_per_million +
               diff.read_units() / 1e6 * prices.on_demand_read_per_million;
}

namespace {

std::string sources_text(const DesignDiff& diff, bool copied) {
  std::vector<std::string> names;
  for (const Model* model : diff.before)
    if ((model->table.name != diff.after->table.name) == copied) names.push_back(model->table.name);
  return listed(names);
}

std::vector<std::string> subjects(const DesignDiff& diff, std::string_view kind) {
  std::vector<std::string> names;
  for (const DesignChange& change : diff.changes)
    if (change.kind == kind && change.effect != Effect::none) names.push_back(change.subject);
  return names;
}

bool has_effect(const DesignDiff& diff, Effect effect) {
  return std::any_of(diff.changes.begin(), diff.changes.end(),
                     [&](const DesignChange& change) { return change.effect == effect; });
}

std::string prepare_text(const DesignDiff& diff) {
  std::vector<std::string> texts;
  const std::string& table = diff.after->table.name;
  if (diff.copies()) {
    texts.push_back(fmt::format("create table {} with {} index{}, without expiry and stream as yet", table,
                                diff.after->indexes.size(), diff.after->indexes.size() == 1 ? "" : "es"));
    texts.push_back(
        fmt::format("turn on the stream of {} (NEW_AND_OLD_IMAGES) where it is off", sources_text(diff, true)));
  } else {
    if (const auto added = subjects(diff, "index-added"); !added.empty()) {
      texts.push_back(fmt::format("build {} while the table is in use", listed(added)));
    }
    if (diff.backfills()) texts.push_back(fmt::format("turn on the stream of {} where it is off", table));
  }
  return fmt::format("{}", fmt::join(texts, "; "));
}

std::string finish_text(const DesignDiff& diff) {
  std::vector<std::string> texts;
  if (diff.copies()) {
    texts.push_back("apply what is left in the streams");
    texts.push_back("give the new table the expiry and the stream of its model");
  }
  if (const auto removed = subjects(diff, "index-removed"); !removed.empty()) {
    texts.push_back(fmt::format("remove {}", listed(removed)));
  }
  if (diff.backfills()) texts.push_back("turn off the streams that prepare turned on");
  if (diff.copies())
    texts.push_back(fmt::format("delete {} when nothing reads or writes there any more", sources_text(diff, true)));
  return texts.empty() ? "nothing is left to do" : fmt::format("{}", fmt::join(texts, "; "));
}

}  // namespace

void make_plan(DesignDiff& diff) {
  if (diff.changes.empty()) return;
  auto& plan = diff.plan;
  if (!diff.obstacles.empty()) {
    for (const Obstacle& one : diff.obstacles) plan.push_back({"decide", fmt::format("{}: {}", one.subject, one.cure)});
    return;
  }
  const bool builds = has_effect(diff, Effect::index_build);
  const bool removes = !subjects(diff, "index-removed").empty();
  if (diff.copies() || builds || diff.backfills()) plan.push_back({"prepare", prepare_text(diff)});
  if (diff.copies()) {
    plan.push_back({"sync", fmt::format("follow the stream of {}: every change is applied to {} until the change-over",
                                        sources_text(diff, true), diff.after->table.name)});
  } else if (diff.backfills()) {
    plan.push_back({"deploy", "writers that set the new attributes; until then sync adds them to what is written"});
  }
  if (diff.backfills()) {
    plan.push_back(
        {"backfill", fmt::format("{} items: {} WCU, {} RCU; by segments, with --wcu and --rcu as limits",
                                 figure(diff.items()), figure(diff.write_units()), figure(diff.read_units()))});
    plan.push_back({"validate", "counts of each entity, and every item compared with what it should be"});
  }
  if (diff.copies()) {
    plan.push_back(
        {"change over", "readers to the new table, then writers; sync runs until the last writer has changed"});
  } else if (has_effect(diff, Effect::application) || builds || diff.backfills()) {
    plan.push_back({"deploy", "the patterns that are new or changed"});
  }
  if (diff.copies() || diff.backfills() || removes || has_effect(diff, Effect::setting)) {
    plan.push_back({"finish", finish_text(diff)});
  }
}

}  // namespace stator::design
