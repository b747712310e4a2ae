// S2: what was acknowledged survives a process that is killed at any moment.

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <sstream>

#include "backends.h"
#include "store/rocksdb/log_end.h"

namespace stator::store {
namespace {

// Another process, with its output in a pipe.
class Child {
 public:
  Child(const std::string& directory, const std::string& what, Durability durability = Durability::full) {
    int ends[2];
    if (::pipe(ends) != 0) std::abort();
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(ends[1], STDOUT_FILENO);
      ::close(ends[0]);
      ::close(ends[1]);
      ::execl(STATOR_CRASH_WRITER, STATOR_CRASH_WRITER, directory.c_str(), what.c_str(),
              durability == Durability::relaxed ? "relaxed" : nullptr, nullptr);
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

// What a kill leaves is never taken for a log that was cut. Rounds are short, so that many of them end while logs come and go.
TEST(Crash, ManyKillsAreNeverRefused) {
  const char* given = std::getenv("STATOR_KILLS");
  const int rounds = given != nullptr ? std::atoi(given) : 30;
  std::mt19937 random(std::random_device{}());
  for (const Durability durability : {Durability::full, Durability::relaxed}) {
    const TemporaryDirectory temporary;
    const std::string directory = temporary.path() / "data";
    for (int round = 0; round < rounds; ++round) {
      Child child(directory, std::to_string(round), durability);
      const auto killed_after = random() % 200;
      std::string line;
      for (std::size_t lines = 0; child.read_line(line); ++lines) {
        int writer = 0;
        int number = 0;
        ASSERT_EQ(std::sscanf(line.c_str(), "%d %d", &writer, &number), 2) << "round " << round << ": " << line;
        if (lines == killed_after) child.kill();
      }
    }
    ASSERT_NE(open_store(directory), nullptr);
  }
}

// What a writer under load was told is missed when the log is cut behind its back.
TEST(Crash, ALogThatIsCutAfterAKillIsRefused) {
  std::mt19937 random(std::random_device{}());
  for (const Durability durability : {Durability::full, Durability::relaxed}) {
    const TemporaryDirectory temporary;
    const std::filesystem::path directory = temporary.path() / "data";
    {
      Child child(directory, "0", durability);
      std::string line;
      for (int lines = 0; lines < 300; ++lines) ASSERT_TRUE(child.read_line(line));
      child.kill();
    }
    std::filesystem::path log;
    for (const auto& entry : std::filesystem::directory_iterator(directory)) {
      if (entry.path().extension() == ".log" && entry.file_size() > 0) log = entry.path();
    }
    const Result<std::uint64_t> end = find_log_end(log);
    ASSERT_OK(end);
    // Three times the largest group that eight writers make: the last one need not have been acknowledged.
    std::filesystem::resize_file(log, *end - std::min<std::uint64_t>(*end, 4096 + random() % 4096));
    RocksOptions options;
    options.directory = directory;
    const auto refused = open_rocksdb(options);
    EXPECT_ERROR(refused, ErrorCode::corruption);
    EXPECT_NE(refused.error().message.find(log.filename().string()), std::string::npos) << refused.error().message;
    std::filesystem::remove(log);
    EXPECT_ERROR(open_rocksdb(options), ErrorCode::corruption);
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
