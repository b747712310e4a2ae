#pragma once

#include <optional>
#include <string>

#include "api/call.h"
#include "insights/insights.h"

namespace stator::api {

// The table, or index of it, that a contributor insights request is about. It has to be there.
struct InsightsSubject {
  insights::Subject subject;
  engine::TablePtr table;
  bool sorted = false;  // whether its key has a sort key
};
// The length of an index name is told in words of its own.
[[nodiscard]] Result<void> check_insights_index(const std::optional<std::string_view>& index_name);
[[nodiscard]] Result<InsightsSubject> find_insights_subject(const Call& call, std::string_view table_name,
                                                            const std::optional<std::string_view>& index_name);

}  // namespace stator::api
