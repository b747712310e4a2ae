#include "design/migrate/sync.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <thread>

#include "base/clock.h"
#include "client/stream_source.h"
#include "design/generate/random.h"
#include "design/migrate/reconcile.h"

namespace stator::design {

namespace {

using client::Json;

constexpr std::size_t kFullPage = 1000;  // records; less means that the end was reached
// Clocks differ: what was written a little before the migration began is looked at, too.
constexpr std::int64_t kClockSlackMs = 300'000;
constexpr std::int64_t kKeptMs = 86'400'000;  // that the service keeps records for

// What a page of records says about one item.
struct Touched {
  Json key;
  std::vector<Json> images;  // earlier and later forms, as far as the stream has them
};

// One source. The state file: {"stream": arn, "shards": {id: {"after": sequence number} | {"ended": true}}}
class SourceSync {
 public:
  SourceSync(Migration& migration, const Source& source) : migration_(migration), source_(source) {}

  Result<void> open() {
    TRY(const Json status, migration_.prepared());
    since_ms_ = status["started_ms"].get<std::int64_t>() - kClockSlackMs;
    stream_ = status.value("streams", Json::object()).value(source_.table(), std::string());
    if (stream_.empty())
      return invalid(fmt::format("no stream of {} is known; call `migrate prepare`", source_.table()));
    TRY(reader_, client::StreamSource::create(migration_.options().connection));
    TRY(state_, StateFile::open(migration_.state_path("sync-" + source_.table())));
    if (state_->read().value("stream", "") == stream_) return {};
    if (base::SystemClock().now_ms() - status["started_ms"].get<std::int64_t>() > kKeptMs)
      return tl::unexpected<Error>(lost());
    return state_->update([&](Json& document) {
      document = {{"stream", stream_}, {"shards", Json::object()}};
      for (const Json& shard : status.value("shards", Json::object()).value(source_.table(), Json::array())) {
        document["shards"][shard.get<std::string>()] = Json::object();
      }
    });
  }

  // Reads what every shard has now. True where nothing was left at any shard's end.
  Result<bool> round(SyncReport& report) {
    bool complete = true;
    TRY(const client::ShardList list, reader_->shards(stream_));
    const Json shards = state_->read()["shards"];
    const auto ended = [&](const std::string& id) { return shards.contains(id) && shards[id].contains("ended"); };
    const auto is_listed = [&](const std::string& id) {
      return std::any_of(list.shards.begin(), list.shards.end(), [&](const auto& shard) { return shard.id == id; });
    };
    for (const auto& [id, place] : shards.items())
      if (!place.contains("ended") && !is_listed(id)) return tl::unexpected<Error>(lost());
    for (const client::Shard& shard : list.shards) {
      if (ended(shard.id)) continue;
      if (!shard.parent.empty() && is_listed(shard.parent) && !ended(shard.parent)) {
        complete = false;  // its turn comes when its parent has ended
        continue;
      }
      TRY(const bool all, read_shard(shard.id, shards.value(shard.id, Json::object()), report));
      complete = complete && all;
      if (migration_.stop().requested()) return tl::unexpected<Error>(interrupted());
    }
    if (!list.enabled) {
      return fail(ErrorCode::unavailable,
                  fmt::format("the stream of {} was turned off: changes are lost. Call `migrate "
                              "prepare` and `migrate backfill` with a new --state folder",
                              source_.table()));
    }
    return complete;
  }

 private:
  Result<std::string> iterator(const std::string& shard, const Json& place) {
    if (place.contains("after")) {
      return reader_->iterator(stream_, shard, "AFTER_SEQUENCE_NUMBER", place["after"].get<std::string>());
    }
    return reader_->iterator(stream_, shard, "TRIM_HORIZON");
  }

  Result<bool> read_shard(const std::string& shard, const Json& place, SyncReport& report) {
    auto next = iterator(shard, place);
    if (!next) return tl::unexpected<Error>(explained(next.error()));
    std::string from = *next;
    while (!migration_.stop().requested()) {
      auto page = reader_->records(from);
      if (!page) return tl::unexpected<Error>(explained(page.error()));
      const std::size_t count = page->records.size();
      if (count > 0) {
        TRY_VOID(apply(page->records, report));
        TRY_VOID(move_to(shard, {{"after", page->records.back()["dynamodb"].value("SequenceNumber", "")}}));
      }
      if (!page->next) {
        TRY_VOID(move_to(shard, {{"ended", true}}));
        return false;  // its children are for the next round
      }
      if (count < kFullPage) return true;
      from = *page->next;
    }
    return false;
  }

  Result<void> move_to(const std::string& shard, const Json& place) {
    return state_->update([&](Json& document) { document["shards"][shard] = place; });
  }

  Error explained(const Error& error) const { return error.code == ErrorCode::trimmed_data ? lost() : error; }

  [[nodiscard]] Error lost() const {
    return Error{ErrorCode::trimmed_data, fmt::format("changes of {} are older than what its stream keeps, and lost. "
                                                      "Begin anew with another --state folder",
                                                      source_.table())};
  }

  // Every item of the page once: what counts is what the source has now.
  Result<void> apply(const Json& records, SyncReport& report) {
    std::map<std::string, Touched> items;
    for (const Json& record : records) {
      const Json& change = record.contains("dynamodb") ? record["dynamodb"] : record;
      ++report.records;
      const double created_s = change.value("ApproximateCreationDateTime", 0.0);
      if (created_s > 0 && created_s * 1000 < static_cast<double>(since_ms_)) continue;
      const Json key = change.value("Keys", Json::object());
      Touched& touched = items[key.dump()];
      touched.key = key;
      for (const char* image : {"OldImage", "NewImage"})
        if (change.contains(image)) touched.images.push_back(change[image]);
    }
    const int threads = std::clamp(migration_.options().segments, 1, 16);
    std::vector<std::vector<const Touched*>> lanes(static_cast<std::size_t>(threads));
    for (const auto& [key, touched] : items) lanes[hash_text(key) % lanes.size()].push_back(&touched);
    std::vector<Result<SyncReport>> results(lanes.size());
    std::vector<std::thread> workers;
    for (std::size_t at = 0; at < lanes.size(); ++at) {
      if (!lanes[at].empty()) workers.emplace_back([&, at] { results[at] = apply_lane(lanes[at]); });
    }
    for (std::thread& worker : workers) worker.join();
    for (const auto& result : results) {
      if (!result) return tl::unexpected<Error>(result.error());
      report.written += result->written;
      report.unchanged += result->unchanged;
    }
    return {};
  }

  Result<SyncReport> apply_lane(const std::vector<const Touched*>& items) {
    SyncReport report;
    TRY(const auto session, Session::create(migration_.options().connection, migration_.throttle()));
    Reconciler reconciler(*source_.transform, *session);
    for (const Touched* touched : items) {
      TRY(const bool skip, settled_or_unknown(*touched));
      if (skip) {
        ++report.unchanged;
        continue;
      }
      TRY(const Reconciled done, reconciler.reconcile(touched->key, touched->images));
      (done == Reconciled::written ? report.written : report.unchanged) += 1;
    }
    return report;
  }

  // In place the stream brings our own writes back: an image that is as it should be needs no look at the table; what
  // was written after it has a record of its own.
  Result<bool> settled_or_unknown(const Touched& touched) {
    if (touched.images.empty()) return false;
    const Json& latest = touched.images.back();
    if (const auto path = source_.transform->path_of(latest); !path) {
      if (migration_.options().skip_unknown) return true;
      return invalid(
          fmt::format("a change of table {} is of no entity that {} describes: {}. Add it to the model, or leave "
                      "such items alone with --skip-unknown",
                      source_.table(), source_.transform->before().file, path.error().message));
    }
    if (!source_.in_place()) return false;
    TRY(const Json request, Reconciler::update_request(*source_.transform, latest));
    return request.is_null();
  }

  Migration& migration_;
  const Source& source_;
  std::string stream_;
  std::int64_t since_ms_ = 0;
  std::unique_ptr<client::StreamSource> reader_;
  std::unique_ptr<StateFile> state_;
};

}  // namespace

Result<SyncReport> Sync::run(SyncUntil until, const base::Stop* over) {
  auto report = follow(until, over);
  ended_ = true;
  return report;
}

Result<SyncReport> Sync::follow(SyncUntil until, const base::Stop* over) {
  std::vector<std::unique_ptr<SourceSync>> sources;
  for (const Source& source : migration_.sources()) {
    if (!source.has_work()) continue;
    sources.push_back(std::make_unique<SourceSync>(migration_, source));
    TRY_VOID(sources.back()->open());
  }
  SyncReport report;
  int complete_rounds = 0;
  while (!migration_.stop().requested() && (over == nullptr || !over->requested())) {
    const std::uint64_t before = report.records;
    bool complete = true;
    for (const auto& source : sources) {
      const auto all = source->round(report);
      if (!all && is_interrupted(all.error())) break;
      TRY(const bool done, all);
      complete = complete && done;
    }
    if (complete) {
      ++rounds_;
      ++complete_rounds;
    }
    // The second round begins after the first one has seen the end of every shard.
    if (until == SyncUntil::caught_up && complete_rounds >= 2) return report;
    if (report.records == before && complete) migration_.stop().wait_ms(migration_.options().poll_ms);
  }
  if (until == SyncUntil::caught_up) return tl::unexpected<Error>(interrupted());
  return report;
}

}  // namespace stator::design
