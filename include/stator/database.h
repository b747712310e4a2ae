#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "stator/items.h"
#include "stator/outcome.h"
#include "stator/tables.h"
#include "stator/transactions.h"

namespace stator {

enum class Durability : std::uint8_t {
  full,     // a write returns when it is on disk; concurrent writes share the flush
  relaxed,  // a write returns when the operating system has it; a power loss may take the last
            // moments
};

struct Options {
  std::string directory = {};  // made where it is missing; one process at a time
  bool in_memory = false;      // no directory: everything is lost at the end
  Durability durability = Durability::full;
  std::size_t cache_bytes = 0;  // 0: chosen from the machine's memory
};

// A database in this process: the engine of the server without HTTP. The same directory can be
// served by `stator serve` at another time.
//
// All calls may be made from many threads at once; each works on the calling thread and blocks it
// until the answer is there. Errors have the names and texts of the service. A table can be used as
// soon as create_table has returned.
class Database {
 public:
  [[nodiscard]] static Outcome<Database> open(const Options& options);

  Database(Database&& other) noexcept;
  Database& operator=(Database&& other) noexcept;
  ~Database();  // closes; what close() would have reported is lost

  // Waits for the calls under way, writes what is in memory to disk and gives the directory free.
  // Calls that come later get ErrorKind::unavailable. Closing twice is fine.
  Outcome<void> close();

  Outcome<TableDescription> create_table(const CreateTableRequest& request);
  Outcome<TableDescription> describe_table(const DescribeTableRequest& request);
  Outcome<TableDescription> update_table(const UpdateTableRequest& request);
  Outcome<TableDescription> delete_table(const DeleteTableRequest& request);
  Outcome<ListTablesResponse> list_tables(const ListTablesRequest& request = {});

  Outcome<PutItemResponse> put_item(const PutItemRequest& request);
  Outcome<GetItemResponse> get_item(const GetItemRequest& request);
  Outcome<UpdateItemResponse> update_item(const UpdateItemRequest& request);
  Outcome<DeleteItemResponse> delete_item(const DeleteItemRequest& request);

  Outcome<QueryResponse> query(const QueryRequest& request);
  Outcome<ScanResponse> scan(const ScanRequest& request);

  Outcome<BatchGetItemResponse> batch_get_item(const BatchGetItemRequest& request);
  Outcome<BatchWriteItemResponse> batch_write_item(const BatchWriteItemRequest& request);

  // A token makes a repetition harmless; where none is given there is none.
  Outcome<TransactWriteItemsResponse> transact_write_items(
      const TransactWriteItemsRequest& request);
  Outcome<TransactGetItemsResponse> transact_get_items(const TransactGetItemsRequest& request);

  // All pages, item by item: visit(Item&) is called on this thread, and a visit that returns false
  // ends it. request.limit is then the size of a page, not of the whole.
  template <std::invocable<Item&> Visit>
  Outcome<void> query_each(QueryRequest request, Visit&& visit) {
    return each([this](const QueryRequest& page) { return query(page); }, std::move(request),
                visit);
  }
  template <std::invocable<Item&> Visit>
  Outcome<void> scan_each(ScanRequest request, Visit&& visit) {
    return each([this](const ScanRequest& page) { return scan(page); }, std::move(request), visit);
  }

 private:
  struct Impl;
  explicit Database(std::unique_ptr<Impl> impl) noexcept;

  template <class Read, class Request, class Visit>
  static Outcome<void> each(Read read, Request request, Visit& visit) {
    while (true) {
      auto page = read(request);
      if (!page) return page.error();
      for (Item& item : page->items) {
        if constexpr (std::predicate<Visit&, Item&>) {
          if (!std::invoke(visit, item)) return {};
        } else {
          std::invoke(visit, item);
        }
      }
      if (!page->last_evaluated_key) return {};
      request.exclusive_start_key = std::move(page->last_evaluated_key);
    }
  }

  std::unique_ptr<Impl> impl_;  // null only after a move
};

}  // namespace stator
