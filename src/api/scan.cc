#include "engine/scan.h"

#include <fmt/format.h>

#include "api/answers.h"
#include "api/legacy_condition.h"
#include "api/legacy_projection.h"
#include "api/operations.h"
#include "api/page_input.h"
#include "api/usage.h"

namespace stator::api {
namespace {

struct ScanInput {
  engine::ScanRequest request;
  std::string_view given_name;  // of the table, as the answer repeats it
  ReturnCapacity capacity = ReturnCapacity::none;
};

Result<void> check_segments(const std::optional<std::int64_t>& segment,
                            const std::optional<std::int64_t>& total) {
  if (segment && !total) {
    return invalid("The TotalSegments parameter is required but was not present in the request when Segment "
                   "parameter is present");
  }
  if (total && !segment) {
    return invalid("The Segment parameter is required but was not present in the request when parameter "
                   "TotalSegments is present");
  }
  if (segment && *segment >= *total) {
    return invalid(fmt::format("The Segment parameter is zero-based and must be less than parameter "
                               "TotalSegments: Segment: {} is not less than TotalSegments: {}",
                               *segment, *total));
  }
  return {};
}

Result<ScanInput> read_scan(const Call& call) {
  ReadState state(call.arena);
  const Reader in(call.body, state);
  const PageInput page = read_page_input(in);
  const auto segment = in.integer("Segment");
  const auto total_segments = in.integer("TotalSegments");
  const auto scan_filter = read_conditions(in, "ScanFilter");
  TRY_VOID(state.result());

  Violations violations;
  check_page_constraints(page, violations);
  check_constraints(scan_filter, "scanFilter", Operator::required, violations);
  violations.range("limit", page.limit, 1);
  violations.range("segment", segment, 0, 999'999);
  violations.range("totalSegments", total_segments, 1, 1'000'000);
  TRY_VOID(violations.result());
  TRY(const std::string_view table_name, table_name_of(call, *page.table_name));

  TRY_VOID(check_combination({{"AttributesToGet", page.attributes_to_get.has_value()},
                              {"ScanFilter", scan_filter.has_value()},
                              {"ConditionalOperator", page.conditional_operator.has_value()}},
                             {{"ProjectionExpression", page.projection.has_value()},
                              {"FilterExpression", page.filter.has_value()}},
                             page.expressions, {"FilterExpression"}));
  TRY(const auto legacy_projection, attributes_to_get(page.attributes_to_get, call.arena));
  TRY(const auto legacy_filter, filter_condition(scan_filter, page.conditional_operator, call.arena));
  TRY_VOID(check_start_key_values(page));
  TRY_VOID(check_segments(segment, total_segments));
  TRY_VOID(check_select_parameters(page));

  ScanInput input;
  input.request.page = page_request(table_name, page);
  if (legacy_filter) input.request.page.filter = legacy_filter;
  if (legacy_projection) input.request.page.projection = legacy_projection;
  input.request.segment = segment.value_or(0);
  input.request.total_segments = total_segments.value_or(1);
  input.given_name = *page.table_name;
  input.capacity = return_capacity(page.capacity);
  return input;
}

}  // namespace

base::Task<Result<void>> scan(Call& call) {
  CO_TRY(const ScanInput input, read_scan(call));
  JsonWriter out(call.out);
  out.begin_object();
  const bool has_items = input.request.page.select != engine::Select::count;
  if (has_items) out.key("Items").begin_array();
  const Result<engine::Page> page = co_await engine::scan(call.engine, input.request, call.out, call.arena);
  CO_TRY_VOID(page);
  note_consumed(call, page->consumed, metrics::Units::read);
  note_returned(call, page->count);
  if (has_items) out.end_array();
  write_page_footer(out, *page, input.given_name, input.capacity);
  out.end_object();
  co_return Result<void>();
}

}  // namespace stator::api
