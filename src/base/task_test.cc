#include "base/task.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/started.h"
#include "base/sync_wait.h"

namespace stator::base {
namespace {

// Suspends the coroutine and goes on through the executor it ran on, posted by another thread.
struct PostedByAnotherThread {
  std::vector<std::thread>* threads;
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> waiting) const {
    Executor* executor = Executor::current();
    threads->emplace_back([executor, waiting] { executor->post(waiting); });
  }
  void await_resume() const noexcept {}
};

class Threads {
 public:
  ~Threads() {
    for (std::thread& thread : threads_) thread.join();
  }
  PostedByAnotherThread hop() { return {&threads_}; }

 private:
  std::vector<std::thread> threads_;
};

Task<int> give(int value) { co_return value; }

Task<int> sum_down(int count) {
  if (count == 0) co_return 0;
  const int rest = co_await sum_down(count - 1);
  co_return count + rest;
}

TEST(Task, GivesTheValueOfACoroutine) { EXPECT_EQ(sync_wait(give(7)), 7); }

TEST(Task, ReadyNeedsNoSuspension) {
  auto task = Task<std::string>::ready("at hand");
  EXPECT_TRUE(task.await_ready());
  EXPECT_EQ(sync_wait(std::move(task)), "at hand");
}

TEST(Task, DoesNothingBeforeItIsAwaited) {
  bool started = false;
  const auto start = [](bool& flag) -> Task<int> {
    flag = true;
    co_return 1;
  };
  {
    auto task = start(started);
    EXPECT_FALSE(task.await_ready());
  }
  EXPECT_FALSE(started);
  EXPECT_EQ(sync_wait(start(started)), 1);
  EXPECT_TRUE(started);
}

TEST(Task, NestsDeeply) { EXPECT_EQ(sync_wait(sum_down(1000)), 500500); }

TEST(Task, AwaitsReadyTasksInALoopWithoutUsingUpTheStack) {
  const auto loop = []() -> Task<std::int64_t> {
    std::int64_t total = 0;
    for (int i = 0; i < 200'000; ++i) {
      auto next = Task<int>::ready(i);
      total += co_await next;
    }
    co_return total;
  };
  EXPECT_EQ(sync_wait(loop()), std::int64_t{200'000} * 199'999 / 2);
}

TEST(Task, CarriesValuesThatOnlyMove) {
  const auto make = []() -> Task<std::unique_ptr<int>> { co_return std::make_unique<int>(5); };
  const auto pass = [&make]() -> Task<std::unique_ptr<int>> {
    auto inner = make();
    auto value = co_await inner;
    co_return value;
  };
  EXPECT_EQ(*sync_wait(pass()), 5);
  EXPECT_EQ(*sync_wait(Task<std::unique_ptr<int>>::ready(std::make_unique<int>(6))), 6);
}

TEST(Task, ReturnsErrorsThroughTheCoTryMacros) {
  const auto failing = []() -> Task<Result<int>> { co_return invalid("no"); };
  const auto outer = [&failing](int& steps) -> Task<Result<std::string>> {
    ++steps;
    auto inner = failing();
    auto result = co_await inner;
    CO_TRY(const int value, std::move(result));
    ++steps;
    co_return std::to_string(value);
  };
  int steps = 0;
  const auto result = sync_wait(outer(steps));
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().message, "no");
  EXPECT_EQ(steps, 1);
}

TEST(Task, DestroysTheFrameOfATaskThatWasMoved) {
  auto guard = std::make_shared<int>(1);
  const auto hold = [](std::shared_ptr<int> held) -> Task<int> { co_return *held; };
  {
    auto task = hold(guard);
    EXPECT_EQ(guard.use_count(), 2);
    auto moved = std::move(task);
    EXPECT_EQ(guard.use_count(), 2);
  }
  EXPECT_EQ(guard.use_count(), 1);
}

TEST(SyncWait, RunsWorkThatAnotherThreadPostsOnTheWaitingThread) {
  Threads threads;
  const auto hops = [](Threads& used) -> Task<int> {
    const auto home = std::this_thread::get_id();
    int at_home = 0;
    for (int i = 0; i < 50; ++i) {
      co_await used.hop();
      if (std::this_thread::get_id() == home) ++at_home;
    }
    co_return at_home;
  };
  EXPECT_EQ(sync_wait(hops(threads)), 50);
}

TEST(SyncWait, RestoresTheExecutorOfTheThread) {
  EXPECT_EQ(Executor::current(), nullptr);
  const auto outer = []() -> Task<bool> {
    Executor* mine = Executor::current();
    const int inner = sync_wait(give(1));
    co_return mine != nullptr&& inner == 1 && Executor::current() == mine;
  };
  EXPECT_TRUE(sync_wait(outer()));
  EXPECT_EQ(Executor::current(), nullptr);
}

TEST(Detached, StartsAtOnceAndFreesItself) {
  auto guard = std::make_shared<int>(1);
  int steps = 0;
  const auto run = [](std::shared_ptr<int> held, int& counter) -> Detached {
    counter += *held;
    const int more = co_await give(10);
    counter += more;
  };
  run(guard, steps);
  EXPECT_EQ(steps, 11);
  EXPECT_EQ(guard.use_count(), 1);
}

Task<int> number_after_hop(Threads& threads, int number, std::string& order) {
  order += std::to_string(number) + " begins; ";
  co_await threads.hop();
  co_return number;
}

Task<std::string> overlap(Threads& threads, std::string& order) {
  Started<int> first(number_after_hop(threads, 1, order));
  order += "owner goes on; ";
  const int second = co_await number_after_hop(threads, 2, order);
  const int sum = co_await first + second;
  co_return std::to_string(sum);
}

TEST(Started, GoesOnWhileItsOwnerWaitsForSomethingElse) {
  Threads threads;
  std::string order;
  EXPECT_EQ(sync_wait(overlap(threads, order)), "3");
  EXPECT_EQ(order, "1 begins; owner goes on; 2 begins; ");
}

Task<int> await_what_is_there() {
  Started<int> done(Task<int>::ready(7));
  co_return co_await done;
}

TEST(Started, MayBeOverBeforeItIsAwaited) { EXPECT_EQ(sync_wait(await_what_is_there()), 7); }

}  // namespace
}  // namespace stator::base
