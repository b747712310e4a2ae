#include "engine/create_table.h"

#include <fmt/format.h>

#include "api/operations.h"
#include "api/table_description.h"
#include "api/table_input.h"
#include "engine/tags.h"

namespace stator::api {
namespace {

Result<std::vector<std::pair<std::string_view, std::string_view>>> read_tags(const Reader& in) {
  std::vector<std::pair<std::string_view, std::string_view>> tags;
  const auto elements = in.objects("Tags", "Tag");
  if (!elements) return tags;
  for (const Reader& element : *elements) {
    const auto given_key = element.string("Key");
    const auto given_value = element.string("Value");
    if (!given_key) return invalid("The Tag Key provided is invalid, Key: null");
    if (!given_value) return invalid("The Tag Value provided is invalid, Value: null");
    tags.emplace_back(*given_key, *given_value);
  }
  TRY_VOID(engine::check_tags(tags));
  return tags;
}

Result<engine::CreateTableRequest> read_create_table(const Call& call, const std::string& default_key_arn) {
  ReadState state(call.arena);
  const Reader in(call.body, state);
  Violations violations;
  engine::CreateTableRequest request;
  const auto name = in.string("TableName");
  const auto definitions = read_definitions(in, violations);
  violations.required("attributeDefinitions", definitions.has_value());
  if (definitions) request.definitions = *definitions;
  request.key = read_key_schema(in, "keySchema", KeyOf::table, violations);
  request.global_indexes = read_indexes(in, engine::IndexKind::global, violations);
  request.local_indexes = read_indexes(in, engine::IndexKind::local, violations);
  request.billing = read_billing(in, violations);
  request.throughput = read_throughput(in, "provisionedThroughput", violations);
  request.stream = read_stream(in, violations);
  request.encryption = read_encryption(in, violations, default_key_arn);
  const auto table_class = in.string("TableClass");
  request.deletion_protection = in.boolean("DeletionProtectionEnabled").value_or(false);
  request.on_demand = read_on_demand(in);
  request.warm = read_warm(in);
  const auto tags = read_tags(in);
  TRY_VOID(state.result());

  if (!name) return invalid("The parameter 'TableName' is required but was not present in the request");
  Violations of_name;
  of_name.name("tableName", name);
  TRY_VOID(of_name.result());
  TRY_VOID(violations.result());
  TRY_VOID(check_table_class(table_class));
  TRY_VOID(tags);
  request.table_class = table_class.value_or("");
  request.name = *name;
  request.tags = *tags;
  return request;
}

}  // namespace

base::Task<Result<void>> create_table(Call& call) {
  const std::string key_arn = default_key_arn(call);
  CO_TRY(const engine::CreateTableRequest request, read_create_table(call, key_arn));
  const Result<engine::TablePtr> created = co_await engine::create_table(call.engine, request);
  CO_TRY_VOID(created);
  Result<engine::TableReport> report =
      co_await engine::report_table(call.engine, *created, engine::TableStatus::creating);
  CO_TRY_VOID(report);
  // Warm throughput is told once the table is there; before that only what was asked for.
  report->index_warm.clear();
  if ((*created)->warm.any()) {
    report->warm->updating = true;
  } else {
    report->warm.reset();
  }
  write_table_answer(call, "TableDescription", *report);
  co_return Result<void>();
}

}  // namespace stator::api
