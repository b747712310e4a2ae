#pragma once

#include "base/arena.h"
#include "base/result.h"
#include "engine/engine.h"
#include "stator/items.h"
#include "stator/tables.h"
#include "stator/transactions.h"

// The operations of the library on the calling thread: a public request becomes the engine's, the
// engine's answer becomes a public response. The checks here are those that the engine leaves to
// whoever makes its requests.
namespace stator::embed {

[[nodiscard]] Result<TableDescription> create_table(engine::Engine& engine,
                                                    const CreateTableRequest& request,
                                                    base::Arena& arena);
[[nodiscard]] Result<TableDescription> describe_table(engine::Engine& engine,
                                                      const DescribeTableRequest& request,
                                                      base::Arena& arena);
[[nodiscard]] Result<TableDescription> update_table(engine::Engine& engine,
                                                    const UpdateTableRequest& request,
                                                    base::Arena& arena);
[[nodiscard]] Result<TableDescription> delete_table(engine::Engine& engine,
                                                    const DeleteTableRequest& request,
                                                    base::Arena& arena);
[[nodiscard]] Result<ListTablesResponse> list_tables(engine::Engine& engine,
                                                     const ListTablesRequest& request,
                                                     base::Arena& arena);

[[nodiscard]] Result<PutItemResponse> put_item(engine::Engine& engine,
                                               const PutItemRequest& request, base::Arena& arena);
[[nodiscard]] Result<GetItemResponse> get_item(engine::Engine& engine,
                                               const GetItemRequest& request, base::Arena& arena);
[[nodiscard]] Result<UpdateItemResponse> update_item(engine::Engine& engine,
                                                     const UpdateItemRequest& request,
                                                     base::Arena& arena);
[[nodiscard]] Result<DeleteItemResponse> delete_item(engine::Engine& engine,
                                                     const DeleteItemRequest& request,
                                                     base::Arena& arena);

[[nodiscard]] Result<QueryResponse> query(engine::Engine& engine, const QueryRequest& request,
                                          base::Arena& arena);
[[nodiscard]] Result<ScanResponse> scan(engine::Engine& engine, const ScanRequest& request,
                                        base::Arena& arena);

[[nodiscard]] Result<BatchGetItemResponse> batch_get_item(engine::Engine& engine,
                                                          const BatchGetItemRequest& request,
                                                          base::Arena& arena);
[[nodiscard]] Result<BatchWriteItemResponse> batch_write_item(engine::Engine& engine,
                                                              const BatchWriteItemRequest& request,
                                                              base::Arena& arena);

[[nodiscard]] Result<TransactWriteItemsResponse> transact_write_items(
    engine::Engine& engine, const TransactWriteItemsRequest& request, base::Arena& arena);
[[nodiscard]] Result<TransactGetItemsResponse> transact_get_items(
    engine::Engine& engine, const TransactGetItemsRequest& request, base::Arena& arena);

}  // namespace stator::embed
