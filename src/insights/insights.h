#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/task.h"
#include "insights/space_saving.h"
#include "metrics/documents.h"

namespace stator::insights {

enum class Mode : std::uint8_t { accessed_and_throttled, throttled };
[[nodiscard]] std::string_view mode_name(Mode mode);
[[nodiscard]] std::optional<Mode> find_mode(std::string_view name);

// A table, or one of its indexes.
struct Subject {
  std::string table;
  std::string index;  // empty: the table
  friend auto operator<=>(const Subject&, const Subject&) = default;
};

// What contributors are ranked by: accessed or throttled, partition keys or pairs of partition and sort key.
enum class Rule : std::uint8_t { accessed_partition, accessed_pair, throttled_partition, throttled_pair };
inline constexpr std::size_t kRuleCount = 4;

struct Setting {
  bool enabled = false;
  Mode mode = Mode::accessed_and_throttled;
  std::int64_t changed_ms = 0;
  std::string created;  // the end of the names of its rules
};

struct Access {
  std::string_view partition_key;
  std::optional<std::string_view> sort_key;
  std::int64_t half_units = 0;
  bool throttled = false;
};

struct Contributor {
  std::vector<std::string> keys;
  double value = 0;
  std::vector<std::pair<std::int64_t, double>> datapoints;  // begin of the period in seconds, value
};
struct Report {
  Rule rule = Rule::accessed_partition;
  double total = 0;
  std::int64_t unique = 0;  // approximately
  std::vector<Contributor> contributors;
};

// Contributor Insights: which keys are used most, minute by minute for three hours, in bounded space. May be used from many
// threads; recording takes a short lock, and only while insights are enabled for something.
class Insights {
 public:
  Insights(store::Store& store, const base::Clock& clock) : clock_(clock), documents_(store, "insights") {}

  [[nodiscard]] Result<void> load();
  // Whether anything is enabled: the only question that every request asks.
  [[nodiscard]] bool any() const noexcept { return any_.load(std::memory_order_relaxed); }
  void record(const Subject& subject, const Access& access);

  [[nodiscard]] base::Task<Result<Setting>> set(Subject subject, bool enabled, std::optional<Mode> mode);
  // Forgets what is set for tables and indexes that are not there, and what was ranked of them.
  [[nodiscard]] Result<void> keep_only(const std::function<bool(const Subject&)>& there);
  [[nodiscard]] std::optional<Setting> find(const Subject& subject) const;
  [[nodiscard]] std::vector<std::pair<Subject, Setting>> list() const;
  // The names of the rules that a setting has; none where it is disabled. Only what is `sorted` has rules about pairs of keys.
  [[nodiscard]] static std::vector<std::string> rule_names(const Subject& subject, const Setting& setting,
                                                           bool sorted = true);

  // The heaviest contributors of a rule from one time to another; nothing where there is no such rule.
  [[nodiscard]] std::optional<Report> report(std::string_view rule_name, std::int64_t from_s, std::int64_t to_s,
                                             std::int64_t period_s, std::size_t contributors_max) const;

  static constexpr std::size_t kCounters = 64;       // of a sketch: weights are exact to 1/64 of a minute's total
  static constexpr std::size_t kKeptPerMinute = 20;  // contributors
  static constexpr std::size_t kKeptMinutes = 180;
  static constexpr std::size_t kSummaryBytesMax = std::size_t{12} * 1024 * 1024;  // of all subjects together

 private:
  struct Summary {
    std::int64_t minute = 0;
    std::uint64_t total = 0;
    std::size_t unique = 0;
    std::vector<SpaceSaving::Entry> top;
  };
  struct Ranking {
    std::int64_t minute = 0;
    SpaceSaving sketch{kCounters};
    std::deque<Summary> summaries;
  };
  struct Watched {
    Setting setting;
    std::array<Ranking, kRuleCount> rankings;
  };

  void add(Ranking& ranking, std::int64_t minute, std::string_view key, std::int64_t half_units);
  void seal(Ranking& ranking);
  void drop_oldest();
  void sum_up();
  [[nodiscard]] static std::size_t bytes_of(const Summary& summary);

  const base::Clock& clock_;
  metrics::Documents documents_;
  std::atomic<bool> any_{false};
  mutable std::mutex mutex_;
  std::map<Subject, std::unique_ptr<Watched>> watched_;  // guarded by mutex_
  std::size_t summary_bytes_ = 0;                         // guarded by mutex_
};

}  // namespace stator::insights
