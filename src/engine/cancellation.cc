// How a transaction tells why it was canceled.

#include <fmt/format.h>

#include "engine/transact_write_items.h"

namespace stator::engine {

Error transaction_canceled(std::vector<CancellationReason> reasons) {
  std::string codes;
  for (const CancellationReason& reason : reasons) {
    if (!codes.empty()) codes += ", ";
    codes += reason.code;
  }
  auto detail = std::make_shared<TransactionCanceledDetail>();
  detail->reasons = std::move(reasons);
  return {ErrorCode::transaction_canceled,
          fmt::format("Transaction cancelled, please refer cancellation reasons for specific reasons [{}]", codes),
          std::move(detail)};
}

CancellationReason conflict_reason() {
  return {"TransactionConflict", "Transaction is ongoing for the item", ""};
}

std::optional<CancellationReason> reason_of(const Error& refusal) {
  CancellationReason reason;
  reason.message = refusal.message;
  switch (refusal.code) {
    case ErrorCode::condition_failed: {
      reason.code = "ConditionalCheckFailed";
      const auto* detail = dynamic_cast<const ConditionFailedDetail*>(refusal.detail.get());
      if (detail != nullptr) reason.item_text = detail->item_text;
      return reason;
    }
    case ErrorCode::validation:
      reason.code = "ValidationError";
      return reason;
    case ErrorCode::collection_too_large:
      reason.code = "ItemCollectionSizeLimitExceeded";
      return reason;
    case ErrorCode::throughput_exceeded:
      reason.code = "ProvisionedThroughputExceeded";
      return reason;
    case ErrorCode::throttled:
      reason.code = "ThrottlingError";
      return reason;
    default:
      return std::nullopt;
  }
}

}  // namespace stator::engine
