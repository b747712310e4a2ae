#pragma once

#include <string>
#include <vector>

#include "design/cost/prices.h"
#include "design/migrate/transform.h"

// What changes between two models, in a designer's words, what follows for the data, and in which order to do it.
namespace stator::design {

// What a change asks for, from nothing to the impossible.
enum class Effect : std::uint8_t {
  none,         // the data stays as it is
  setting,      // one call that changes the table's settings
  application,  // code changes over; the data stays as it is
  removal,      // something goes at the end, when nobody uses it any more
  index_build,  // an index is built while the table is in use
  backfill,     // items get attributes that follow from what they have
  copy,         // items go into another table, with dual writes until the change-over
  refused,      // cannot be migrated; the obstacle says why
};
[[nodiscard]] std::string_view effect_text(Effect effect) noexcept;

struct DesignChange {
  std::string kind;     // index-added, key-changed, ...
  std::string subject;  // Order, GSI2, ...
  std::string text;     // what changes
  Effect effect = Effect::none;
  std::string consequence;  // what follows
};

// What one entity costs to migrate, by the old model's counts and the new model's sizes.
struct EntityWork {
  std::string source;  // table
  std::string entity;
  MigrationMode mode = MigrationMode::copy;
  double items = 0;
  double write_units = 0;        // of the table
  double index_write_units = 0;  // of its global indexes
  double read_units = 0;         // of a copy: the look back at the source after each write
};

struct PlanStep {
  std::string name;  // prepare, deploy, backfill, ...
  std::string text;
};

struct DesignDiff {
  std::vector<const Model*> before;
  const Model* after = nullptr;
  std::vector<DesignChange> changes;
  std::vector<EntityWork> work;
  double scan_units = 0;         // reading the sources once
  double index_build_units = 0;  // writes into new indexes over attributes that are there already
  double money = 0;              // on demand
  std::string currency;
  std::vector<Obstacle> obstacles;
  std::vector<PlanStep> plan;

  [[nodiscard]] bool copies() const;     // at least one table is copied
  [[nodiscard]] bool backfills() const;  // items are written
  [[nodiscard]] double items() const;
  [[nodiscard]] double write_units() const;  // indexes included
  [[nodiscard]] double read_units() const;   // the scan included
};

// The models have to outlive it. A table that both sides name is changed in place; others are copied.
[[nodiscard]] DesignDiff diff_models(const std::vector<const Model*>& before, const Model& after, const Prices& prices);

[[nodiscard]] std::string diff_text(const DesignDiff& diff);
[[nodiscard]] std::string diff_markdown(const DesignDiff& diff);
[[nodiscard]] std::string diff_json(const DesignDiff& diff);

// The parts of diff_models, one file each.
void diff_tables(DesignDiff& diff);
void diff_indexes(DesignDiff& diff);
void diff_entities(DesignDiff& diff, const std::vector<Transform>& transforms);
void diff_patterns(DesignDiff& diff);
void estimate_work(DesignDiff& diff, const std::vector<Transform>& transforms, const Prices& prices);
void make_plan(DesignDiff& diff);

// Items of an entity that the migration writes: those that come into a sparse index or leave it, or all.
[[nodiscard]] double written_items(const Transform& transform, const EntityPath& path);

// "a, b and c".
[[nodiscard]] std::string listed(const std::vector<std::string>& names);

}  // namespace stator::design
