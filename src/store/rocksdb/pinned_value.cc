#include "store/rocksdb/pinned_value.h"

namespace stator::store {

// The free list of one thread. A value joins the list of the thread that releases it.
class PinnedValuePool {
 public:
  PinnedValuePool() = default;
  PinnedValuePool(const PinnedValuePool&) = delete;
  PinnedValuePool& operator=(const PinnedValuePool&) = delete;
  ~PinnedValuePool() {
    while (free_ != nullptr) delete pop();
    closed_ = true;
  }

  PinnedValue* take() { return free_ != nullptr ? pop() : new PinnedValue; }

  void give_back(PinnedValue* value) noexcept {
    value->slice.Reset();
    // The buffer of a large value is not worth keeping.
    const bool keep =
        !closed_ && count_ < kValuesMax && value->slice.GetSelf()->capacity() <= kBufferBytesMax;
    if (!keep) {
      delete value;
      return;
    }
    value->next_ = free_;
    free_ = value;
    ++count_;
  }

 private:
  static constexpr int kValuesMax = 256;
  static constexpr std::size_t kBufferBytesMax = 4096;

  PinnedValue* pop() noexcept {
    PinnedValue* value = free_;
    free_ = value->next_;
    --count_;
    return value;
  }

  PinnedValue* free_ = nullptr;
  int count_ = 0;
  bool closed_ = false;  // static storage outlives the destructor: late releases delete
};

namespace {
thread_local PinnedValuePool values_of_thread;
}

PinnedValue::Pointer PinnedValue::take() { return Pointer(values_of_thread.take()); }
void PinnedValue::give_back(PinnedValue* value) noexcept { values_of_thread.give_back(value); }

}  // namespace stator::store
