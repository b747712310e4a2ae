#include "api/contributor_insights.h"

#include <fmt/format.h>

#include "api/json_writer.h"
#include "api/operations.h"
#include "api/reader.h"
#include "api/violations.h"

namespace stator::api {
namespace {

struct UpdateContributorInsightsInput {
  InsightsSubject subject;
  bool enable = false;
  insights::Mode mode = insights::Mode::accessed_and_throttled;
};

// A table that is being updated counts as active.
Result<void> check_active(const Call& call, const engine::Table& table, const std::optional<std::string_view>& index_name) {
  const auto refused = [](std::string_view what) {
    return invalid(fmt::format("Table or Index is not in a valid state to update Key Access Insights: {} must be ACTIVE "
                               "to enable ContributorInsights.", what));
  };
  const engine::TableStatus status = table.status(call.engine.clock.now_ms());
  if (status == engine::TableStatus::creating || status == engine::TableStatus::deleting) return refused("TableStatus");
  const engine::Index* index = index_name ? table.find_index(*index_name) : nullptr;
  if (index != nullptr && index->state != engine::IndexState::active) return refused("IndexStatus");
  return {};
}

Result<UpdateContributorInsightsInput> read_update_contributor_insights(const Call& call) {
  ReadState state(call.arena);
  const Reader in(call.body, state);
  const auto table_name = in.string("TableName");
  const auto index_name = in.string("IndexName");
  const auto action = in.string("ContributorInsightsAction");
  const auto mode = in.string("ContributorInsightsMode");
  TRY_VOID(state.result());
  Violations violations;
  violations.name("indexName", index_name);
  violations.required("contributorInsightsAction", action.has_value());
  violations.one_of("contributorInsightsAction", action, {"ENABLE", "DISABLE"});
  violations.one_of("contributorInsightsMode", mode, {"ACCESSED_AND_THROTTLED_KEYS", "THROTTLED_KEYS"});
  TRY_VOID(check_required_table_name(table_name));
  TRY_VOID(check_insights_index(index_name));
  TRY_VOID(violations.result());
  TRY(const std::string_view name, table_name_of(call, *table_name));
  UpdateContributorInsightsInput input;
  TRY(input.subject, find_insights_subject(call, name, index_name));
  input.enable = *action == "ENABLE";
  if (input.enable) TRY_VOID(check_active(call, *input.subject.table, index_name));
  if (mode) input.mode = *insights::find_mode(*mode);
  return input;
}

}  // namespace

Result<InsightsSubject> find_insights_subject(const Call& call, std::string_view table_name,
                                              const std::optional<std::string_view>& index_name) {
  TRY(engine::TablePtr table, call.engine.catalog.find(table_name));
  const engine::Index* index = index_name ? table->find_index(*index_name) : nullptr;
  if (index_name && (index == nullptr || index->kind != engine::IndexKind::global)) {
    return fail(ErrorCode::table_not_found, fmt::format("Requested resource not found: Index: {} not found for table: {}",
                                                        *index_name, table->name));
  }
  const bool sorted = !(index != nullptr ? index->key : table->key).sort.empty();
  return InsightsSubject{{table->name, std::string(index_name.value_or(""))}, std::move(table), sorted};
}

Result<void> check_insights_index(const std::optional<std::string_view>& index_name) {
  if (!index_name || (index_name->size() >= 3 && index_name->size() <= 255)) return {};
  return invalid("IndexName must be at least 3 characters long and at most 255 characters long");
}

base::Task<Result<void>> update_contributor_insights(Call& call) {
  CO_TRY(const UpdateContributorInsightsInput input, read_update_contributor_insights(call));
  if (call.insights == nullptr) co_return fail(ErrorCode::unknown_operation, "");
  std::optional<insights::Setting> setting = call.insights->find(input.subject.subject);
  const bool enabled = setting && setting->enabled;
  const bool changes = enabled != input.enable || (enabled && setting->mode != input.mode);
  if (changes) {
    const std::optional<insights::Mode> mode = input.enable ? std::optional(input.mode) : std::nullopt;
    const Result<insights::Setting> changed = co_await call.insights->set(input.subject.subject, input.enable, mode);
    CO_TRY_VOID(changed);
    setting = *changed;
  }
  JsonWriter out(call.out);
  out.begin_object().key("TableName").string(input.subject.subject.table);
  if (!input.subject.subject.index.empty()) out.key("IndexName").string(input.subject.subject.index);
  out.key("ContributorInsightsStatus");
  out.string(input.enable ? changes ? "ENABLING" : "ENABLED" : changes ? "DISABLING" : "DISABLED");
  if (setting) out.key("ContributorInsightsMode").string(insights::mode_name(setting->mode));
  out.end_object();
  co_return Result<void>();
}

}  // namespace stator::api
