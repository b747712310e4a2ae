// Fences of spaces (S8), and announcements, between nodes.

#include <atomic>
#include <thread>

#include "../store_contract/backends.h"
#include "store/rados/rados_store.h"

namespace stator::store {
namespace {

using rados::RadosStore;
using rados::Step;

class Spaces : public testing::Test {
 protected:
  std::unique_ptr<RadosStore> open() {
    RadosOptions options;
    options.configuration = std::getenv("STATOR_CEPH_CONF");
    options.pool = std::getenv("STATOR_CEPH_POOL");
    options.name_space = name_space_;
    options.timeout = std::chrono::seconds(60);
    options.patience = std::chrono::milliseconds(200);
    Result<std::unique_ptr<RadosStore>> opened = rados::open(options);
    EXPECT_TRUE(opened.has_value()) << opened.error().message;
    return opened ? std::move(*opened) : nullptr;
  }
  static Result<void> write(Store& store, std::vector<std::string> keys, std::uint64_t number) {
    Batch batch;
    for (const std::string& key : keys) batch.puts.push_back({key, "v"});
    batch.fences = {{"t", number}};
    return commit(store, batch);
  }
  static void expect_refused(const Result<void>& written) {
    ASSERT_FALSE(written.has_value());
    EXPECT_TRUE(is_outdated(written.error())) << written.error().message;
  }
  // Rows t0 to t9 in several leaves.
  static void make_leaves(RadosStore& store) {
    for (int i = 0; i < 10; ++i) ASSERT_OK(put(store, "t" + std::to_string(i), "v"));
    for (const char* key : {"t0", "t9", "t0", "t9"}) ASSERT_OK(base::sync_wait(store.split_leaf_of(key)));
  }

  const std::string name_space_ =
      "spaces-" + std::to_string(std::chrono::steady_clock::now().time_since_epoch().count());
};

TEST_F(Spaces, RefuseOlderWritersOfEveryNode) {
  const auto one = open(), two = open();
  ASSERT_OK(write(*two, {"t1"}, 4));
  ASSERT_OK(base::sync_wait(one->raise_fence("t", 5)));
  expect_refused(write(*one, {"t1"}, 4));
  expect_refused(write(*two, {"t1"}, 4));
  ASSERT_OK(write(*two, {"t1"}, 5));
  ASSERT_OK(write(*two, {"u1"}, 4));  // no key of the space
  ASSERT_OK(base::sync_wait(two->raise_fence("t", 3)));  // never lowered
  expect_refused(write(*two, {"t1"}, 4));
}

TEST_F(Spaces, AreFencedInEveryLeafAlsoAfterASplit) {
  const auto one = open(), two = open();
  make_leaves(*one);
  ASSERT_OK(base::sync_wait(one->raise_fence("t", 5)));
  for (int i = 0; i < 10; ++i) expect_refused(write(*two, {"t" + std::to_string(i)}, 4));
  expect_refused(write(*two, {"t0", "t9"}, 4));  // across leaves
  ASSERT_OK(write(*two, {"t0", "t9"}, 5));
  for (const char* key : {"t0", "t4", "t9"}) ASSERT_OK(base::sync_wait(one->split_leaf_of(key)));
  for (int i = 0; i < 10; ++i) expect_refused(write(*two, {"t" + std::to_string(i)}, 4));
}

// A transaction that was prepared before the fence: when it is raised, the transaction is over, one way or the other.
TEST_F(Spaces, WaitForTransactionsThatWerePrepared) {
  const auto one = open(), two = open();
  make_leaves(*one);
  ASSERT_OK(put(*one, "z", "home"));
  std::atomic<bool> prepared{false};
  std::atomic<bool> go_on{false};
  two->set_fault_hook([&](Step step) {
    if (step == Step::prepared) {
      prepared = true;
      while (!go_on) std::this_thread::yield();
    }
    return false;
  });
  std::optional<Result<void>> written;
  std::thread writer([&] { written = write(*two, {"t0", "t9"}, 4); });
  while (!prepared) std::this_thread::yield();
  ASSERT_OK(base::sync_wait(one->raise_fence("t", 5)));
  const std::string before = value_of(*one, "t0") + value_of(*one, "t9");
  go_on = true;
  writer.join();
  EXPECT_EQ(value_of(*one, "t0") + value_of(*one, "t9"), before);
  EXPECT_FALSE(written->has_value());
}

TEST_F(Spaces, FencesRaisedWhileLeavesSplitAndNodesWriteHold) {
  const auto one = open(), two = open();
  make_leaves(*one);
  std::atomic<std::uint64_t> fence{0};
  std::atomic<bool> stop{false};
  std::atomic<int> refused{0};
  std::thread writer([&] {
    for (int i = 0; !stop; ++i) {
      const std::uint64_t number = fence + static_cast<std::uint64_t>(i % 2);
      const std::uint64_t before = fence;  // what had been raised for certain when the write began
      const Result<void> written = write(*two, {"t" + std::to_string(i % 10) + std::to_string(i)}, number);
      if (written) {
        EXPECT_GE(number, before);
      } else {
        ASSERT_TRUE(is_outdated(written.error())) << written.error().message;
        ++refused;
      }
    }
  });
  for (std::uint64_t number = 1; number <= 10; ++number) {
    ASSERT_OK(base::sync_wait(one->raise_fence("t", number)));
    fence = number;
    ASSERT_OK(base::sync_wait(one->split_leaf_of("t" + std::to_string(number % 10))));
    expect_refused(write(*two, {"t5"}, number - 1));
  }
  stop = true;
  writer.join();
}

TEST_F(Spaces, AnnouncementsReachOtherNodesBeforeTheyAreAnswered) {
  const auto one = open(), two = open();
  std::atomic<int> heard{0};
  two->listen([&]() -> base::Task<Result<void>> {
    ++heard;
    return base::Task<Result<void>>::ready({});
  });
  while (heard == 0) std::this_thread::yield();  // once when the watch stands
  for (int i = 1; i <= 5; ++i) {
    ASSERT_OK(base::sync_wait(one->announce()));
    EXPECT_EQ(heard, 1 + i);
  }
  ASSERT_OK(two->close());
  ASSERT_OK(base::sync_wait(one->announce()));
}

}  // namespace
}  // namespace stator::store
