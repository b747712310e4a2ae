#pragma once

#include <string_view>

#include "api/call.h"
#include "metrics/operation.h"

namespace stator::api {

// Reads the request from call.body, runs the operation and writes the answer to call.out. One function, one file of the
// same name here and one in engine/.
using Operation = base::Task<Result<void>> (*)(Call& call);

base::Task<Result<void>> batch_execute_statement(Call& call);
base::Task<Result<void>> batch_get_item(Call& call);
base::Task<Result<void>> batch_write_item(Call& call);
base::Task<Result<void>> create_table(Call& call);
base::Task<Result<void>> delete_item(Call& call);
base::Task<Result<void>> delete_table(Call& call);
base::Task<Result<void>> describe_continuous_backups(Call& call);
base::Task<Result<void>> describe_contributor_insights(Call& call);
base::Task<Result<void>> describe_endpoints(Call& call);
base::Task<Result<void>> describe_limits(Call& call);
base::Task<Result<void>> describe_stream(Call& call);
base::Task<Result<void>> describe_table(Call& call);
base::Task<Result<void>> describe_time_to_live(Call& call);
base::Task<Result<void>> execute_statement(Call& call);
base::Task<Result<void>> execute_transaction(Call& call);
base::Task<Result<void>> get_item(Call& call);
base::Task<Result<void>> get_records(Call& call);
base::Task<Result<void>> get_shard_iterator(Call& call);
base::Task<Result<void>> list_contributor_insights(Call& call);
base::Task<Result<void>> list_streams(Call& call);
base::Task<Result<void>> list_tables(Call& call);
base::Task<Result<void>> list_tags_of_resource(Call& call);
base::Task<Result<void>> put_item(Call& call);
base::Task<Result<void>> query(Call& call);
base::Task<Result<void>> scan(Call& call);
base::Task<Result<void>> tag_resource(Call& call);
base::Task<Result<void>> transact_get_items(Call& call);
base::Task<Result<void>> transact_write_items(Call& call);
base::Task<Result<void>> untag_resource(Call& call);
base::Task<Result<void>> update_contributor_insights(Call& call);
base::Task<Result<void>> update_item(Call& call);
base::Task<Result<void>> update_table(Call& call);
base::Task<Result<void>> update_time_to_live(Call& call);

// The operation of an X-Amz-Target header such as DynamoDB_20120810.GetItem or DynamoDBStreams_20120810.GetRecords; null where there is none.
[[nodiscard]] Operation find_operation(std::string_view target);

// An operation and what the meters call it.
struct OperationEntry {
  std::string_view name;
  Operation operation = nullptr;
  metrics::Operation metric = metrics::operation_named(name);
};
// The same look-up with all there is to know; null where there is none.
[[nodiscard]] const OperationEntry* find_entry(std::string_view target);
// What a target without one is refused with. The service says nothing more of what it does not know; of what it knows and Stator does
// not have, it is said.
[[nodiscard]] Error unknown_operation(std::string_view target);

}  // namespace stator::api
