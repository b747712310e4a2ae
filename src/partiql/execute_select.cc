#include <algorithm>

#include "engine/get_item.h"
#include "engine/query.h"
#include "engine/scan.h"
#include "item/stored_item.h"
#include "partiql/execute.h"
#include "partiql/plan.h"

namespace stator::partiql {
namespace {

// The key of a token is the text of an item's key; a token is not signed, so it may be anything.
Result<std::optional<item::Attributes>> start_key(const ExecuteOptions& options, base::Arena& arena) {
  if (!options.page || options.page->last_key_text.empty()) return std::nullopt;
  const std::string text = "{\"M\":" + std::string(options.page->last_key_text) + "}";
  const auto map = item::decode_value(arena.copy(std::string_view(text)), arena);
  if (!map || !map->is(item::Type::map)) return invalid("Invalid NextToken");
  return map->attributes();
}

void add_capacity(engine::ConsumedCapacity& sum, const engine::ConsumedCapacity& more) {
  if (!sum.table) {
    sum = more;
    return;
  }
  sum.table_cost += more.table_cost;
  for (const auto& [index, cost] : more.indexes) sum.add_index(*index, cost);
}

// What the parts that were read so far weigh, from what they cost: a page of several partitions is as large as of one.
std::size_t bytes_read(const engine::ConsumedCapacity& consumed, bool consistent) {
  return static_cast<std::size_t>(consumed.total()) * engine::kReadUnitBytes / (consistent ? 2 : 1);
}

bool is_throttled(const Error& error) {
  return error.code == ErrorCode::throughput_exceeded || error.code == ErrorCode::throttled;
}

base::Task<Result<ExecuteResult>> run_get(engine::Engine& engine, const BoundStatement& statement,
                                          const ReadPlan& plan, const ExecuteOptions& options, base::Buffer& items,
                                          base::Arena& arena) {
  engine::GetItemRequest request;
  request.table_name = statement.table_name;
  request.key = plan.key;
  request.projection = statement.projection;
  request.consistent = options.consistent;
  const Result<engine::GetItemResult> got = co_await engine::get_item(engine, request, arena);
  CO_TRY_VOID(got);
  ExecuteResult result;
  result.consumed = got->consumed;
  if (!got->item || (plan.filter && !plan.filter->matches(&*got->item, arena))) co_return result;
  if (statement.projection) {
    statement.projection->append(items, *got->item, arena);
  } else {
    items.append(got->item->text());
  }
  co_return result;
}

engine::PageRequest page_request(const BoundStatement& statement, const ReadPlan& plan,
                                 const ExecuteOptions& options) {
  engine::PageRequest page;
  page.table_name = statement.table_name;
  page.index_name = statement.index_name;
  page.filter = plan.filter;
  page.projection = statement.projection;
  page.limit = options.limit;
  page.consistent = options.consistent;
  page.filters_keys = true;
  page.restarts = true;
  return page;
}

base::Task<Result<ExecuteResult>> run_scan(engine::Engine& engine, const BoundStatement& statement,
                                           const ReadPlan& plan, const ExecuteOptions& options, base::Buffer& items,
                                           base::Arena& arena) {
  engine::ScanRequest request;
  request.page = page_request(statement, plan, options);
  CO_TRY(request.page.start_key, start_key(options, arena));
  Result<engine::Page> page = co_await engine::scan(engine, request, items, arena);
  CO_TRY_VOID(page);
  ExecuteResult result;
  result.consumed = page->consumed;
  result.last_key_text = std::move(page->last_key_text);
  if (!result.last_key_text.empty()) result.next_part = 0;
  co_return result;
}

// One partition after the other until the page is full.
base::Task<Result<ExecuteResult>> run_query(engine::Engine& engine, const BoundStatement& statement,
                                            const ReadPlan& plan, const ExecuteOptions& options,
                                            base::Buffer& items, base::Arena& arena) {
  engine::QueryRequest request;
  request.page = page_request(statement, plan, options);
  request.forward = plan.forward;
  CO_TRY(request.page.start_key, start_key(options, arena));
  ExecuteResult result;
  base::Buffer found;
  const std::size_t first = options.page ? options.page->part : 0;
  for (std::size_t part = first; part < plan.parts.size(); ++part) {
    request.key_condition = plan.parts[part].key;
    request.page.filter = plan.parts[part].filter;
    found.clear();
    Result<engine::Page> page = co_await engine::query(engine, request, found, arena);
    if (!page && part > first && is_throttled(page.error())) {  // a page that ends early, like that of one partition
      result.next_part = static_cast<std::uint32_t>(part);
      break;
    }
    CO_TRY_VOID(page);
    add_capacity(result.consumed, page->consumed);
    if (!items.empty() && !found.empty()) items.push_back(',');
    items.append(found.view());
    request.page.start_key.reset();
    if (request.page.limit) *request.page.limit -= page->scanned_count;
    if (!page->last_key_text.empty()) {
      result.last_key_text = std::move(page->last_key_text);
      result.next_part = static_cast<std::uint32_t>(part);
      break;
    }
    if (bytes_read(result.consumed, options.consistent) >= engine::kPageBytesMax && part + 1 < plan.parts.size()) {
      result.next_part = static_cast<std::uint32_t>(part + 1);
      break;
    }
  }
  co_return result;
}

}  // namespace

base::Task<Result<ExecuteResult>> execute_select(engine::Engine& engine, const BoundStatement& statement,
                                                 const ExecuteOptions& options, base::Buffer& items,
                                                 base::Arena& arena) {
  CO_TRY(const engine::TablePtr table, engine.catalog.find_usable(statement.table_name));
  CO_TRY(const ReadPlan plan, plan_read(statement, *table, options.consistent, arena));
  // A read of one item has no filter.
  if (options.single_item_only && (plan.access != Access::get || plan.filter)) {
    co_return invalid(
        "Select statements within BatchExecuteStatement must specify the primary key in the where clause.");
  }
  if (plan.access == Access::get) {
    Result<ExecuteResult> result = co_await run_get(engine, statement, plan, options, items, arena);
    co_return result;
  }
  if (plan.access == Access::query) {
    Result<ExecuteResult> result = co_await run_query(engine, statement, plan, options, items, arena);
    co_return result;
  }
  Result<ExecuteResult> result = co_await run_scan(engine, statement, plan, options, items, arena);
  co_return result;
}

}  // namespace stator::partiql
