#pragma once

#include <atomic>
#include <memory>

namespace stator::engine {

struct TableMeter;

// Where one version of a table keeps what its requests are charged to. Filled by the first of them, so that neither the
// catalog nor the stored form knows of it. A copy of the table is another version and starts without.
class MeterSlot {
 public:
  MeterSlot() = default;
  MeterSlot(const MeterSlot&) noexcept {}
  MeterSlot& operator=(const MeterSlot&) noexcept { return *this; }

  // Null: nobody has asked yet.
  [[nodiscard]] const TableMeter* get() const noexcept { return ready_.load(std::memory_order_acquire); }
  // Once, by one thread at a time (Admission holds its lock).
  void set(std::shared_ptr<const TableMeter> meter) const {
    owner_ = std::move(meter);
    ready_.store(owner_.get(), std::memory_order_release);
  }

 private:
  mutable std::atomic<const TableMeter*> ready_{nullptr};
  mutable std::shared_ptr<const TableMeter> owner_;
};

}  // namespace stator::engine
