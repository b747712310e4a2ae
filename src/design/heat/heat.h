#pragma once

#include <optional>
#include <string>
#include <vector>

#include "design/cost/pattern_units.h"

// Where a design runs hot: the load on the busiest key of each partition key template, against what one partition
// gives.
namespace stator::design {

struct HeatOptions {
  double write_ceiling = 1000;  // units per second of one partition
  double read_ceiling = 3000;
  double burst_seconds = 300;  // of unused capacity that a partition saves up
  double warm = 0.5;           // from this share of a ceiling on a key is called warm
  double shard_fill = 0.5;     // how full of its ceiling a shard may be when shards are proposed
};

struct HeatSource {
  const Pattern* pattern = nullptr;
  double share = 0;  // of the pattern's calls that go to the busiest key
  double read = 0;   // units per second on that key, at the pattern's peak
  double write = 0;
};

enum class Verdict : unsigned char { cool, warm, hot };

struct KeyHeat {
  const Index* index = nullptr;  // null: the table
  std::string key;               // the template as it is written
  std::vector<std::string> entities;
  bool constant = false;     // one key for all items
  int shards = 1;            // that the template has already
  bool ascending = false;    // its sort keys grow with time: a split of the key moves the load, it does not divide it
  bool local_index = false;  // a collection of a table with a local index is never split
  double read_average = 0, read_peak = 0;
  double write_average = 0, write_peak = 0;
  std::vector<HeatSource> sources;
  Verdict verdict = Verdict::cool;

  // Factor on all declared rates at which the first ceiling is reached; nothing without load.
  std::optional<double> hot_at;
  // Provisioned mode: what a partition has of the units, and how long saved-up capacity carries the peak. After that
  // adaptive capacity raises the partition, as far as the table's units and the ceiling go.
  std::optional<double> write_allotment, read_allotment;
  std::optional<double> burst_s;

  // The cure, where hot: shards for writes, each filled at most to `shard_fill`. Shards do not help readers, who have
  // to ask all of them; copies do, of which a reader takes one.
  int proposed_shards = 1;
  int proposed_copies = 1;
  struct ReadPrice {
    const Pattern* pattern = nullptr;
    double calls_before = 1, calls_after = 1;
    double units_before = 0, units_after = 0;
  };
  std::vector<ReadPrice> readers;  // what the shards cost those who read the key
};

struct HeatReport {
  std::vector<KeyHeat> keys;  // the table's first, in the order of the model
  [[nodiscard]] bool any_hot() const;
};

[[nodiscard]] HeatReport heat_of(const Model& model, const HeatOptions& options);

// Shards so that none takes more than `fill` of the ceilings.
[[nodiscard]] int shards_for(double read, double write, const HeatOptions& options);
// What a pattern that reads a key pays when the key is divided: one call for each shard, each rounded up.
[[nodiscard]] KeyHeat::ReadPrice sharded_read(const PatternUnits& units, int shards);

[[nodiscard]] std::string heat_text(const Model& model, const HeatReport& report, const HeatOptions& options);
[[nodiscard]] std::string heat_json(const Model& model, const HeatReport& report, const HeatOptions& options);
[[nodiscard]] std::string heat_svg(const Model& model, const HeatReport& report, const HeatOptions& options);

}  // namespace stator::design
