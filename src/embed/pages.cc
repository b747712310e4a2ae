// Query and Scan.
#include <fmt/format.h>

#include "api/violations.h"
#include "base/sync_wait.h"
#include "embed/check.h"
#include "embed/convert.h"
#include "embed/operations.h"
#include "engine/query.h"
#include "engine/scan.h"

namespace stator::embed {
namespace {

engine::Select to_select(Select select) {
  switch (select) {
    case Select::all_attributes:
      break;
    case Select::all_projected_attributes:
      return engine::Select::all_projected;
    case Select::specific_attributes:
      return engine::Select::specific;
    case Select::count:
      return engine::Select::count;
  }
  return engine::Select::all_attributes;
}

std::string_view select_name(Select select) {
  switch (select) {
    case Select::all_attributes:
      break;
    case Select::all_projected_attributes:
      return "ALL_PROJECTED_ATTRIBUTES";
    case Select::specific_attributes:
      return "SPECIFIC_ATTRIBUTES";
    case Select::count:
      return "COUNT";
  }
  return "ALL_ATTRIBUTES";
}

template <class Request>
Result<void> check_select(const Request& request) {
  if (!request.select) return {};
  if (*request.select == Select::all_projected_attributes && !request.index_name) {
    return invalid(
        "One or more parameter values were invalid: ALL_PROJECTED_ATTRIBUTES can be used only when "
        "Querying using an IndexName");
  }
  const bool specific = *request.select == Select::specific_attributes;
  if (request.projection && !specific) {
    return invalid(fmt::format("Cannot specify the ProjectionExpression when choosing to get {}",
                               select_name(*request.select)));
  }
  if (!request.projection && specific) {
    return invalid(
        "Must specify the AttributesToGet or ProjectionExpression when choosing to get "
        "SPECIFIC_ATTRIBUTES");
  }
  return {};
}

Result<void> check_segments(const ScanRequest& request) {
  api::Violations violations;
  violations.range("limit", request.limit, 1);
  violations.range("segment", request.segment, 0, 999'999);
  violations.range("totalSegments", request.total_segments, 1, 1'000'000);
  TRY_VOID(violations.result());
  if (request.segment && !request.total_segments) {
    return invalid(
        "The TotalSegments parameter is required but was not present in the request when Segment "
        "parameter is present");
  }
  if (request.total_segments && !request.segment) {
    return invalid(
        "The Segment parameter is required but was not present in the request when parameter "
        "TotalSegments is present");
  }
  if (request.segment && *request.segment >= *request.total_segments) {
    return invalid(
        fmt::format("The Segment parameter is zero-based and must be less than parameter "
                    "TotalSegments: Segment: {} is not less than TotalSegments: {}",
                    *request.segment, *request.total_segments));
  }
  return {};
}

// What Query and Scan have in common.
template <class Request>
Result<engine::PageRequest> to_page_request(const Request& request, base::Arena& arena) {
  engine::PageRequest page;
  page.table_name = request.table_name;
  page.index_name = to_view(request.index_name);
  page.filter = to_view(request.filter);
  page.projection = to_view(request.projection);
  TRY(page.parameters, to_parameters(request.names, request.values, arena));
  if (request.select) page.select = to_select(*request.select);
  page.limit = request.limit;
  if (request.exclusive_start_key) {
    TRY(page.start_key, to_attributes(*request.exclusive_start_key, arena));
  }
  page.consistent = request.consistent_read;
  return page;
}

Result<QueryResponse> to_response(const engine::Page& page, std::string_view items,
                                  ReturnConsumedCapacity wanted, base::Arena& arena) {
  QueryResponse response;
  TRY(response.items, to_items(items, arena));
  response.count = page.count;
  response.scanned_count = page.scanned_count;
  if (!page.last_key_text.empty()) {
    TRY(response.last_evaluated_key, to_item(page.last_key_text, arena));
  }
  response.consumed_capacity = wanted_capacity(page.consumed, wanted);
  return response;
}

}  // namespace

Result<QueryResponse> query(engine::Engine& engine, const QueryRequest& request,
                            base::Arena& arena) {
  TRY_VOID(check_table_name(request.table_name));
  if (request.limit && *request.limit < 1) {
    api::Violations violations;
    violations.add("", "Limit", "Member must have value greater than or equal to 1");
    return tl::unexpected(violations.result().error());
  }
  if (!request.key_condition) {
    return invalid(
        "Either the KeyConditions or KeyConditionExpression parameter must be specified in the "
        "request.");
  }
  TRY_VOID(check_select(request));
  engine::QueryRequest query;
  TRY(query.page, to_page_request(request, arena));
  query.key_condition = *request.key_condition;
  query.forward = request.scan_index_forward;
  base::Buffer items;
  TRY(const engine::Page page, base::sync_wait(engine::query(engine, query, items, arena)));
  return to_response(page, items.view(), request.return_consumed_capacity, arena);
}

Result<ScanResponse> scan(engine::Engine& engine, const ScanRequest& request, base::Arena& arena) {
  TRY_VOID(check_table_name(request.table_name));
  TRY_VOID(check_segments(request));
  TRY_VOID(check_select(request));
  engine::ScanRequest scan;
  TRY(scan.page, to_page_request(request, arena));
  scan.segment = request.segment.value_or(0);
  scan.total_segments = request.total_segments.value_or(1);
  base::Buffer items;
  TRY(const engine::Page page, base::sync_wait(engine::scan(engine, scan, items, arena)));
  return to_response(page, items.view(), request.return_consumed_capacity, arena);
}

}  // namespace stator::embed
