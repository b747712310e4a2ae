#pragma once

#include <coroutine>
#include <optional>
#include <utility>

#include "base/check.h"
#include "base/task.h"

namespace stator::base {

// A task that goes on while its owner does something else on the same executor. It starts at once; its owner awaits it, once,
// before it goes.
//
//   Started<Result<void>> writing(store.commit(batch));
//   ... prepare the next batch ...
//   const Result<void> written = co_await writing;
template <class T>
class Started {
 public:
  explicit Started(Task<T> task) { run(*this, std::move(task)); }
  ~Started() { DCHECK(value_.has_value()); }
  Started(const Started&) = delete;
  Started& operator=(const Started&) = delete;

  bool await_ready() const noexcept { return value_.has_value(); }
  void await_suspend(std::coroutine_handle<> awaiting) noexcept { awaiting_ = awaiting; }
  T await_resume() { return std::move(*value_); }

 private:
  static Detached run(Started& self, Task<T> task) {
    self.value_.emplace(co_await task);
    if (self.awaiting_) self.awaiting_.resume();  // may be the end of `self`
  }

  std::coroutine_handle<> awaiting_;
  std::optional<T> value_;
};

}  // namespace stator::base
