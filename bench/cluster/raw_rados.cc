// Latency of the RADOS operations that a GetItem and a PutItem come down to, sent directly: an omap read by key, and a write that
// compares one omap value and sets another. One operation under way; prints one line of JSON.
//
//   raw_rados POOL CEPH_CONF [SECONDS] [VALUE_BYTES]

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <vector>

#include "base/sync_wait.h"
#include "store/rados/cluster.h"

namespace stator::store::rados {
namespace {

constexpr int kObjects = 16;
constexpr int kKeys = 1000;  // in each

using Clock = std::chrono::steady_clock;

std::string object_of(std::uint32_t draw) { return fmt::format("raw.{}", draw % kObjects); }
std::string key_of(std::uint32_t draw) { return fmt::format("key{:08}", draw / kObjects % kKeys); }

base::Task<Result<void>> run(Operation operation, std::string object) {
  const Reply reply = co_await operation;
  if (reply.status < 0) co_return tl::unexpected<Error>(to_error(reply.status, object));
  co_return Result<void>();
}

Result<void> fill(Cluster& cluster, const std::string& value) {
  for (int object = 0; object < kObjects; ++object) {
    WriteRequest request;
    request.create = true;
    request.set.emplace("epoch", "1");
    for (int key = 0; key < kKeys; ++key) request.set.emplace(fmt::format("key{:08}", key), value);
    const std::string name = fmt::format("raw.{}", object);
    TRY_VOID(base::sync_wait(run(cluster.write(name, request), name)));
  }
  return {};
}

struct Figures {
  double p50_us = 0;
  double p99_us = 0;
  std::size_t count = 0;
};

Result<Figures> measure(double seconds, const std::function<Result<void>(std::uint32_t)>& operation) {
  std::mt19937 random(1);
  std::vector<double> times;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  while (Clock::now() < end) {
    const auto begin = Clock::now();
    TRY_VOID(operation(random()));
    times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
  }
  std::sort(times.begin(), times.end());
  return Figures{times[times.size() / 2], times[times.size() * 99 / 100], times.size()};
}

Result<void> bench(const RadosOptions& options, double seconds, std::size_t value_bytes) {
  TRY(const std::unique_ptr<Cluster> cluster, Cluster::connect(options));
  const std::string value(value_bytes, 'v');
  TRY_VOID(fill(*cluster, value));
  TRY(const Figures reads, measure(seconds, [&](std::uint32_t draw) {
        ReadRequest request;
        request.keys = {"epoch", key_of(draw)};
        return base::sync_wait(run(cluster->read(object_of(draw), request), "raw"));
      }));
  TRY(const Figures writes, measure(seconds, [&](std::uint32_t draw) {
        WriteRequest request;
        request.comparisons.push_back({"epoch", Compare::equal, "1"});
        request.set.emplace(key_of(draw), value);
        return base::sync_wait(run(cluster->write(object_of(draw), request), "raw"));
      }));
  fmt::print(
      "{{\"read_p50_us\":{:.0f},\"read_p99_us\":{:.0f},\"reads\":{},\"write_p50_us\":{:.0f},\"write_p99_us\":{:.0f},"
      "\"writes\":{}}}\n",
      reads.p50_us, reads.p99_us, reads.count, writes.p50_us, writes.p99_us, writes.count);
  return {};
}

}  // namespace
}  // namespace stator::store::rados

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: raw_rados POOL CEPH_CONF [SECONDS] [VALUE_BYTES]\n");
    return 2;
  }
  stator::store::RadosOptions options;
  options.pool = argv[1];
  options.configuration = argv[2];
  const double seconds = argc > 3 ? std::atof(argv[3]) : 5;
  const auto bytes = static_cast<std::size_t>(argc > 4 ? std::atoi(argv[4]) : 256);
  const stator::Result<void> done = stator::store::rados::bench(options, seconds, bytes);
  if (done) return 0;
  std::fprintf(stderr, "raw_rados: %s\n", done.error().message.c_str());
  return 1;
}
