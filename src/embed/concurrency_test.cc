#include <atomic>
#include <thread>

#include "embed/test_support.h"

namespace stator {
namespace {

constexpr int kThreads = 8;
constexpr int kRounds = 50;

class Threads : public AppTest {
 protected:
  template <class Work>
  static void run(Work work) {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kThreads; ++i) threads.emplace_back(work, i);
  }
};
STATOR_ON_BOTH_BACKENDS(Threads);

TEST_P(Threads, DoNotLoseEachOthersUpdates) {
  run([this](int) {
    for (int i = 0; i < kRounds; ++i) {
      db().update_item({.table_name = "app",
                        .key = {{"PK", "COUNTER"}, {"SK", "1"}},
                        .update = "ADD visits :one",
                        .values = {{":one", 1}}})
          .value();
    }
  });
  EXPECT_EQ(get("COUNTER", "1").value().at("visits"), AttributeValue(kThreads * kRounds));
}

TEST_P(Threads, WriteAndReadAtOnce) {
  std::atomic<int> won = 0;
  run([&](int thread) {
    for (int i = 0; i < kRounds; ++i) {
      const std::string sort = std::to_string(i);
      const auto put = db().put_item({.table_name = "app",
                                      .item = {{"PK", "RACE"}, {"SK", sort}, {"thread", thread}},
                                      .condition = "attribute_not_exists(PK)"});
      if (put) ++won;
      const std::optional<Item> seen = get("RACE", sort);
      ASSERT_TRUE(seen);
      db().query({.table_name = "app",
                  .key_condition = "PK = :r",
                  .values = {{":r", "RACE"}},
                  .limit = 5})
          .value();
    }
  });
  EXPECT_EQ(won, kRounds);
}

TEST_P(Threads, CreateAndDeleteTablesAtOnce) {
  run([this](int thread) {
    const std::string name = "table-" + std::to_string(thread);
    for (int i = 0; i < 5; ++i) {
      db().create_table({.table_name = name, .key = {.partition = {"id"}}}).value();
      db().put_item({.table_name = name, .item = {{"id", "x"}}}).value();
      EXPECT_EQ(db().scan({.table_name = name}).value().count, 1);
      db().delete_table({.table_name = name}).value();
    }
  });
  EXPECT_EQ(db().list_tables().value().table_names, std::vector<std::string>{"app"});
}

TEST_P(Threads, FinishTheirCallsBeforeTheDatabaseIsClosed) {
  std::atomic<int> started = 0;
  std::atomic<int> refused = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&, i] {
        ++started;
        for (int n = 0;; ++n) {
          const auto put =
              db().put_item({.table_name = "app",
                             .item = {{"PK", std::to_string(i)}, {"SK", std::to_string(n)}}});
          if (put) continue;
          EXPECT_EQ(put.error().text(), "ServiceUnavailable: the database is closed");
          ++refused;
          return;
        }
      });
    }
    while (started < kThreads) std::this_thread::yield();
    EXPECT_TRUE(db().close());
  }
  EXPECT_EQ(refused, kThreads);
}

}  // namespace
}  // namespace stator
