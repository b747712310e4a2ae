// The RocksDB store on a disk that fails. What every store must do is tested in
// tests/store_contract.

#include "store/rocksdb/rocks_store.h"

#include <gtest/gtest.h>
#include <rocksdb/env.h>

#include <random>

#include "base/sync_wait.h"
#include "base/temporary_directory.h"
#include "store/rocksdb/fault_file_system.h"
#include "store/rocksdb/open_internal.h"

namespace stator::store {
namespace {

class RocksStoreFaults : public testing::Test {
 protected:
  void SetUp() override {
    options_.directory = directory_.path() / "data";
    options_.cache_bytes = 8 << 20;
    open(env_.get());
  }

  void open(rocksdb::Env* env) {
    Result<std::unique_ptr<RocksStore>> opened = open_rocks_store(options_, env);
    ASSERT_TRUE(opened.has_value()) << opened.error().message;
    store_ = std::move(*opened);
  }
  // Ends the store as it is, and opens what is on the disk.
  void reopen_after_faults() {
    store_.reset();
    open(nullptr);
  }
  Result<void> put(std::string_view key, std::string_view value) {
    Batch batch;
    batch.puts.push_back({key, value});
    return base::sync_wait(store_->commit(batch));
  }
  std::string value_of(std::string_view key, ReadMode mode = ReadMode::committed) {
    const Result<Row> row = base::sync_wait(store_->get(key, mode));
    if (!row) return row.error().message;
    return row->exists ? std::string(row->value.view()) : "<absent>";
  }

  const base::TemporaryDirectory directory_;
  RocksOptions options_;
  const std::shared_ptr<FaultFileSystem> disk_ = std::make_shared<FaultFileSystem>();
  const std::unique_ptr<rocksdb::Env> env_ = rocksdb::NewCompositeEnv(disk_);
  std::unique_ptr<RocksStore> store_;
};

TEST_F(RocksStoreFaults, EveryGroupIsSyncedOnce) {
  const int syncs = disk_->log_syncs();
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(put("k", std::to_string(i)));
  EXPECT_EQ(store_->statistics().groups, 10u);
  EXPECT_EQ(disk_->log_syncs() - syncs, 10);
}

TEST_F(RocksStoreFaults, RelaxedDurabilityDoesNotSync) {
  store_.reset();
  options_.durability = Durability::relaxed;
  open(env_.get());
  const int syncs = disk_->log_syncs();
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(put("k", std::to_string(i)));
  EXPECT_EQ(disk_->log_syncs() - syncs, 0);
}

TEST_F(RocksStoreFaults, AFailedSyncIsNeverAcknowledgedAndEndsAllCommits) {
  ASSERT_TRUE(put("k", "before"));
  disk_->fail_syncs(".log");
  const Result<void> failed = put("k", "lost");
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::unavailable) << failed.error().message;
  EXPECT_EQ(value_of("k"), "before");
  EXPECT_EQ(value_of("k", ReadMode::latest), "before");
  disk_->fail_syncs("none");
  EXPECT_FALSE(put("k", "the disk must not be trusted again"));
  disk_->power_off();
  store_.reset();
  disk_->drop_unsynced();
  open(nullptr);
  EXPECT_EQ(value_of("k"), "before");
  EXPECT_TRUE(put("k", "after"));
}

TEST_F(RocksStoreFaults, AFullLogIsAnErrorAndNothingAcknowledgedIsLost) {
  ASSERT_TRUE(put("a", "1"));
  disk_->fail_appends(".log");
  const Result<void> failed = put("b", "1");
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::out_of_space) << failed.error().message;
  EXPECT_EQ(value_of("a"), "1");
  EXPECT_EQ(value_of("b"), "<absent>");
  reopen_after_faults();
  EXPECT_EQ(value_of("a"), "1");
  EXPECT_TRUE(put("b", "2"));
}

TEST_F(RocksStoreFaults, CommitsGoOnWhenTheDiskHasRoomAgain) {
  ASSERT_TRUE(put("a", "1"));
  disk_->fail_appends(".log");
  ASSERT_FALSE(put("b", "1"));
  disk_->fail_appends("none");
  Result<void> done = put("c", "1");
  while (!done && done.error().code == ErrorCode::out_of_space) done = put("c", "1");
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(value_of("a"), "1");
  EXPECT_EQ(value_of("b"), "<absent>");
  disk_->power_off();
  store_.reset();
  disk_->drop_unsynced();
  open(nullptr);
  EXPECT_EQ(value_of("a"), "1");
  EXPECT_EQ(value_of("b"), "<absent>");
  EXPECT_EQ(value_of("c"), "1");
}

// Writers decide and get in line while a range is erased, as they do behind any other commit.
TEST_F(RocksStoreFaults, AnErasureInLineDoesNotHoldUpDecisions) {
  for (const char* key : {"a", "dropped 1", "dropped 2"}) ASSERT_TRUE(put(key, "old"));
  disk_->hold_log_syncs();
  std::thread eraser([&] {
    EXPECT_TRUE(base::sync_wait(store_->erase_range({"dropped", "dropped!"})));
  });
  disk_->wait_until_a_log_sync_is_held();
  EXPECT_EQ(value_of("dropped 1"), "old") << "the erasure is not durable";
  EXPECT_EQ(value_of("dropped 1", ReadMode::latest), "<absent>");
  EXPECT_EQ(value_of("a", ReadMode::latest), "old");
  std::vector<std::thread> writers;
  for (const std::string key : {"a", "b", "dropped 1"}) {
    const Result<Row> row = base::sync_wait(store_->get(key, ReadMode::latest));
    ASSERT_TRUE(row);
    writers.emplace_back([this, key, version = row->version] {
      Batch batch;
      batch.guards.push_back({key, version});
      batch.puts.push_back({key, "new"});
      const Result<void> done = base::sync_wait(store_->commit(batch));
      EXPECT_TRUE(done) << key << ": " << done.error().message;
    });
  }
  disk_->let_log_syncs_go();
  eraser.join();
  for (std::thread& writer : writers) writer.join();
  reopen_after_faults();
  for (const char* key : {"a", "b", "dropped 1"}) EXPECT_EQ(value_of(key), "new");
  EXPECT_EQ(value_of("dropped 2"), "<absent>");
}

// Power is lost at one write after the other of those that opening, flushing and closing make:
// STATE and the manifest must fit each other at each of them. Every third is tried, from a random
// one on.
TEST_F(RocksStoreFaults, APowerLossAtAnyMomentLeavesAManifestThatIsAccepted) {
  bool whole = false;
  int moments = static_cast<int>(std::random_device()() % 3);
  std::printf("first moment %d\n", moments);
  for (; !whole; moments += 3) {
    store_.reset();
    const auto disk = std::make_shared<FaultFileSystem>();
    const std::unique_ptr<rocksdb::Env> env = rocksdb::NewCompositeEnv(disk);
    disk->power_off_after(moments);
    const std::string value = "value " + std::to_string(moments);
    bool acknowledged = false;
    Result<std::unique_ptr<RocksStore>> opened = open_rocks_store(options_, env.get());
    if (opened) {
      store_ = *std::move(opened);
      acknowledged = put("k", value).has_value();
      whole = store_->close().has_value();
      store_.reset();
    }
    disk->power_off();
    disk->drop_unsynced();
    open(nullptr);
    ASSERT_NE(store_, nullptr) << "after " << moments << " writes";
    if (acknowledged) {
      EXPECT_EQ(value_of("k"), value);
    }
  }
  EXPECT_GT(moments, 20);
}

// Writers and readers at full speed, then the plug is pulled. Everything that was acknowledged, and
// everything that a committed read has shown to anyone, must be there afterwards.
TEST_F(RocksStoreFaults, APowerLossTakesNothingThatWasAcknowledgedOrSeen) {
  const unsigned seed = std::random_device()();
  std::printf("seed %u\n", seed);
  std::mt19937 random(seed);
  constexpr int kWriters = 8;
  for (int round = 0; round < 5; ++round) {
    const auto disk = std::make_shared<FaultFileSystem>();
    const std::unique_ptr<rocksdb::Env> env = rocksdb::NewCompositeEnv(disk);
    store_.reset();
    open(env.get());
    std::array<std::atomic<int>, kWriters> acknowledged{};
    std::array<std::atomic<int>, kWriters> seen{};
    std::atomic<int> total{0};
    std::atomic<bool> ended{false};
    std::vector<std::thread> threads;
    for (int writer = 0; writer < kWriters; ++writer) {
      threads.emplace_back([&, writer] {
        const std::string key =
            "round " + std::to_string(round) + " writer " + std::to_string(writer);
        for (int i = 1; put(key, std::to_string(i)); ++i, ++total) acknowledged[writer] = i;
      });
    }
    std::thread reader([&] {
      while (!ended) {
        for (int writer = 0; writer < kWriters; ++writer) {
          const std::string key =
              "round " + std::to_string(round) + " writer " + std::to_string(writer);
          if (const std::string value = value_of(key); value != "<absent>")
            seen[writer] = std::stoi(value);
        }
      }
    });
    const int plug_pulled_after = static_cast<int>(random() % 500);
    while (total < plug_pulled_after) std::this_thread::yield();
    disk->power_off();
    for (std::thread& thread : threads) thread.join();
    ended = true;
    reader.join();
    store_.reset();
    disk->drop_unsynced();
    open(nullptr);
    for (int writer = 0; writer < kWriters; ++writer) {
      const std::string value =
          value_of("round " + std::to_string(round) + " writer " + std::to_string(writer));
      const int found = value == "<absent>" ? 0 : std::stoi(value);
      EXPECT_GE(found, acknowledged[writer]);
      EXPECT_GE(found, seen[writer]);
    }
  }
}

}  // namespace
}  // namespace stator::store
