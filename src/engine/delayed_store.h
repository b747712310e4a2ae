#pragma once

#include "base/clock.h"
#include "engine/row_history.h"
#include "store/store.h"

namespace stator::engine {

// A store with a second face that lags behind: reads there see items and index rows as they were some time ago, all rows as at
// one moment, so that a client can be tested against eventual consistency. Everything else goes to the store as it is.
// Used only where a delay was asked for: each commit then reads what it replaces. A restart forgets what was before.
class DelayedStore final : public store::Store {
 public:
  DelayedStore(store::Store& store, const base::Clock& clock, std::int64_t delay_ms);

  // get, get_many and scan in mode `committed`, as of some time ago. Rows have no versions there.
  [[nodiscard]] store::Store& lagging() noexcept { return lagging_; }

  base::Task<Result<store::Row>> get(std::string_view key, store::ReadMode mode) override;
  base::Task<Result<std::vector<store::Row>>> get_many(std::span<const std::string_view> keys,
                                                       store::ReadMode mode) override;
  base::Task<Result<void>> scan(store::Range range, store::Direction direction, store::RowVisitor& visitor) override;
  base::Task<Result<void>> commit(const store::Batch& batch) override;
  base::Task<Result<std::vector<std::int64_t>>> counters(std::string_view key, std::size_t count) override;
  base::Task<Result<void>> erase_range(store::Range range) override;
  [[nodiscard]] bool shared() const noexcept override { return store_.shared(); }
  base::Task<Result<void>> raise_fence(std::string_view space, std::uint64_t number) override {
    return store_.raise_fence(space, number);
  }
  base::Task<Result<void>> announce() override { return store_.announce(); }
  void listen(Listener listener) override { store_.listen(std::move(listener)); }
  Result<void> close() override;

 private:
  class Lagging final : public store::Store {
   public:
    explicit Lagging(DelayedStore& outer) : outer_(outer) {}
    base::Task<Result<store::Row>> get(std::string_view key, store::ReadMode mode) override;
    base::Task<Result<std::vector<store::Row>>> get_many(std::span<const std::string_view> keys,
                                                         store::ReadMode mode) override;
    base::Task<Result<void>> scan(store::Range range, store::Direction direction,
                                  store::RowVisitor& visitor) override;
    base::Task<Result<void>> commit(const store::Batch& batch) override { return outer_.commit(batch); }
    base::Task<Result<std::vector<std::int64_t>>> counters(std::string_view key, std::size_t count) override {
      return outer_.counters(key, count);
    }
    base::Task<Result<void>> erase_range(store::Range range) override { return outer_.erase_range(range); }
    Result<void> close() override { return outer_.close(); }

   private:
    DelayedStore& outer_;
  };

  store::Store& store_;
  RowHistory history_;
  Lagging lagging_{*this};
};

}  // namespace stator::engine
