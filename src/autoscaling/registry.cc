#include "autoscaling/registry.h"

namespace stator::autoscaling {

Result<void> Registry::load() {
  TRY(const auto documents, documents_.load());
  const std::lock_guard lock(mutex_);
  for (const auto& [name, text] : documents) {
    TRY(state_, decode_state(text));
  }
  return {};
}

base::Task<Result<void>> Registry::update(std::function<Result<void>(State&)> change) {
  std::string text;
  {
    const std::lock_guard lock(mutex_);
    CO_TRY_VOID(change(state_));
    text = encode_state(state_);
  }
  Result<void> done = co_await documents_.put("state", std::move(text));
  co_return done;
}

}  // namespace stator::autoscaling
