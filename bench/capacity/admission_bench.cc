// What the capacity model costs a request. The budget is 5 % of a GetItem at 120,000 a second on one core, about
// 400 ns; every request pays it, so it should be far below.
#include <benchmark/benchmark.h>

#include <array>
#include <memory>

#include "capacity/model.h"

namespace stator::capacity {
namespace {

Settings plenty() {
  Settings settings;
  settings.billing = BillingMode::provisioned;
  settings.provisioned = {.read = 40'000'000, .write = 10'000'000};
  return settings;
}

// One table that all threads share, as the reactors of a server do.
struct Shared {
  Tuning tuning;
  Model model;
  std::shared_ptr<TableCapacity> table;
  std::shared_ptr<Resource> index;

  explicit Shared(const Settings& settings) {
    table = model.open(1, "table", settings, 0);
    index = table->add_index("index", settings, model.ticks(0));
  }
};

std::uint64_t next_hash(std::uint64_t& state) { return state = state * 6364136223846793005ULL + 1442695040888963407ULL; }

void read_spread(benchmark::State& state) {
  static Shared shared{plenty()};
  std::uint64_t hash = static_cast<std::uint64_t>(state.thread_index()) * 77;
  std::int64_t now_us = 0;
  for (auto _ : state) {
    const Charge charge{&shared.table->table(), Direction::read, 1, make_place(next_hash(hash), 1), "sort"};
    benchmark::DoNotOptimize(shared.model.admit({&charge, 1}, Mode::observe, now_us += 8));
  }
}
BENCHMARK(read_spread)->ThreadRange(1, 2);

void read_one_key(benchmark::State& state) {
  static Shared shared{Settings{}};  // on-demand: the key is soon above its ceiling, and observed to be
  std::int64_t now_us = 0;
  for (auto _ : state) {
    const Charge charge{&shared.table->table(), Direction::read, 1, make_place(42, 1), "sort"};
    benchmark::DoNotOptimize(shared.model.admit({&charge, 1}, Mode::observe, now_us += 8));
  }
}
BENCHMARK(read_one_key)->ThreadRange(1, 2);

void write_with_index(benchmark::State& state) {
  static Shared shared{plenty()};
  std::uint64_t hash = static_cast<std::uint64_t>(state.thread_index()) * 77;
  std::int64_t now_us = 0;
  for (auto _ : state) {
    const Place place = make_place(next_hash(hash), 1);
    const std::array charges{Charge{&shared.table->table(), Direction::write, 2, place, "sort"},
                             Charge{shared.index.get(), Direction::write, 2, place, "sort"}};
    benchmark::DoNotOptimize(shared.model.admit(charges, Mode::observe, now_us += 8));
  }
}
BENCHMARK(write_with_index)->ThreadRange(1, 2);

void refused(benchmark::State& state) {
  Settings settings;
  settings.billing = BillingMode::provisioned;
  settings.provisioned = {.read = 1, .write = 1};
  static Shared shared{settings};
  std::uint64_t hash = 7;
  std::int64_t now_us = 0;
  for (auto _ : state) {
    const Charge charge{&shared.table->table(), Direction::read, 1, make_place(next_hash(hash), 1), "sort"};
    benchmark::DoNotOptimize(shared.model.admit({&charge, 1}, Mode::enforce, now_us += 8));
  }
}
BENCHMARK(refused);

}  // namespace
}  // namespace stator::capacity

BENCHMARK_MAIN();
