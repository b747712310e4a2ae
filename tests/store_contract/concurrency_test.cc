// S1, S3 and S4 with many threads at once.

#include <array>
#include <atomic>
#include <map>
#include <mutex>
#include <random>
#include <thread>

#include "backends.h"

namespace stator::store {
namespace {

constexpr int kThreads = 16;

class Concurrency : public testing::TestWithParam<BackendKind> {
 protected:
  void SetUp() override {
    Result<std::unique_ptr<Store>> opened = backend_->open();
    ASSERT_TRUE(opened.has_value()) << opened.error().message;
    store_ = std::move(*opened);
  }
  void TearDown() override { EXPECT_OK(store_->close()); }

  template <class Function>
  static void in_threads(int count, Function function) {
    std::vector<std::thread> threads;
    for (int i = 0; i < count; ++i) threads.emplace_back(function, i);
    for (std::thread& thread : threads) thread.join();
  }

  // Adds one to a decimal number by read, decide, guarded commit, until it succeeds.
  Result<void> increment(std::string_view key, ReadMode mode) {
    for (;;) {
      TRY(const Row row, base::sync_wait(store_->get(key, mode)));
      const long before = row.exists ? std::stol(std::string(row.value.view())) : 0;
      const std::string after = std::to_string(before + 1);
      Batch batch;
      batch.guards = {{key, row.version}};
      batch.puts = {{key, after}};
      const Result<void> done = commit(*store_, batch);
      if (done || done.error().code != ErrorCode::conflict) return done;
    }
  }

  // The same for the rows of a range, all in one commit.
  Result<void> increment_range(Range range) {
    for (;;) {
      TRY(const std::vector<KeyedRow> rows, base::sync_wait(store_->get_range(range, 100)));
      std::vector<std::string> after;
      for (const KeyedRow& row : rows) {
        if (!row.row.exists) continue;
        after.push_back(std::to_string(std::stol(std::string(row.row.value.view())) + 1));
      }
      if (after.size() != rows.size()) return fail(ErrorCode::internal, "a row is gone");
      Batch batch;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        batch.guards.push_back({rows[i].key, rows[i].row.version});
        batch.puts.push_back({rows[i].key, after[i]});
      }
      const Result<void> done = commit(*store_, batch);
      if (done || done.error().code != ErrorCode::conflict) return done;
    }
  }

  std::unique_ptr<Backend> backend_ = GetParam().make();
  std::unique_ptr<Store> store_;
};

INSTANTIATE_TEST_SUITE_P(Backends, Concurrency, testing::ValuesIn(all_backends()),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST_P(Concurrency, GuardedIncrementsOfOneRowLoseNothing) {
  constexpr int kIncrements = 200;
  in_threads(kThreads, [&](int) {
    for (int i = 0; i < kIncrements; ++i) ASSERT_OK(increment("hot", ReadMode::latest));
  });
  EXPECT_EQ(value_of(*store_, "hot"), std::to_string(kThreads * kIncrements));
}

TEST_P(Concurrency, GuardsFromCommittedReadsLoseNothingEither) {
  constexpr int kIncrements = 20;
  in_threads(kThreads, [&](int) {
    for (int i = 0; i < kIncrements; ++i) ASSERT_OK(increment("hot", ReadMode::committed));
  });
  EXPECT_EQ(value_of(*store_, "hot"), std::to_string(kThreads * kIncrements));
}

TEST_P(Concurrency, MixedReadModesLoseNothing) {
  constexpr int kIncrements = 50;
  in_threads(kThreads, [&](int thread) {
    const ReadMode mode = thread % 2 == 0 ? ReadMode::latest : ReadMode::committed;
    for (int i = 0; i < kIncrements; ++i) ASSERT_OK(increment("hot", mode));
  });
  EXPECT_EQ(value_of(*store_, "hot"), std::to_string(kThreads * kIncrements));
}

TEST_P(Concurrency, GuardsFromReadsOfARangeLoseNothing) {
  constexpr int kIncrements = 20;
  constexpr int kReaders = 4;
  const std::string_view keys[] = {"r/1", "r/2", "r/3"};
  for (const std::string_view key : keys) ASSERT_OK(put(*store_, key, "0"));
  in_threads(2 * kReaders, [&](int thread) {
    for (int i = 0; i < kIncrements; ++i) {
      if (thread < kReaders) {
        ASSERT_OK(increment_range({"r/", "r0"}));
      } else {
        for (const std::string_view key : keys) ASSERT_OK(increment(key, ReadMode::latest));
      }
    }
  });
  for (const std::string_view key : keys) {
    EXPECT_EQ(value_of(*store_, key), std::to_string(2 * kReaders * kIncrements)) << key;
  }
}

TEST_P(Concurrency, S4ACommittedReadSeesEveryAnsweredCommit) {
  std::atomic<long> answered{0};
  in_threads(8, [&](int thread) {
    if (thread == 0) {
      for (long i = 1; i <= 300; ++i) {
        ASSERT_OK(put(*store_, "k", std::to_string(i)));
        answered = i;
      }
      return;
    }
    long seen_before = 0;
    while (seen_before < 300) {
      const long least = std::max(answered.load(), seen_before);
      const Row row = get(*store_, "k");
      const long seen = row.exists ? std::stol(std::string(row.value.view())) : 0;
      ASSERT_GE(seen, least);
      seen_before = seen;
    }
  });
}

TEST_P(Concurrency, EqualVersionsMeanEqualValues) {
  const int writes = store_->shared() ? 200 : 2000;  // readers in memory leave daemons on the same machine little time
  std::atomic<bool> ended{false};
  std::mutex mutex;
  std::map<Version, std::string> values;
  in_threads(6, [&](int thread) {
    if (thread == 0) {
      for (int i = 0; i < writes; ++i) ASSERT_OK(put(*store_, "k", std::to_string(i)));
      ended = true;
      return;
    }
    const ReadMode mode = thread % 2 == 0 ? ReadMode::latest : ReadMode::committed;
    while (!ended) {
      const Row row = get(*store_, "k", mode);
      const std::string value = row.exists ? std::string(row.value.view()) : "<absent>";
      const std::lock_guard lock(mutex);
      ASSERT_EQ(values.emplace(row.version, value).first->second, value);
    }
  });
}

TEST_P(Concurrency, AddsNeverConflictAndLoseNothing) {
  constexpr int kAdds = 100;
  in_threads(kThreads, [&](int thread) {
    const std::array<std::int64_t, 2> deltas = {1, thread};
    Batch batch;
    batch.adds = {{"n", deltas}};
    for (int i = 0; i < kAdds; ++i) ASSERT_OK(commit(*store_, batch));
  });
  EXPECT_EQ(counters(*store_, "n", 2),
            (std::vector<std::int64_t>{kThreads * kAdds, kAdds * kThreads * (kThreads - 1) / 2}));
}

// A writer may have to decide once more for each erasure, whatever its range, but not again and
// again while it is in line.
TEST_P(Concurrency, ErasuresOfOtherRangesCostAWriterOneConflictEach) {
  constexpr int kIncrements = 200;
  constexpr int kErasures = 30;
  std::atomic<int> conflicts{0};
  in_threads(2, [&](int thread) {
    if (thread == 0) {
      for (int i = 0; i < kErasures; ++i)
        ASSERT_OK(base::sync_wait(store_->erase_range({"dropped", "dropped!"})));
      return;
    }
    for (int number = 0; number < kIncrements;) {
      const Row row = get(*store_, "k", ReadMode::latest);
      ASSERT_EQ(row.exists ? std::string(row.value.view()) : "0", std::to_string(number));
      const std::string after = std::to_string(number + 1);
      Batch batch;
      batch.guards = {{"k", row.version}};
      batch.puts = {{"k", after}};
      const Result<void> done = commit(*store_, batch);
      ASSERT_TRUE(done || done.error().code == ErrorCode::conflict) << done.error().message;
      done ? ++number : ++conflicts;
    }
  });
  EXPECT_LE(conflicts, kErasures);
  EXPECT_EQ(value_of(*store_, "k"), std::to_string(kIncrements));
}

// Money moves between accounts; every scan must find the same sum (S1, S5).
TEST_P(Concurrency, ScansSeeWholeCommits) {
  constexpr int kAccounts = 8;
  constexpr long kEach = 1000;
  std::vector<std::string> accounts;
  for (int i = 0; i < kAccounts; ++i) accounts.push_back("account " + std::to_string(i));
  for (const std::string& account : accounts)
    ASSERT_OK(put(*store_, account, std::to_string(kEach)));

  std::atomic<int> writers_left{4};
  in_threads(6, [&](int thread) {
    if (thread >= 4) {
      const Direction direction = thread == 4 ? Direction::ascending : Direction::descending;
      do {
        long sum = 0;
        for (const auto& [account, amount] : scan(*store_, {"account", "b"}, direction))
          sum += std::stol(amount);
        ASSERT_EQ(sum, kAccounts * kEach);
      } while (writers_left > 0);
      return;
    }
    std::mt19937 random(static_cast<unsigned>(thread));
    for (int i = 0; i < 100;) {
      const std::string& from = accounts[random() % kAccounts];
      const std::string& to = accounts[random() % kAccounts];
      if (from == to) continue;
      const Row debit = get(*store_, from, ReadMode::latest);
      const Row credit = get(*store_, to, ReadMode::latest);
      const std::string less = std::to_string(std::stol(std::string(debit.value.view())) - 1);
      const std::string more = std::to_string(std::stol(std::string(credit.value.view())) + 1);
      Batch batch;
      batch.guards = {{from, debit.version}, {to, credit.version}};
      batch.puts = {{from, less}, {to, more}};
      const Result<void> done = commit(*store_, batch);
      if (!done) {
        ASSERT_EQ(done.error().code, ErrorCode::conflict);
      }
      i += done ? 1 : 0;
    }
    --writers_left;
  });
}

// A range that was read in part before is read in one state all the same: a store that keeps its beginning must not add
// an end that is newer.
TEST_P(Concurrency, AScanThatGoesOnBehindAKnownBeginningShowsOneState) {
  constexpr int kRounds = 3000;
  const Range range{"collect-1/", "collect-1/z"};
  const auto write = [&](int number) {
    const std::string value = std::to_string(number);
    Batch batch;
    for (const char* key : {"collect-1/a", "collect-1/b", "collect-1/c", "collect-1/d"}) batch.puts.push_back({key, value});
    ASSERT_OK(commit(*store_, batch));
  };
  write(0);
  std::atomic<int> scans{0};
  std::atomic<bool> ended{false};
  std::thread reader([&] {
    while (!ended) {
      // Twice, so that a store sees that it is worth keeping.
      for (int i = 0; i < 2; ++i) static_cast<void>(scan(*store_, range, Direction::ascending, 2));
      const Rows rows = scan(*store_, range);
      ++scans;
      ASSERT_EQ(rows.size(), 4u);
      for (const auto& [key, value] : rows) ASSERT_EQ(value, rows.front().second) << key;
    }
  });
  std::mt19937 random(std::random_device{}());
  for (int round = 1; round <= kRounds && !HasFailure(); ++round) {
    const int seen = scans;
    while (scans < seen + 2 && !HasFailure()) std::this_thread::yield();
    for (auto spins = random() % 400; spins > 0; --spins) static_cast<void>(scans.load());
    write(round);
  }
  ended = true;
  reader.join();
}

}  // namespace
}  // namespace stator::store
