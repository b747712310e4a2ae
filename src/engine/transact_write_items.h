#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "engine/item_write.h"
#include "engine/request.h"

namespace stator::engine {

inline constexpr std::size_t kTransactItemsMax = 100;
inline constexpr std::size_t kTransactBytesMax = 4 * 1024 * 1024;
inline constexpr std::string_view kTransactTooLarge = "Transaction payload size cannot exceed 4 MB";
inline constexpr std::int64_t kTokenLifetimeMs = 10 * 60 * 1000;

enum class TransactKind : std::uint8_t { put, update, remove, check };

struct TransactAction {
  TransactKind kind = TransactKind::put;
  std::string_view table_name;
  item::Attributes attributes;  // the item of a put, the key of the others
  ExpressionSource<expr::Update> update;
  ExpressionSource<expr::Condition> condition;
  ExpressionParameters parameters;
  bool return_item_on_failure = false;
};

struct TransactWriteRequest {
  std::span<const TransactAction> actions;
  std::string_view token;        // ClientRequestToken; empty: none
  std::string_view fingerprint;  // of the request, to tell a repetition from a misuse of the token
  bool collection_metrics = false;
};

struct TransactWriteResult {
  std::vector<WriteOutcome> outcomes;  // one per action; capacities are those of a transaction
  bool replayed = false;               // the token was known: nothing was done now, and reads were consumed
};

// Why a transaction was canceled: one reason per item, in order.
struct CancellationReason {
  std::string code = "None";
  std::string message;
  std::string item_text;
};
struct TransactionCanceledDetail final : ErrorDetail {
  std::vector<CancellationReason> reasons;
};
[[nodiscard]] Error transaction_canceled(std::vector<CancellationReason> reasons);
[[nodiscard]] CancellationReason conflict_reason();
// Whether an item's refusal can stand among the reasons; any other error fails the whole request by itself.
[[nodiscard]] std::optional<CancellationReason> reason_of(const Error& refusal);

[[nodiscard]] base::Task<Result<TransactWriteResult>> transact_write_items(Engine& engine,
                                                                           const TransactWriteRequest& request,
                                                                           base::Arena& arena);

}  // namespace stator::engine
