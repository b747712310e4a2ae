#include <charconv>

#include "api/json_writer.h"
#include "api/operations.h"
#include "api/reader.h"
#include "api/violations.h"

namespace stator::api {
namespace {

struct ListContributorInsightsInput {
  std::optional<std::string_view> table;
  std::size_t begin = 0;
  std::size_t limit = 100;
};

Result<ListContributorInsightsInput> read_list_contributor_insights(const Call& call) {
  ReadState state(call.arena);
  const Reader in(call.body, state);
  const auto table_name = in.string("TableName");
  const auto token = in.string("NextToken");
  const auto limit = in.integer("MaxResults");
  TRY_VOID(state.result());
  Violations violations;
  violations.range("maxResults", limit, 1, 100);
  TRY_VOID(violations.result());
  ListContributorInsightsInput input;
  if (table_name) {
    TRY(input.table, table_name_of(call, *table_name));
    TRY_VOID(call.engine.catalog.find(*input.table));
  }
  if (limit) input.limit = static_cast<std::size_t>(*limit);
  if (token) {
    const auto [end, error] = std::from_chars(token->data(), token->data() + token->size(), input.begin);
    if (error != std::errc() || end != token->data() + token->size()) return invalid("Invalid NextToken");
  }
  return input;
}

}  // namespace

// Tables and indexes whose insights are enabled, as long as they exist.
base::Task<Result<void>> list_contributor_insights(Call& call) {
  CO_TRY(const ListContributorInsightsInput input, read_list_contributor_insights(call));
  if (call.insights == nullptr) co_return fail(ErrorCode::unknown_operation, "");
  JsonWriter out(call.out);
  out.begin_object().key("ContributorInsightsSummaries").begin_array();
  std::size_t position = 0;
  bool more = false;
  for (const auto& [subject, setting] : call.insights->list()) {
    if (!setting.enabled || (input.table && subject.table != *input.table)) continue;
    if (!call.engine.catalog.find(subject.table)) continue;
    if (position++ < input.begin) continue;
    if (position - input.begin > input.limit) {
      more = true;
      break;
    }
    out.begin_object().key("TableName").string(subject.table);
    if (!subject.index.empty()) out.key("IndexName").string(subject.index);
    out.key("ContributorInsightsStatus").string("ENABLED");
    out.key("ContributorInsightsMode").string(insights::mode_name(setting.mode));
    out.end_object();
  }
  out.end_array();
  if (more) out.key("NextToken").string(std::to_string(input.begin + input.limit));
  out.end_object();
  co_return Result<void>();
}

}  // namespace stator::api
