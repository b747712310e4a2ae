#include "store/rocksdb/read_pool.h"

#include <gtest/gtest.h>

#include <thread>

#include "base/sync_wait.h"

namespace stator::store {
namespace {

base::Task<std::thread::id> thread_of_a_read(ReadPool& pool) {
  std::thread::id reader;
  auto on_reader = pool.run([&] { reader = std::this_thread::get_id(); });
  co_await on_reader;
  co_return reader;
}

// As a reactor: others wait for its thread.
class BusyExecutor final : public base::Executor {
 public:
  BusyExecutor() { set_current(this); }
  ~BusyExecutor() override { set_current(nullptr); }
  BusyExecutor(const BusyExecutor&) = delete;
  BusyExecutor& operator=(const BusyExecutor&) = delete;
  void post(std::coroutine_handle<> work) noexcept override { waiting_.post(work); }
  void run_until(const bool& done) { waiting_.run_until(done); }

 private:
  base::WaitingExecutor waiting_;
};

struct Ends {
  std::thread::id read;
  std::thread::id resumed;
};

base::Detached note_threads(ReadPool& pool, Ends& ends, bool& done) {
  auto read = thread_of_a_read(pool);
  ends.read = co_await read;
  ends.resumed = std::this_thread::get_id();
  done = true;
}

TEST(ReadPoolTest, AReadOfABusyThreadRunsElsewhereAndComesBack) {
  ReadPool pool(2);
  std::thread([&] {
    BusyExecutor executor;
    Ends ends;
    bool done = false;
    note_threads(pool, ends, done);
    executor.run_until(done);
    EXPECT_NE(ends.read, std::this_thread::get_id());
    EXPECT_EQ(ends.resumed, std::this_thread::get_id());
  }).join();
}

TEST(ReadPoolTest, AThreadThatMayBlockReadsByItself) {
  ReadPool pool(2);
  EXPECT_EQ(base::sync_wait(thread_of_a_read(pool)), std::this_thread::get_id());
}

}  // namespace
}  // namespace stator::store
