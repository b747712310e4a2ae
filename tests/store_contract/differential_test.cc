// The same random operations on every backend: all must give the same answers. STATOR_SEED replays
// a run.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <random>
#include <set>

#include "backends.h"

namespace stator::store {
namespace {

// Applies operations to all stores and compares what they answer. The first store is the reference.
class Comparison {
 public:
  explicit Comparison(std::uint64_t seed) : random_(seed) {
    for (const BackendKind& kind : all_backends()) {
      places_.push_back({kind, kind.make(), nullptr, {}});
      open(places_.back());
    }
  }
  ~Comparison() {
    for (Place& place : places_) {
      if (place.store) EXPECT_OK(place.store->close());
    }
  }

  void step() {
    switch (random_() % 20) {
      case 0:
        return erase_range();
      case 1:
        return reopen_those_that_keep_data();
      case 2:
      case 3:
        return compare_counters();
      case 4:
      case 5:
        return compare_scans();
      case 6:
      case 7:
      case 8:
        return compare_gets();
      default:
        return compare_commits();
    }
  }

 private:
  struct Place {
    BackendKind kind;
    std::unique_ptr<Backend> backend;
    std::unique_ptr<Store> store;
    std::map<std::string, Version> seen;  // versions from some read in the past
  };

  static void open(Place& place) {
    Result<std::unique_ptr<Store>> opened = place.backend->open();
    ASSERT_TRUE(opened.has_value()) << opened.error().message;
    place.store = std::move(*opened);
  }

  std::string random_key() {
    std::string key(1 + random_() % 3, '\0');
    for (char& byte : key)
      byte =
          "\x00"
          "ab\xff"[random_() % 4];
    return key;
  }
  std::string random_value() {
    return std::string(random_() % 50, static_cast<char>('a' + random_() % 26));
  }

  void compare_gets() {
    std::vector<std::string> keys;
    for (std::size_t i = 0; i < 1 + random_() % 5; ++i) keys.push_back(random_key());
    const std::vector<std::string_view> views(keys.begin(), keys.end());
    const ReadMode mode = random_() % 2 == 0 ? ReadMode::latest : ReadMode::committed;
    std::vector<std::string> answers;
    for (Place& place : places_) {
      const auto rows = base::sync_wait(place.store->get_many(views, mode));
      ASSERT_OK(rows);
      std::string answer;
      for (std::size_t i = 0; i < keys.size(); ++i) {
        const Row& row = (*rows)[i];
        answer += row.exists ? "=" + std::string(row.value.view()) + ";" : "-;";
        EXPECT_EQ(value_of(*place.store, keys[i], mode),
                  row.exists ? row.value.view() : "<absent>");
        place.seen[keys[i]] = row.version;
        put_since_seen_.erase(keys[i]);
      }
      answers.push_back(answer);
    }
    compare(answers);
  }

  void compare_commits() {
    std::map<std::string, std::string> puts;
    for (std::size_t i = random_() % 6; i > 0; --i) puts[random_key()] = random_value();
    std::map<std::string, bool> erases;
    for (std::size_t i = random_() % 3; i > 0; --i) erases[random_key()] = true;
    for (const auto& [key, value] : puts) erases.erase(key);
    std::vector<std::string> guarded;
    for (std::size_t i = random_() % 3; i > 0; --i) guarded.push_back(random_key());
    const std::vector<std::int64_t> deltas(random_() % 4,
                                           static_cast<std::int64_t>(random_() % 100) - 50);
    const std::string counter = "n" + random_key();

    const auto answer_of = [&](Place& place) -> std::string {
      Batch batch;
      for (const std::string& key : guarded) {
        if (const auto seen = place.seen.find(key); seen != place.seen.end()) {
          batch.guards.push_back({key, seen->second});
        }
      }
      for (const auto& [key, value] : puts) batch.puts.push_back({key, value});
      for (const auto& [key, erased] : erases) batch.erases.push_back(key);
      if (!deltas.empty()) batch.adds.push_back({counter, deltas});
      const Result<void> done = commit(*place.store, batch);
      return done ? "ok" : "error " + std::to_string(static_cast<int>(done.error().code));
    };
    std::vector<std::string> answers;
    for (Place& place : places_) answers.push_back(answer_of(place));
    if (std::find(answers.begin(), answers.end(), "ok") != answers.end()) {
      for (const std::string& key : guarded) EXPECT_FALSE(put_since_seen_.contains(key)) << "a guard was passed over";
      // A guard may break without need, where a store keeps versions of several keys in one place. Not twice.
      for (std::size_t i = 0; i < places_.size(); ++i) {
        if (answers[i] == "ok") continue;
        for (const std::string& key : guarded) {
          const auto seen = places_[i].seen.find(key);
          if (seen != places_[i].seen.end()) seen->second = get(*places_[i].store, key, ReadMode::latest).version;
        }
        answers[i] = answer_of(places_[i]);
      }
      for (const auto& [key, value] : puts) {
        if (places_[0].seen.contains(key)) put_since_seen_.insert(key);
      }
    }
    compare(answers);
  }

  void compare_scans() {
    std::string from = random_() % 4 == 0 ? "" : random_key();
    std::string to = random_() % 4 == 0 ? "" : random_key();
    const Direction direction = random_() % 2 == 0 ? Direction::ascending : Direction::descending;
    const std::size_t rows_max = random_() % 2 == 0 ? SIZE_MAX : 1 + random_() % 10;
    std::vector<std::string> answers;
    for (Place& place : places_) {
      std::string answer;
      for (const auto& [key, value] : scan(*place.store, {from, to}, direction, rows_max)) {
        answer += key + "=" + value + ";";
      }
      answers.push_back(answer);
    }
    compare(answers);
  }

  void compare_counters() {
    const std::string key = "n" + random_key();
    const std::size_t count = random_() % 5;
    std::vector<std::string> answers;
    for (Place& place : places_) {
      std::string answer;
      for (const std::int64_t sum : counters(*place.store, key, count))
        answer += std::to_string(sum) + ";";
      answers.push_back(answer);
    }
    compare(answers);
  }

  void erase_range() {
    const std::string from = random_key();
    const std::string to = random_() % 4 == 0 ? "" : random_key();
    put_since_seen_.clear();
    for (Place& place : places_) {
      ASSERT_OK(base::sync_wait(place.store->erase_range({from, to})));
      place.seen.clear();  // it may break more guards than it must, and not everywhere the same
    }
  }

  // Versions do not outlive a store, so all forget what they have seen.
  void reopen_those_that_keep_data() {
    if (random_() % 10 != 0) return;
    put_since_seen_.clear();
    for (Place& place : places_) {
      place.seen.clear();
      if (!place.kind.keeps_data) continue;
      ASSERT_OK(place.store->close());
      open(place);
    }
  }

  void compare(const std::vector<std::string>& answers) {
    for (std::size_t i = 1; i < answers.size(); ++i) {
      EXPECT_EQ(answers[i], answers[0])
          << places_[i].kind.name << " differs from " << places_[0].kind.name;
    }
  }

  std::mt19937_64 random_;
  std::vector<Place> places_;
  std::set<std::string> put_since_seen_;  // a guard on one of these must break
};

TEST(Differential, AllBackendsGiveTheSameAnswers) {
  const char* given = std::getenv("STATOR_SEED");
  const std::uint64_t seed =
      given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device()();
  std::printf("seed %llu (STATOR_SEED=%llu replays this run)\n",
              static_cast<unsigned long long>(seed), static_cast<unsigned long long>(seed));
  Comparison comparison(seed);
  for (int i = 0; i < 3000; ++i) {
    comparison.step();
    ASSERT_FALSE(testing::Test::HasFailure()) << "step " << i << " of seed " << seed;
  }
}

}  // namespace
}  // namespace stator::store
