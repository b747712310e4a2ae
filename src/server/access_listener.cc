#include "server/access_listener.h"

#include "server/key_text.h"

namespace stator::server {
namespace {

metrics::ThrottleReason reason_of(capacity::Limit limit) {
  switch (limit) {
    case capacity::Limit::provisioned:
      return metrics::ThrottleReason::provisioned;
    case capacity::Limit::key_range:
      return metrics::ThrottleReason::key_range;
    case capacity::Limit::account:
      return metrics::ThrottleReason::account;
    case capacity::Limit::max_on_demand:
      break;
  }
  return metrics::ThrottleReason::on_demand_maximum;
}

}  // namespace

void AccessListener::accessed(std::span<const engine::Access> accesses) {
  if (recorder_ != nullptr) recorder_->record(accesses);
  if (!insights_.any()) return;
  for (const engine::Access& access : accesses) rank(access, false);
}

void AccessListener::throttled(const engine::Access& access, capacity::Limit limit, bool refused) {
  // What was only observed is in the capacity model's own counters (/metrics); these are what clients have felt.
  if (refused) {
    const bool writes = access.kind == engine::AccessKind::write;
    const metrics::Units units = writes ? metrics::Units::write : metrics::Units::read;
    const metrics::TableRef table{access.table->id, access.table->name};
    if (access.index == nullptr) {
      hub_.local().throttled(table, units, reason_of(limit));
    } else {
      hub_.local().throttled(table, {access.index->id, access.index->name}, units, reason_of(limit));
    }
  }
  if (insights_.any()) rank(access, true);
}

void AccessListener::rank(const engine::Access& access, bool throttled) {
  if (access.kind == engine::AccessKind::scan) return;  // is for no key in particular
  const std::optional<KeyText> key = key_text(access);
  if (!key) return;
  const std::string index = access.index != nullptr ? access.index->name : std::string();
  std::optional<std::string_view> sort;
  if (key->sort) sort = *key->sort;
  insights_.record({access.table->name, index}, {key->partition, sort, access.cost, throttled});
}

}  // namespace stator::server
