// Several nodes on one pool: each store is what one process would open.

#include <atomic>
#include <random>
#include <thread>

#include "../store_contract/backends.h"
#include "store/rados/rados_store.h"

namespace stator::store {
namespace {

using rados::RadosStore;
using rados::Step;

class Nodes : public testing::Test {
 protected:
  // Small leaves, so that a handful of rows is several leaves.
  std::unique_ptr<RadosStore> open(bool small_leaves = true) {
    RadosOptions options;
    options.configuration = std::getenv("STATOR_CEPH_CONF");
    options.pool = std::getenv("STATOR_CEPH_POOL");
    options.name_space = name_space_;
    options.timeout = std::chrono::seconds(60);
    options.patience = std::chrono::milliseconds(200);
    if (small_leaves) {
      options.leaf_rows_max = 12;
      options.measure_after_rows = 6;
    }
    Result<std::unique_ptr<RadosStore>> opened = rados::open(options);
    EXPECT_TRUE(opened.has_value()) << opened.error().message;
    return opened ? std::move(*opened) : nullptr;
  }

  template <class Function>
  static void in_threads(int count, Function function) {
    std::vector<std::thread> threads;
    for (int i = 0; i < count; ++i) threads.emplace_back(function, i);
    for (std::thread& thread : threads) thread.join();
  }

  static std::string account(int i) { return "account " + std::to_string(100 + i); }
  static long amount(const Row& row) { return std::stol(std::string(row.value.view())); }

  // Moves one from an account to another: false after a conflict.
  static Result<bool> move(Store& store, const std::string& from, const std::string& to) {
    const Row debit = get(store, from, ReadMode::latest);
    const Row credit = get(store, to, ReadMode::latest);
    const std::string less = std::to_string(amount(debit) - 1);
    const std::string more = std::to_string(amount(credit) + 1);
    Batch batch;
    batch.guards = {{from, debit.version}, {to, credit.version}};
    batch.puts = {{from, less}, {to, more}};
    const Result<void> done = commit(store, batch);
    if (done) return true;
    if (done.error().code == ErrorCode::conflict) return false;
    return tl::unexpected<Error>(done.error());
  }

  // The sum of all accounts by a validated read, which is one moment whatever the leaves.
  static long sum_of(Store& store, int accounts) {
    for (;;) {
      Batch batch;
      std::vector<std::string> keys;
      for (int i = 0; i < accounts; ++i) keys.push_back(account(i));
      const std::vector<std::string_view> views(keys.begin(), keys.end());
      auto rows = base::sync_wait(store.get_many(views, ReadMode::committed));
      EXPECT_TRUE(rows.has_value());
      long sum = 0;
      for (std::size_t i = 0; i < rows->size(); ++i) {
        sum += amount((*rows)[i]);
        batch.guards.push_back({keys[i], (*rows)[i].version});
      }
      const Result<void> valid = commit(store, batch);
      if (valid) return sum;
      EXPECT_EQ(valid.error().code, ErrorCode::conflict) << valid.error().message;
    }
  }

  static void make_accounts(Store& store, int accounts, long each) {
    for (int i = 0; i < accounts; ++i) ASSERT_OK(put(store, account(i), std::to_string(each)));
  }

  const std::string name_space_ =
      "nodes-" + std::to_string(std::chrono::steady_clock::now().time_since_epoch().count());
};

TEST_F(Nodes, SeeEachOthersCommitsAtOnce) {
  const auto one = open(), two = open();
  for (int i = 0; i < 60; ++i) {
    RadosStore& writer = i % 2 == 0 ? *one : *two;
    RadosStore& reader = i % 2 == 0 ? *two : *one;
    const std::string key = "k" + std::to_string(i % 25);
    ASSERT_OK(put(writer, key, std::to_string(i)));
    EXPECT_EQ(value_of(reader, key), std::to_string(i));
  }
  EXPECT_EQ(scan(*one, {}), scan(*two, {}));
  EXPECT_EQ(scan(*one, {}).size(), 25u);
}

TEST_F(Nodes, GuardsHoldAcrossNodes) {
  const auto one = open(), two = open();
  const Row seen = get(*one, "k");
  ASSERT_OK(put(*two, "k", "two"));
  Batch batch;
  batch.guards = {{"k", seen.version}};
  batch.puts = {{"k", "one"}};
  EXPECT_ERROR(commit(*one, batch), ErrorCode::conflict);
  EXPECT_EQ(value_of(*one, "k"), "two");
}

TEST_F(Nodes, TransactionsAcrossLeavesKeepTheSumWhileLeavesSplit) {
  constexpr int kAccounts = 20;
  constexpr int kMoves = 60;
  std::vector<std::unique_ptr<RadosStore>> stores;
  for (int i = 0; i < 3; ++i) stores.push_back(open());
  make_accounts(*stores[0], kAccounts, 100);
  std::atomic<int> movers{4};
  std::atomic<int> fillers_left{1};
  in_threads(6, [&](int thread) {
    std::mt19937 random(static_cast<unsigned>(thread));
    RadosStore& store = *stores[static_cast<std::size_t>(thread) % stores.size()];
    if (thread == 4) {  // rows between the accounts, so that leaves split between them all the time
      for (int i = 0; movers > 0; ++i) {
        ASSERT_OK(put(
            store, account(static_cast<int>(random() % kAccounts)) + " filler " + std::to_string(i),
            "x"));
      }
      fillers_left = 0;
      return;
    }
    if (thread == 5) {
      while (movers > 0) ASSERT_EQ(sum_of(store, kAccounts), kAccounts * 100);
      return;
    }
    for (int done = 0; done < kMoves;) {
      const int from = static_cast<int>(random() % kAccounts);
      const int to = static_cast<int>(
          (static_cast<unsigned>(from) + 1 + random() % (kAccounts - 1)) % kAccounts);
      const Result<bool> moved = move(store, account(from), account(to));
      ASSERT_TRUE(moved.has_value()) << moved.error().message;
      done += *moved ? 1 : 0;
    }
    --movers;
  });
  for (const auto& store : stores) EXPECT_EQ(sum_of(*store, kAccounts), kAccounts * 100);
  EXPECT_EQ(scan(*stores[0], {}), scan(*stores[1], {}));
  Rows descending = scan(*stores[2], {}, Direction::descending);
  std::reverse(descending.begin(), descending.end());
  EXPECT_EQ(descending, scan(*stores[0], {}));
}

TEST_F(Nodes, AddsAndAppendsOfSeveralNodesLoseNothing) {
  constexpr int kEach = 60;
  std::vector<std::unique_ptr<RadosStore>> stores;
  for (int i = 0; i < 3; ++i) stores.push_back(open());
  in_threads(3, [&](int thread) {
    RadosStore& store = *stores[static_cast<std::size_t>(thread)];
    const std::int64_t deltas[] = {1, thread};
    for (int i = 0; i < kEach; ++i) {
      const std::string key = "row " + std::to_string(i) + " of " + std::to_string(thread);
      const std::string value = std::to_string(thread) + "/" + std::to_string(i);
      Batch batch;
      batch.puts = {{key, value}};
      batch.adds = {{"statistics", deltas}, {"z statistics", deltas}};
      batch.appends = {{"log", value}};
      ASSERT_OK(commit(store, batch));
    }
  });
  for (const auto& store : stores) {
    EXPECT_EQ(counters(*store, "statistics", 2), (std::vector<std::int64_t>{3 * kEach, 3 * kEach}));
    EXPECT_EQ(counters(*store, "z statistics", 2),
              (std::vector<std::int64_t>{3 * kEach, 3 * kEach}));
    // S7: all there, each node's in its order.
    std::map<char, int> next;
    for (const auto& [key, value] : scan(*store, {"log", "loh"})) {
      EXPECT_EQ(value.substr(2), std::to_string(next[value[0]]++));
    }
    EXPECT_EQ(next, (std::map<char, int>{{'0', kEach}, {'1', kEach}, {'2', kEach}}));
  }
}

TEST_F(Nodes, ATransactionOfADeadNodeIsResolvedByAnother) {
  constexpr int kAccounts = 30;
  for (const Step step : {Step::prepared, Step::decided, Step::settled}) {
    SCOPED_TRACE(static_cast<int>(step));
    const auto survivor = open();
    make_accounts(*survivor, kAccounts, 10);
    for (int i = 0; i < 3; ++i)
      ASSERT_OK(base::sync_wait(survivor->split_leaf_of(account(i * 12))));
    auto victim = open();
    std::atomic<bool> stopped{false};
    victim->set_fault_hook([&](Step at) { return at == step ? stopped = true : false; });
    const Result<bool> moved = move(*victim, account(1), account(28));
    if (step == Step::settled) {
      ASSERT_OK(moved);
    } else {
      EXPECT_FALSE(moved.has_value());
    }
    ASSERT_OK(victim->close());
    victim.reset();
    EXPECT_TRUE(stopped) << "the accounts are in one leaf: the step was never reached";
    // Readers do not wait, and see all or nothing.
    const bool committed = step != Step::prepared;
    EXPECT_EQ(value_of(*survivor, account(1)), committed ? "9" : "10");
    EXPECT_EQ(value_of(*survivor, account(28)), committed ? "11" : "10");
    EXPECT_EQ(sum_of(*survivor, kAccounts), kAccounts * 10);
    long sum = 0;
    for (const auto& [key, value] : scan(*survivor, {"account", "b"})) sum += std::stol(value);
    EXPECT_EQ(sum, kAccounts * 10);
    // Writers get through.
    for (bool done = false; !done;) {
      const Result<bool> back = move(*survivor, account(28), account(1));
      ASSERT_OK(back);
      done = *back;
    }
    EXPECT_EQ(sum_of(*survivor, kAccounts), kAccounts * 10);
  }
}

TEST_F(Nodes, ASplitThatStoppedAtAnyStepIsFinishedByAnother) {
  int round = 0;
  for (const Step step : {Step::split_frozen, Step::split_copied_page, Step::split_copied,
                          Step::split_opened, Step::split_switched}) {
    SCOPED_TRACE(static_cast<int>(step));
    const std::string prefix = "table " + std::to_string(round++) + "/";
    const auto survivor = open(false);
    Rows expected;
    for (int i = 0; i < 40; ++i)
      expected.emplace_back(prefix + std::to_string(100 + i), std::to_string(i));
    Batch batch;
    for (const auto& [key, value] : expected) batch.puts.push_back({key, value});
    const std::int64_t one[] = {1};
    batch.adds = {{expected.front().first, one}, {expected.back().first, one}};
    batch.appends = {{prefix + "199 log", "first"}};
    ASSERT_OK(commit(*survivor, batch));

    auto victim = open(false);
    victim->set_fault_hook([&](Step at) { return at == step; });
    EXPECT_FALSE(base::sync_wait(victim->split_leaf_of(prefix + "120")).has_value());
    ASSERT_OK(victim->close());
    victim.reset();

    Rows rows = scan(*survivor, {prefix, prefix + "199"});
    EXPECT_EQ(rows, expected);
    for (auto& [key, value] : expected) {
      value += " again";
      ASSERT_OK(put(*survivor, key, value));
    }
    EXPECT_EQ(scan(*survivor, {prefix, prefix + "199"}), expected);
    EXPECT_EQ(counters(*survivor, expected.front().first, 1), (std::vector<std::int64_t>{1}));
    EXPECT_EQ(counters(*survivor, expected.back().first, 1), (std::vector<std::int64_t>{1}));
    Batch more;
    more.appends = {{prefix + "199 log", "second"}};
    ASSERT_OK(commit(*survivor, more));
    const Rows log = scan(*survivor, {prefix + "199 log", prefix + "199 loh"});
    ASSERT_EQ(log.size(), 2u);
    EXPECT_EQ(log[0].second, "first");
    EXPECT_EQ(log[1].second, "second");
    const auto newcomer = open(false);  // with the map from the pool
    EXPECT_EQ(scan(*newcomer, {prefix, prefix + "199"}), expected);
  }
}

TEST_F(Nodes, ANodeWithAnOldMapReachesRowsThatHaveMoved) {
  const auto old = open(false);
  const auto busy = open(false);
  Rows expected;
  for (int i = 0; i < 64; ++i) {
    expected.emplace_back("k" + std::to_string(100 + i), std::to_string(i));
    ASSERT_OK(put(*old, expected.back().first, expected.back().second));
  }
  for (int i = 0; i < 64; i += 4)
    ASSERT_OK(base::sync_wait(busy->split_leaf_of(expected[static_cast<std::size_t>(i)].first)));
  for (auto& [key, value] : expected) {
    EXPECT_EQ(value_of(*old, key), value);
    value += "!";
    ASSERT_OK(put(*old, key, value));
    EXPECT_EQ(value_of(*busy, key), value);
  }
  EXPECT_EQ(scan(*old, {}), expected);
  EXPECT_EQ(scan(*old, {"k110", "k150"}, Direction::descending),
            Rows(expected.rbegin() + 14, expected.rbegin() + 54));
}

}  // namespace
}  // namespace stator::store
