#include "design/migrate/backfill.h"

#include <fmt/format.h>

#include <atomic>
#include <map>
#include <thread>

#include "client/client.h"
#include "design/migrate/reconcile.h"
#include "design/prove/progress.h"

namespace stator::design {

namespace {

using client::Json;

struct Counts {
  std::uint64_t scanned = 0, written = 0, unchanged = 0, left_out = 0, unknown = 0, raced = 0;
};

constexpr std::pair<const char*, std::uint64_t Counts::*> kCounts[] = {
    {"scanned", &Counts::scanned},   {"written", &Counts::written}, {"unchanged", &Counts::unchanged},
    {"left_out", &Counts::left_out}, {"unknown", &Counts::unknown}, {"raced", &Counts::raced},
};

// One source. The state file:
//   {"segments": n, "places": {segment: {"after": key, "begun": [{"source": key, "target": key}, ...]} | {"done":
//   true}},
//    "counts": {...}}
// `begun` are the copies of a page that was begun and perhaps not finished. An item that was deleted meanwhile is not
// in the source any more when the page is read again, so what may have been written for it has to be known.
class SourceBackfill {
 public:
  SourceBackfill(Migration& migration, const Source& source, StateFile& state)
      : migration_(migration),
        source_(source),
        state_(state),
        bar_(fmt::format("Backfill of {}", source.table()), migration.options().quiet) {}

  Result<Counts> run() {
    TRY_VOID(begin());
    std::vector<std::thread> threads;
    for (int segment = 0; segment < segments_; ++segment) {
      threads.emplace_back([this, segment] {
        const auto done = run_segment(segment);
        if (!done) give_up(done.error());
      });
    }
    for (std::thread& thread : threads) thread.join();
    if (failed_) return tl::unexpected<Error>(error_);
    const Json document = state_.read();
    Counts counts;
    for (const auto& [name, member] : kCounts) counts.*member = document["counts"].value(name, std::uint64_t{0});
    bar_.show(total_, total_);
    return counts;
  }

 private:
  // The number of segments stays what it was when the backfill began.
  Result<void> begin() {
    TRY(const auto client, client::Client::create(migration_.options().connection));
    TRY(const Json table, describe_table(*client, source_.table()));
    TRY_VOID(state_.update([&](Json& document) {
      if (document.contains("segments")) return;
      document = {{"segments", migration_.options().segments}, {"places", Json::object()}, {"counts", Json::object()}};
    }));
    const Json document = state_.read();
    segments_ = document["segments"].get<int>();
    done_ = document["counts"].value("scanned", std::uint64_t{0});
    // The service counts items every few hours only.
    total_ = std::max<std::uint64_t>({table.value("ItemCount", std::uint64_t{0}), done_, 1});
    return {};
  }

  Result<void> run_segment(int segment) {
    const std::string name = std::to_string(segment);
    const Json document = state_.read();
    Json place = document["places"].value(name, Json::object());
    if (place.contains("done")) return {};
    TRY(const auto session, Session::create(migration_.options().connection, migration_.throttle()));
    Reconciler reconciler(*source_.transform, *session);
    // Consistent: what was written just before the stream began is in no record, and a read that lags would miss it.
    Json request = {{"TableName", source_.table()},
                    {"ConsistentRead", true},
                    {"Segment", segment},
                    {"TotalSegments", segments_},
                    {"Limit", migration_.options().page_items}};
    for (const Json& one : place.value("begun", Json::array())) {
      TRY_VOID(reconciler.reconcile_at(one["source"], {one["target"]}));
    }
    while (!failed_) {
      if (place.contains("after")) request["ExclusiveStartKey"] = place["after"];
      TRY(const Json answer, session->read("Scan", request, 1));
      TRY_VOID(note_begun(name, answer.value("Items", Json::array())));
      Counts counts;
      TRY_VOID(do_page(answer.value("Items", Json::array()), reconciler, *session, counts));
      place = answer.contains("LastEvaluatedKey") ? Json{{"after", answer["LastEvaluatedKey"]}} : Json{{"done", true}};
      TRY_VOID(state_.update([&](Json& state) {
        state["places"][name] = place;
        for (const auto& [count, member] : kCounts) {
          state["counts"][count] = state["counts"].value(count, std::uint64_t{0}) + counts.*member;
        }
      }));
      show(counts.scanned);
      if (place.contains("done")) return {};
    }
    return {};
  }

  Result<void> note_begun(const std::string& segment, const Json& items) {
    if (source_.in_place()) return {};
    const Transform& transform = *source_.transform;
    Json begun = Json::array();
    for (const Json& item : items) {
      const auto wanted = transform.apply(item);
      if (!wanted || !*wanted) continue;
      begun.push_back({{"source", transform.source().key_of(item)}, {"target", transform.target().key_of(**wanted)}});
    }
    return state_.update([&](Json& document) { document["places"][segment]["begun"] = std::move(begun); });
  }

  Result<void> do_page(const Json& items, Reconciler& reconciler, Session& session, Counts& counts) {
    std::map<std::string, const Json*> copied;  // by key, to look at once more
    const ItemReader& reader = source_.transform->source();
    for (const Json& item : items) {
      ++counts.scanned;
      if (const auto path = source_.transform->path_of(item); !path) {
        TRY_VOID(unknown(path.error()));
        ++counts.unknown;
        continue;
      }
      TRY(const Reconciled done, reconciler.first_write(item));
      counts.written += done == Reconciled::written ? 1 : 0;
      counts.unchanged += done == Reconciled::unchanged ? 1 : 0;
      counts.left_out += done == Reconciled::left_out ? 1 : 0;
      if (!source_.in_place() && done == Reconciled::written) copied[reader.key_of(item).dump()] = &item;
    }
    return look_back(copied, reconciler, session, counts);
  }

  // What changed in the source between the scan and the write may have been in the stream before the write: the stream
  // would not come back to it.
  Result<void> look_back(std::map<std::string, const Json*>& copied, Reconciler& reconciler, Session& session,
                         Counts& counts) {
    if (copied.empty()) return {};
    std::vector<Json> keys;
    for (const auto& [key, item] : copied) keys.push_back(Json::parse(key));
    TRY(const std::vector<Json> now, session.get_many(source_.table(), std::move(keys)));
    for (const Json& item : now) {
      const auto found = copied.find(source_.transform->source().key_of(item).dump());
      if (found != copied.end() && *found->second == item) copied.erase(found);
    }
    for (const auto& [key, item] : copied) {
      ++counts.raced;
      TRY_VOID(reconciler.reconcile(Json::parse(key), {*item}));
    }
    return {};
  }

  Result<void> unknown(const Error& why) const {
    if (migration_.options().skip_unknown) return {};
    return invalid(
        fmt::format("table {} has an item that {} does not describe: {}. Add its entity to the model, or leave "
                    "such items alone with --skip-unknown",
                    source_.table(), source_.transform->before().file, why.message));
  }

  void show(std::uint64_t items) {
    const std::lock_guard lock(mutex_);
    done_ += items;
    if (done_ < total_) bar_.show(done_, total_);
  }

  void give_up(const Error& error) {
    const std::lock_guard lock(mutex_);
    if (!failed_) error_ = error;
    failed_ = true;
  }

  Migration& migration_;
  const Source& source_;
  StateFile& state_;
  ProgressBar bar_;
  int segments_ = 1;
  std::uint64_t total_ = 1;
  std::uint64_t done_ = 0;  // guarded by mutex_, like error_ and the bar
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  Error error_;
};

}  // namespace

Result<BackfillReport> backfill(Migration& migration) {
  TRY_VOID(migration.prepared());
  TRY_VOID(migration.check_sources());
  BackfillReport report;
  const auto start = std::chrono::steady_clock::now();
  const double read_before = migration.throttle().read_units;
  const double write_before = migration.throttle().write_units;
  for (const Source& source : migration.sources()) {
    if (!source.has_work()) continue;
    TRY(const auto state, StateFile::open(migration.state_path("backfill-" + source.table())));
    TRY(const Counts counts, SourceBackfill(migration, source, *state).run());
    report.scanned += counts.scanned;
    report.written += counts.written;
    report.unchanged += counts.unchanged;
    report.left_out += counts.left_out;
    report.unknown += counts.unknown;
    report.raced += counts.raced;
  }
  report.read_units = migration.throttle().read_units - read_before;
  report.write_units = migration.throttle().write_units - write_before;
  report.throttled = migration.throttle().refused;
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  TRY_VOID(migration.update_status([](Json& document) {
    document["backfilled"] = true;
    document.erase("validated");
  }));
  return report;
}

}  // namespace stator::design
