#pragma once

#include <rocksdb/slice.h>

#include <memory>

#include "store/store.h"

namespace stator::store {

// A value that RocksDB has pinned in its block cache or copied out of its write buffer. Taken from
// a small pool of the thread, because a read of a hot row is about as cheap as an allocation. May
// be released on any thread.
class PinnedValue {
 public:
  struct ReturnToPool {
    void operator()(PinnedValue* value) const noexcept { give_back(value); }
  };
  using Pointer = std::unique_ptr<PinnedValue, ReturnToPool>;

  [[nodiscard]] static Pointer take();
  [[nodiscard]] static Bytes to_bytes(Pointer value) noexcept {
    const std::string_view view(value->slice.data(), value->slice.size());
    return Bytes(view, value.release(),
                 [](void* owner) noexcept { give_back(static_cast<PinnedValue*>(owner)); });
  }

  rocksdb::PinnableSlice slice;

 private:
  friend class PinnedValuePool;
  static void give_back(PinnedValue* value) noexcept;
  PinnedValue* next_ = nullptr;
};

}  // namespace stator::store
