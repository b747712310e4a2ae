#include "metrics/usage.h"

namespace stator::metrics {

void RequestUsage::finish(Operation operation, Outcome outcome, std::int64_t latency_us) {
  if (outcome == Outcome::user_error) recorder_->user_error();
  if (operation != Operation::none) count(operation, outcome, latency_us);
  for (TableCounters* table : tables_) --table->holders;
  tables_.clear();
}

void RequestUsage::count(Operation operation, Outcome outcome, std::int64_t latency_us) {
  for (TableCounters* table : tables_) {
    switch (outcome) {
      case Outcome::success: {
        OperationCounters& counters = recorder_->operation(*table, operation);
        counters.add_latency(latency_us);
        if (throttled) counters.throttled_requests.add(1);
        if (returned_items >= 0) counters.returned_items.add(returned_items);
        break;
      }
      case Outcome::condition_failed:
        table->conditional_check_failed.add(1);
        break;
      case Outcome::transaction_conflict:
        table->transaction_conflict.add(1);
        break;
      case Outcome::throttled:
        recorder_->operation(*table, operation).throttled_requests.add(1);
        break;
      case Outcome::system_error:
        recorder_->operation(*table, operation).system_errors.add(1);
        break;
      case Outcome::user_error:
        break;
    }
  }
}

}  // namespace stator::metrics
