// Writes to a store as fast as it can until it is killed. After each acknowledged commit it prints
// `writer number`. Each commit adds one to a hot row by read, decide, guarded commit, puts a row of
// its own and adds to a counter, so that afterwards the three can be compared. With "open-only" it
// just says whether the store can be opened.

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "base/sync_wait.h"
#include "store/open.h"

namespace stator::store {
namespace {

Result<void> write_one(Store& store, const std::string& key) {
  for (;;) {
    TRY(const Row hot, base::sync_wait(store.get("hot", ReadMode::latest)));
    const long before = hot.exists ? std::stol(std::string(hot.value.view())) : 0;
    const std::string after = std::to_string(before + 1);
    const std::array<std::int64_t, 1> one = {1};
    Batch batch;
    batch.guards = {{"hot", hot.version}};
    batch.puts = {{"hot", after}, {key, "value"}};
    batch.adds = {{"count", one}};
    const Result<void> done = base::sync_wait(store.commit(batch));
    if (done || done.error().code != ErrorCode::conflict) return done;
  }
}

void write_forever(Store& store, int round, int writer) {
  for (int i = 0;; ++i) {
    const Result<void> done = write_one(store, fmt::format("row {} {} {:08}", round, writer, i));
    // One write() of a short line: lines of several threads do not mix, and nothing stays in a
    // buffer.
    const std::string line =
        done ? fmt::format("{} {}\n", writer, i) : fmt::format("error {}\n", done.error().message);
    if (::write(STDOUT_FILENO, line.data(), line.size()) < 0 || !done) return;
  }
}

int run(const std::string& directory, const std::string& what, bool relaxed) {
  RocksOptions options;
  options.directory = directory;
  if (relaxed) options.durability = Durability::relaxed;
  options.cache_bytes = 8 << 20;
  Result<std::unique_ptr<Store>> store = open_rocksdb(options);
  if (!store) {
    std::puts(store.error().message.c_str());
    return 1;
  }
  if (what == "open-only") {
    std::puts("opened");
    return 0;
  }
  std::vector<std::thread> writers;
  for (int writer = 0; writer < 8; ++writer) {
    writers.emplace_back(write_forever, std::ref(**store), std::stoi(what), writer);
  }
  for (std::thread& writer : writers) writer.join();
  return 0;
}

}  // namespace
}  // namespace stator::store

int main(int argc, char** argv) {
  const bool relaxed = argc == 4 && std::string(argv[3]) == "relaxed";
  if (argc != 3 && !relaxed) {
    std::fprintf(stderr, "usage: %s <directory> <round>|open-only [relaxed]\n", argv[0]);
    return 2;
  }
  return stator::store::run(argv[1], argv[2], relaxed);
}
