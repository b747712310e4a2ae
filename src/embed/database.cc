#include "stator/database.h"

#include <atomic>
#include <mutex>
#include <optional>
#include <shared_mutex>

#include "base/arena.h"
#include "base/clock.h"
#include "base/sync_wait.h"
#include "embed/errors.h"
#include "embed/operations.h"
#include "engine/background.h"
#include "engine/engine.h"
#include "store/open.h"

namespace stator {
namespace {

Result<std::unique_ptr<store::Store>> open_store(const Options& options) {
  if (options.in_memory == !options.directory.empty()) {
    return invalid(options.in_memory ? "Options: a database in memory has no directory"
                                     : "Options: directory is required, unless in_memory is set");
  }
  if (options.in_memory) return store::open_memory();
  store::RocksOptions rocks;
  rocks.directory = options.directory;
  rocks.durability =
      options.durability == Durability::full ? store::Durability::full : store::Durability::relaxed;
  rocks.cache_bytes = options.cache_bytes;
  return store::open_rocksdb(rocks);
}

// The memory of one call. Each thread keeps its first block from call to call; no call begins
// inside another.
class CallArena {
 public:
  CallArena() = default;
  CallArena(const CallArena&) = delete;
  CallArena& operator=(const CallArena&) = delete;
  ~CallArena() { arena_.reset(); }
  [[nodiscard]] base::Arena& get() { return arena_; }

 private:
  static inline thread_local base::Arena arena_;
};

}  // namespace

struct Database::Impl {
  explicit Impl(std::unique_ptr<store::Store> store_in)
      : store(std::move(store_in)), engine(*store, clock) {}

  static DatabaseError closed() {
    return embed::to_database_error({ErrorCode::unavailable, "the database is closed"});
  }

  // Runs one operation and makes the public outcome of its result.
  template <class Response, class Request>
  static Outcome<Response> call(Impl* impl,
                                Result<Response> (*operation)(engine::Engine&, const Request&,
                                                              base::Arena&),
                                const Request& request) {
    if (impl == nullptr || impl->closing.load()) return closed();
    const std::shared_lock lock(impl->calls);
    if (impl->closing.load()) return closed();
    CallArena arena;
    Result<Response> response = operation(impl->engine, request, arena.get());
    if (!response) return embed::to_database_error(response.error());
    return std::move(*response);
  }

  std::unique_ptr<store::Store> store;
  base::SystemClock clock;
  engine::Engine engine;
  std::optional<engine::Background>
      background;  // index building, time to live, trimming of streams; from open() to close()
  std::shared_mutex calls;  // shared by the calls under way; close() takes it alone
  std::atomic<bool> closing =
      false;  // looked at without the lock too, so that new calls cannot keep close() waiting
  bool store_closed = false;  // guarded by `calls`
};

Outcome<Database> Database::open(const Options& options) {
  Result<std::unique_ptr<store::Store>> store = open_store(options);
  if (!store) return embed::to_database_error(store.error());
  auto impl = std::make_unique<Impl>(std::move(*store));
  const Result<void> loaded = base::sync_wait(impl->engine.catalog.load());
  if (!loaded) return embed::to_database_error(loaded.error());
  impl->background.emplace(impl->engine);
  return Database(std::move(impl));
}

Database::Database(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
Database::Database(Database&& other) noexcept = default;
Database& Database::operator=(Database&& other) noexcept {
  if (this != &other) {
    static_cast<void>(close());
    impl_ = std::move(other.impl_);
  }
  return *this;
}
Database::~Database() { static_cast<void>(close()); }

Outcome<void> Database::close() {
  if (!impl_) return {};
  impl_->closing.store(true);
  const std::unique_lock lock(impl_->calls);
  if (impl_->store_closed) return {};
  impl_->store_closed = true;
  impl_->background.reset();
  const Result<void> closed = impl_->store->close();
  if (!closed) return embed::to_database_error(closed.error());
  return {};
}

Outcome<TableDescription> Database::create_table(const CreateTableRequest& request) {
  return Impl::call(impl_.get(), embed::create_table, request);
}
Outcome<TableDescription> Database::describe_table(const DescribeTableRequest& request) {
  return Impl::call(impl_.get(), embed::describe_table, request);
}
Outcome<TableDescription> Database::update_table(const UpdateTableRequest& request) {
  return Impl::call(impl_.get(), embed::update_table, request);
}
Outcome<TableDescription> Database::delete_table(const DeleteTableRequest& request) {
  return Impl::call(impl_.get(), embed::delete_table, request);
}
Outcome<ListTablesResponse> Database::list_tables(const ListTablesRequest& request) {
  return Impl::call(impl_.get(), embed::list_tables, request);
}
Outcome<PutItemResponse> Database::put_item(const PutItemRequest& request) {
  return Impl::call(impl_.get(), embed::put_item, request);
}
Outcome<GetItemResponse> Database::get_item(const GetItemRequest& request) {
  return Impl::call(impl_.get(), embed::get_item, request);
}
Outcome<UpdateItemResponse> Database::update_item(const UpdateItemRequest& request) {
  return Impl::call(impl_.get(), embed::update_item, request);
}
Outcome<DeleteItemResponse> Database::delete_item(const DeleteItemRequest& request) {
  return Impl::call(impl_.get(), embed::delete_item, request);
}
Outcome<QueryResponse> Database::query(const QueryRequest& request) {
  return Impl::call(impl_.get(), embed::query, request);
}
Outcome<ScanResponse> Database::scan(const ScanRequest& request) {
  return Impl::call(impl_.get(), embed::scan, request);
}
Outcome<BatchGetItemResponse> Database::batch_get_item(const BatchGetItemRequest& request) {
  return Impl::call(impl_.get(), embed::batch_get_item, request);
}
Outcome<BatchWriteItemResponse> Database::batch_write_item(const BatchWriteItemRequest& request) {
  return Impl::call(impl_.get(), embed::batch_write_item, request);
}
Outcome<TransactWriteItemsResponse> Database::transact_write_items(
    const TransactWriteItemsRequest& request) {
  return Impl::call(impl_.get(), embed::transact_write_items, request);
}
Outcome<TransactGetItemsResponse> Database::transact_get_items(
    const TransactGetItemsRequest& request) {
  return Impl::call(impl_.get(), embed::transact_get_items, request);
}

}  // namespace stator
