#include "api/contributor_insights.h"
#include "api/json_writer.h"
#include "api/operations.h"
#include "api/reader.h"
#include "api/violations.h"

namespace stator::api {
namespace {

Result<InsightsSubject> read_describe_contributor_insights(const Call& call) {
  ReadState state(call.arena);
  const Reader in(call.body, state);
  const auto table_name = in.string("TableName");
  const auto index_name = in.string("IndexName");
  TRY_VOID(state.result());
  Violations violations;
  violations.name("indexName", index_name);
  TRY_VOID(check_required_table_name(table_name));
  TRY_VOID(check_insights_index(index_name));
  TRY_VOID(violations.result());
  TRY(const std::string_view name, table_name_of(call, *table_name));
  return find_insights_subject(call, name, index_name);
}

}  // namespace

base::Task<Result<void>> describe_contributor_insights(Call& call) {
  CO_TRY(const InsightsSubject found, read_describe_contributor_insights(call));
  if (call.insights == nullptr) co_return fail(ErrorCode::unknown_operation, "");
  const std::optional<insights::Setting> setting = call.insights->find(found.subject);
  JsonWriter out(call.out);
  out.begin_object().key("TableName").string(found.subject.table);
  if (!found.subject.index.empty()) out.key("IndexName").string(found.subject.index);
  out.key("ContributorInsightsStatus").string(setting && setting->enabled ? "ENABLED" : "DISABLED");
  if (setting) {
    if (setting->enabled) {
      out.key("ContributorInsightsRuleList").begin_array();
      for (const std::string& rule : insights::Insights::rule_names(found.subject, *setting, found.sorted)) out.string(rule);
      out.end_array();
    }
    out.key("LastUpdateDateTime").time(setting->changed_ms);
    out.key("ContributorInsightsMode").string(insights::mode_name(setting->mode));
  }
  out.end_object();
  co_return Result<void>();
}

}  // namespace stator::api
