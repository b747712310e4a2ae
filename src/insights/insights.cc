#include "insights/insights.h"

#include <fmt/format.h>

#include <array>

#include "base/sync_wait.h"

namespace stator::insights {
namespace {

constexpr std::array<std::string_view, 2> kModes = {"ACCESSED_AND_THROTTLED_KEYS", "THROTTLED_KEYS"};
constexpr std::array<std::string_view, kRuleCount> kRuleKinds = {"PKC", "SKC", "PKT", "SKT"};
constexpr char kBetweenKeys = '\x1f';

std::string rule_name(Rule rule, const Subject& subject, const Setting& setting) {
  return fmt::format("DynamoDBContributorInsights-{}-{}{}{}-{}", kRuleKinds[static_cast<std::size_t>(rule)], subject.table,
                     subject.index.empty() ? "" : "-", subject.index, setting.created);
}

bool has_rule(const Setting& setting, Rule rule) {
  return setting.enabled && (setting.mode == Mode::accessed_and_throttled || rule == Rule::throttled_partition ||
                             rule == Rule::throttled_pair);
}

// table 00 index, and: enabled mode changed_ms created
std::string document_name(const Subject& subject) { return subject.table + '\0' + subject.index; }

}  // namespace

std::string_view mode_name(Mode mode) { return kModes[static_cast<std::size_t>(mode)]; }

std::optional<Mode> find_mode(std::string_view name) {
  for (std::size_t i = 0; i < kModes.size(); ++i) {
    if (kModes[i] == name) return static_cast<Mode>(i);
  }
  return std::nullopt;
}

Result<void> Insights::load() {
  TRY(const auto documents, documents_.load());
  const std::lock_guard lock(mutex_);
  for (const auto& [name, text] : documents) {
    const std::size_t zero = name.find('\0');
    char created[32] = {};
    int enabled = 0;
    int mode = 0;
    long long changed_ms = 0;
    if (zero == std::string::npos || std::sscanf(text.c_str(), "%d %d %lld %31s", &enabled, &mode, &changed_ms, created) != 4) {
      return fail(ErrorCode::corruption, "a stored contributor insights setting cannot be read");
    }
    auto watched = std::make_unique<Watched>();
    watched->setting = {enabled != 0, mode == 0 ? Mode::accessed_and_throttled : Mode::throttled, changed_ms, created};
    if (enabled != 0) any_.store(true);
    watched_[{name.substr(0, zero), name.substr(zero + 1)}] = std::move(watched);
  }
  return {};
}

base::Task<Result<Setting>> Insights::set(Subject subject, bool enabled, std::optional<Mode> mode) {
  Setting after;
  {
    const std::lock_guard lock(mutex_);
    std::unique_ptr<Watched>& watched = watched_[subject];
    if (!watched) watched = std::make_unique<Watched>();
    Setting& setting = watched->setting;
    setting.changed_ms = clock_.now_ms();
    if (enabled && !setting.enabled) setting.created = std::to_string(setting.changed_ms);
    if (setting.created.empty()) setting.created = "0";
    setting.enabled = enabled;
    if (mode) setting.mode = *mode;
    if (!enabled) watched->rankings = {};
    after = setting;
    sum_up();
  }
  const Result<void> stored = co_await documents_.put(
      document_name(subject), fmt::format("{} {} {} {}", after.enabled ? 1 : 0, static_cast<int>(after.mode),
                                          after.changed_ms, after.created));
  CO_TRY_VOID(stored);
  co_return after;
}

// After a change of what is watched. Called with the lock held.
void Insights::sum_up() {
  bool any = false;
  summary_bytes_ = 0;
  for (const auto& [name, one] : watched_) {
    any |= one->setting.enabled;
    for (const Ranking& ranking : one->rankings) {
      for (const Summary& summary : ranking.summaries) summary_bytes_ += bytes_of(summary);
    }
  }
  any_.store(any);
}

Result<void> Insights::keep_only(const std::function<bool(const Subject&)>& there) {
  std::vector<Subject> gone;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [subject, watched] : watched_) {
      if (!there(subject)) gone.push_back(subject);
    }
  }
  // First in the store: what cannot be erased now is found again.
  for (const Subject& subject : gone) TRY_VOID(base::sync_wait(documents_.erase(document_name(subject))));
  if (gone.empty()) return {};
  const std::lock_guard lock(mutex_);
  for (const Subject& subject : gone) watched_.erase(subject);
  sum_up();
  return {};
}

std::optional<Setting> Insights::find(const Subject& subject) const {
  const std::lock_guard lock(mutex_);
  const auto found = watched_.find(subject);
  if (found == watched_.end()) return std::nullopt;
  return found->second->setting;
}

std::vector<std::pair<Subject, Setting>> Insights::list() const {
  std::vector<std::pair<Subject, Setting>> all;
  const std::lock_guard lock(mutex_);
  for (const auto& [subject, watched] : watched_) all.emplace_back(subject, watched->setting);
  return all;
}

std::vector<std::string> Insights::rule_names(const Subject& subject, const Setting& setting, bool sorted) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kRuleCount; ++i) {
    const Rule rule = static_cast<Rule>(i);
    const bool pairs = rule == Rule::accessed_pair || rule == Rule::throttled_pair;
    if (has_rule(setting, rule) && (sorted || !pairs)) names.push_back(rule_name(rule, subject, setting));
  }
  return names;
}

void Insights::record(const Subject& subject, const Access& access) {
  const std::int64_t minute = clock_.now_ms() / 60'000;
  const std::lock_guard lock(mutex_);
  const auto found = watched_.find(subject);
  if (found == watched_.end()) return;
  Watched& watched = *found->second;
  const auto rank = [&](Rule rule, std::string_view key, std::int64_t weight) {
    if (has_rule(watched.setting, rule)) add(watched.rankings[static_cast<std::size_t>(rule)], minute, key, weight);
  };
  std::string pair;
  if (access.sort_key) pair.append(access.partition_key).append(1, kBetweenKeys).append(*access.sort_key);
  if (access.throttled) {
    rank(Rule::throttled_partition, access.partition_key, 2);
    if (access.sort_key) rank(Rule::throttled_pair, pair, 2);
  } else {
    rank(Rule::accessed_partition, access.partition_key, access.half_units);
    if (access.sort_key) rank(Rule::accessed_pair, pair, access.half_units);
  }
}

void Insights::add(Ranking& ranking, std::int64_t minute, std::string_view key, std::int64_t half_units) {
  if (ranking.minute != minute) {
    seal(ranking);
    ranking.minute = minute;
  }
  ranking.sketch.add(key, static_cast<std::uint64_t>(std::max<std::int64_t>(half_units, 1)));
}

void Insights::seal(Ranking& ranking) {
  if (ranking.sketch.total() == 0) return;
  ranking.summaries.push_back(
      {ranking.minute, ranking.sketch.total(), ranking.sketch.size(), ranking.sketch.top(kKeptPerMinute)});
  summary_bytes_ += bytes_of(ranking.summaries.back());
  ranking.sketch.clear();
  if (ranking.summaries.size() > kKeptMinutes) {
    summary_bytes_ -= bytes_of(ranking.summaries.front());
    ranking.summaries.pop_front();
  }
  while (summary_bytes_ > kSummaryBytesMax) drop_oldest();
}

void Insights::drop_oldest() {
  Ranking* oldest = nullptr;
  for (const auto& [subject, watched] : watched_) {
    for (Ranking& ranking : watched->rankings) {
      if (ranking.summaries.empty()) continue;
      if (oldest == nullptr || ranking.summaries.front().minute < oldest->summaries.front().minute) oldest = &ranking;
    }
  }
  if (oldest == nullptr) return;
  summary_bytes_ -= bytes_of(oldest->summaries.front());
  oldest->summaries.pop_front();
}

std::size_t Insights::bytes_of(const Summary& summary) {
  std::size_t bytes = sizeof(Summary);
  for (const SpaceSaving::Entry& entry : summary.top) bytes += sizeof(entry) + entry.key.capacity();
  return bytes;
}

std::optional<Report> Insights::report(std::string_view name, std::int64_t from_s, std::int64_t to_s,
                                       std::int64_t period_s, std::size_t contributors_max) const {
  const std::lock_guard lock(mutex_);
  for (const auto& [subject, watched] : watched_) {
    for (std::size_t i = 0; i < kRuleCount; ++i) {
      const Rule rule = static_cast<Rule>(i);
      if (!has_rule(watched->setting, rule) || rule_name(rule, subject, watched->setting) != name) continue;
      const Ranking& ranking = watched->rankings[i];
      Report report{.rule = rule};
      std::map<std::string, Contributor> by_key;
      const auto take = [&](std::int64_t minute, std::uint64_t total, std::size_t unique,
                            const std::vector<SpaceSaving::Entry>& top) {
        const std::int64_t time_s = minute * 60;
        if (time_s < from_s || time_s >= to_s) return;
        report.total += static_cast<double>(total) / 2;
        report.unique = std::max(report.unique, static_cast<std::int64_t>(unique));
        const std::int64_t begin_s = from_s + (time_s - from_s) / period_s * period_s;
        for (const SpaceSaving::Entry& entry : top) {
          Contributor& contributor = by_key[entry.key];
          const double value = static_cast<double>(entry.weight) / 2;
          contributor.value += value;
          if (contributor.datapoints.empty() || contributor.datapoints.back().first != begin_s) {
            contributor.datapoints.emplace_back(begin_s, 0.0);
          }
          contributor.datapoints.back().second += value;
        }
      };
      for (const Summary& summary : ranking.summaries) take(summary.minute, summary.total, summary.unique, summary.top);
      take(ranking.minute, ranking.sketch.total(), ranking.sketch.size(), ranking.sketch.top(kKeptPerMinute));
      report.unique = std::max(report.unique, static_cast<std::int64_t>(by_key.size()));
      for (auto& [key, contributor] : by_key) {
        const std::size_t between = key.find(kBetweenKeys);
        contributor.keys.push_back(key.substr(0, between));
        if (between != std::string::npos) contributor.keys.push_back(key.substr(between + 1));
        report.contributors.push_back(std::move(contributor));
      }
      std::sort(report.contributors.begin(), report.contributors.end(),
                [](const Contributor& a, const Contributor& b) { return a.value > b.value; });
      if (report.contributors.size() > contributors_max) report.contributors.resize(contributors_max);
      return report;
    }
  }
  return std::nullopt;
}

}  // namespace stator::insights
