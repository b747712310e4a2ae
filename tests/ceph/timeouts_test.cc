// A cluster that stops answering in the middle of work, and answers late: nothing hangs, and what was answered with
// "unavailable" is there as a whole or not at all.

#include <signal.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "../store_contract/backends.h"
#include "store/rados/rados_store.h"

namespace stator::store {
namespace {

using rados::RadosStore;

constexpr int kOsds = 3;

// Stops the processes of all OSDs, without ending them, for as long as it lives.
class PausedOsds {
 public:
  PausedOsds() { signal_all(SIGSTOP); }
  ~PausedOsds() { signal_all(SIGCONT); }
  PausedOsds(const PausedOsds&) = delete;
  PausedOsds& operator=(const PausedOsds&) = delete;

 private:
  static void signal_all(int number) {
    const auto directory = std::filesystem::path(std::getenv("STATOR_CEPH_CONF")).parent_path();
    for (int osd = 0; osd < kOsds; ++osd) {
      int process = 0;
      std::ifstream(directory / "run" / ("osd." + std::to_string(osd) + ".pid")) >> process;
      ASSERT_GT(process, 0);
      ASSERT_EQ(kill(process, number), 0);
    }
  }
};

class Timeouts : public testing::Test {
 protected:
  std::unique_ptr<RadosStore> open(std::chrono::milliseconds timeout) {
    RadosOptions options;
    options.configuration = std::getenv("STATOR_CEPH_CONF");
    options.pool = std::getenv("STATOR_CEPH_POOL");
    options.name_space = name_space_;
    options.timeout = timeout;
    options.patience = std::chrono::milliseconds(200);
    Result<std::unique_ptr<RadosStore>> opened = rados::open(options);
    EXPECT_TRUE(opened.has_value()) << opened.error().message;
    return opened ? std::move(*opened) : nullptr;
  }
  const std::string name_space_ =
      "timeouts-" + std::to_string(std::chrono::steady_clock::now().time_since_epoch().count());
};

// Each commit puts a row of its own in two leaves, counts it and logs it; so all four agree, whatever happens.
class Writers {
 public:
  Writers(Store& store, int count) {
    for (int number = 0; number < count; ++number) threads_.emplace_back([this, &store, number] { run(store, number); });
  }
  void stop() {
    stopping_ = true;
    for (std::thread& thread : threads_) thread.join();
  }
  std::set<std::string> acknowledged;  // after stop()
  std::atomic<int> commits{0};
  std::atomic<int> unavailable{0};

 private:
  void run(Store& store, int number) {
    for (int i = 0; !stopping_; ++i) {
      const std::string name = std::to_string(number) + "." + std::to_string(i);
      const std::string low = "a " + name, high = "z " + name;
      const std::int64_t one = 1;
      Batch batch;
      // Every third is in one leaf only.
      batch.puts = {{low, name}};
      if (i % 3 != 0) batch.puts.push_back({high, name});
      batch.adds = {{"count", {&one, 1}}};
      batch.appends = {{"log ", name}};
      const Result<void> done = commit(store, batch);
      if (done) {
        ++commits;
        const std::lock_guard lock(mutex_);
        acknowledged.insert(name);
        continue;
      }
      EXPECT_EQ(done.error().code, ErrorCode::unavailable) << done.error().message;
      ++unavailable;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
  std::vector<std::thread> threads_;
  std::atomic<bool> stopping_{false};
  std::mutex mutex_;
};

std::set<std::string> values(const Rows& rows) {
  std::set<std::string> all;
  for (const auto& [key, value] : rows) all.insert(value);
  return all;
}

TEST_F(Timeouts, ALateWriteIsThereAsAWholeOrNotAtAll) {
  const auto store = open(std::chrono::milliseconds(700));
  for (const char* key : {"a", "z"}) ASSERT_OK(put(*store, key, "first"));
  ASSERT_OK(base::sync_wait(store->split_leaf_of("m")));
  Writers writers(*store, 6);
  const auto wait_for = [&](const std::atomic<int>& figure, int more) {
    for (const int until = figure + more; figure < until;) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  };
  for (int round = 0; round < 3; ++round) {
    wait_for(writers.commits, 20);
    {
      const PausedOsds paused;
      wait_for(writers.unavailable, 12);  // nothing hangs
    }
  }
  wait_for(writers.commits, 20);
  writers.stop();
  EXPECT_GT(store->statistics().timeouts, 0u);

  const auto reader = open(std::chrono::seconds(60));
  const Rows low = scan(*reader, {"a ", "b"}), high = scan(*reader, {"z ", ""});
  const Rows log = scan(*reader, {"log ", "m"});
  const std::set<std::string> rows = values(low);
  EXPECT_EQ(values(log), rows);
  EXPECT_EQ(log.size(), low.size());  // nothing twice
  EXPECT_EQ(counters(*reader, "count", 1).front(), static_cast<std::int64_t>(low.size()));
  for (const auto& [key, name] : high) EXPECT_TRUE(rows.contains(name)) << "half of " << name;
  const std::set<std::string> of_high = values(high);
  for (const std::string& name : rows) {
    const int i = std::stoi(name.substr(name.find('.') + 1));
    EXPECT_EQ(of_high.contains(name), i % 3 != 0) << "half of " << name;
  }
  for (const std::string& name : writers.acknowledged) EXPECT_TRUE(rows.contains(name)) << name << " is lost";
}

TEST_F(Timeouts, AStoreClosesWithoutItsCluster) {
  auto store = open(std::chrono::minutes(10));
  ASSERT_OK(put(*store, "k", "v"));
  store->listen([]() -> base::Task<Result<void>> { co_return Result<void>(); });
  const PausedOsds paused;
  std::thread waiting([&] { EXPECT_ERROR(put(*store, "k", "w"), ErrorCode::unavailable); });
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  store->hasten(std::chrono::milliseconds(300));
  waiting.join();
  EXPECT_OK(store->close());
  store.reset();
}

}  // namespace
}  // namespace stator::store
