// S2: what was acknowledged survives a process that is killed at any moment.

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>
#include <random>
#include <sstream>

#include "backends.h"

namespace stator::store {
namespace {

// Another process, with its output in a pipe.
class Child {
 public:
  Child(const std::string& directory, const std::string& what) {
    int ends[2];
    if (::pipe(ends) != 0) std::abort();
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(ends[1], STDOUT_FILENO);
      ::close(ends[0]);
      ::close(ends[1]);
      ::execl(STATOR_CRASH_WRITER, STATOR_CRASH_WRITER, directory.c_str(), what.c_str(), nullptr);
      ::_exit(127);
    }
    ::close(ends[1]);
    out_ = ::fdopen(ends[0], "r");
  }
  ~Child() {
    kill();
    std::fclose(out_);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  bool read_line(std::string& line) {
    char buffer[512];
    if (std::fgets(buffer, sizeof buffer, out_) == nullptr) return false;
    line = buffer;
    if (!line.empty() && line.back() == '\n') line.pop_back();
    return true;
  }
  void kill() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }

 private:
  pid_t pid_ = -1;
  std::FILE* out_ = nullptr;
};

std::unique_ptr<Store> open_store(const std::string& directory) {
  RocksOptions options;
  options.directory = directory;
  options.cache_bytes = 8 << 20;
  Result<std::unique_ptr<Store>> store = open_rocksdb(options);
  EXPECT_TRUE(store.has_value()) << store.error().message;
  return store ? std::move(*store) : nullptr;
}

TEST(Crash, KilledWritersLoseNothingThatWasAcknowledged) {
  const unsigned seed = std::random_device()();
  std::printf("seed %u\n", seed);
  std::mt19937 random(seed);
  const TemporaryDirectory temporary;
  const std::string directory = temporary.path() / "data";
  long rows_total = 0;

  for (int round = 0; round < 5; ++round) {
    std::map<int, int> acknowledged;  // the last number of each writer
    {
      Child child(directory, std::to_string(round));
      const auto killed_after = random() % 1500;
      std::string line;
      for (std::size_t lines = 0; child.read_line(line); ++lines) {
        if (lines == killed_after) child.kill();  // and read what was printed before
        int writer = 0;
        int number = 0;
        ASSERT_EQ(std::sscanf(line.c_str(), "%d %d", &writer, &number), 2) << line;
        acknowledged[writer] = number;
      }
    }
    const std::unique_ptr<Store> store = open_store(directory);
    ASSERT_NE(store, nullptr);
    for (const auto& [writer, last] : acknowledged) {
      const std::string from = fmt::format("row {} {} ", round, writer);
      const std::string to = fmt::format("row {} {}!", round, writer);
      const Rows rows = scan(*store, {from, to});
      EXPECT_GT(rows.size(), static_cast<std::size_t>(last));
    }
    const auto rows = static_cast<long>(scan(*store, {"row", "rox"}).size());
    EXPECT_GT(rows, rows_total);
    rows_total = rows;
    // A commit is whole or absent, so the three agree.
    EXPECT_EQ(value_of(*store, "hot"), std::to_string(rows));
    EXPECT_EQ(counters(*store, "count", 1), (std::vector<std::int64_t>{rows}));
    ASSERT_OK(store->close());
  }
}

TEST(Crash, ADirectoryInUseIsRefusedToAnotherProcess) {
  const TemporaryDirectory temporary;
  const std::string directory = temporary.path() / "data";
  const std::unique_ptr<Store> store = open_store(directory);
  ASSERT_NE(store, nullptr);
  std::string line;
  {
    Child second(directory, "open-only");
    ASSERT_TRUE(second.read_line(line));
  }
  EXPECT_EQ(line, fmt::format("the data directory '{}' is in use by another process", directory));
  ASSERT_OK(put(*store, "k", "v"));
  ASSERT_OK(store->close());
  Child third(directory, "open-only");
  ASSERT_TRUE(third.read_line(line));
  EXPECT_EQ(line, "opened");
}

}  // namespace
}  // namespace stator::store
