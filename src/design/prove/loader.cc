#include "design/prove/loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "client/client.h"

namespace stator::design {

namespace {

constexpr std::string_view kTarget = "DynamoDB_20120810.BatchWriteItem";
constexpr std::size_t kBatchItems = 25;
// A batch may have 16 MB; stopping far below keeps requests small when items are large.
constexpr std::size_t kBatchBytes = 2 * 1024 * 1024;
constexpr std::uint64_t kChunk = 500;  // numbers that a thread takes at a time
constexpr int kRounds = 20;            // of sending what was left unprocessed

struct Chunk {
  const Entity* entity;
  std::uint64_t first, last;
};

std::vector<Chunk> chunks_of(const Generator& generator) {
  std::vector<Chunk> chunks;
  for (const Entity& entity : generator.model().entities) {
    const std::uint64_t count = generator.count(entity);
    for (std::uint64_t first = 0; first < count; first += kChunk) {
      chunks.push_back({&entity, first, std::min(count, first + kChunk)});
    }
  }
  return chunks;
}

class Load {
 public:
  Load(const Generator& generator, Ledger& ledger, const client::Options& connection, const LoadOptions& options)
      : generator_(generator),
        ledger_(ledger),
        connection_(connection),
        options_(options),
        chunks_(chunks_of(generator)) {}

  Result<void> run() {
    std::vector<std::thread> threads;
    for (int at = 0; at < std::max(1, options_.connections); ++at) threads.emplace_back([this] { work(); });
    for (std::thread& thread : threads) thread.join();
    if (failed_) return tl::unexpected<Error>(error_);
    if (options_.progress) options_.progress(done_, generator_.total());
    return {};
  }

 private:
  void work() {
    std::unique_ptr<client::Client> client;
    if (options_.send) {
      auto created = client::Client::create(connection_);
      if (!created) return fail_with(created.error());
      client = std::move(*created);
    }
    while (!failed_) {
      const std::size_t at = next_.fetch_add(1);
      if (at >= chunks_.size()) return;
      const auto loaded = load_chunk(chunks_[at], client.get());
      if (!loaded) return fail_with(loaded.error());
    }
  }

  Result<void> load_chunk(const Chunk& chunk, client::Client* client) {
    std::string batch;
    std::size_t items = 0;
    for (std::uint64_t number = chunk.first; number < chunk.last; ++number) {
      TRY(const GeneratedItem item, generator_.item(*chunk.entity, number));
      ledger_.offer(item);
      if (client == nullptr) continue;
      batch += fmt::format(R"({}{{"PutRequest":{{"Item":{}}}}})", items == 0 ? "" : ",", item.json());
      if (++items < kBatchItems && batch.size() < kBatchBytes) continue;
      TRY_VOID(send(*client, batch));
      batch.clear();
      items = 0;
    }
    if (items > 0) TRY_VOID(send(*client, batch));
    count(chunk.last - chunk.first);
    return {};
  }

  Result<void> send(client::Client& client, const std::string& batch) {
    std::string request = fmt::format(R"({{"RequestItems":{{{}:[{}]}}}})", json_text(options_.table), batch);
    for (int round = 0; round < kRounds; ++round) {
      TRY(const std::string answer, client.call_text(kTarget, request));
      const nlohmann::json parsed = nlohmann::json::parse(answer, nullptr, false);
      if (!parsed.is_object()) return fail(ErrorCode::internal, "BatchWriteItem: the answer is not JSON");
      const nlohmann::json left = parsed.value("UnprocessedItems", nlohmann::json::object());
      if (left.empty()) return {};
      request = nlohmann::json{{"RequestItems", left}}.dump();
      std::this_thread::sleep_for(std::chrono::milliseconds(20 << std::min(round, 6)));
    }
    return fail(ErrorCode::throughput_exceeded,
                "BatchWriteItem: items were left unprocessed again and again; raise the capacity");
  }

  void count(std::uint64_t items) {
    const std::uint64_t done = done_.fetch_add(items) + items;
    if (!options_.progress) return;
    const std::lock_guard lock(mutex_);
    options_.progress(done, generator_.total());
  }

  void fail_with(const Error& error) {
    const std::lock_guard lock(mutex_);
    if (!failed_) error_ = error;
    failed_ = true;
  }

  const Generator& generator_;
  Ledger& ledger_;
  const client::Options& connection_;
  const LoadOptions& options_;
  const std::vector<Chunk> chunks_;
  std::atomic<std::size_t> next_{0};
  std::atomic<std::uint64_t> done_{0};
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  Error error_;  // guarded by mutex_ until all threads have ended
};

}  // namespace

Result<void> load_items(const Generator& generator, Ledger& ledger, const client::Options& connection,
                        const LoadOptions& options) {
  return Load(generator, ledger, connection, options).run();
}

}  // namespace stator::design
