#pragma once

#include "autoscaling/registry.h"
#include "engine/engine.h"

namespace stator::server {

// The provisioned capacity of the engine's tables and indexes, for auto scaling.
class TableCapacity final : public autoscaling::CapacityControl {
 public:
  explicit TableCapacity(engine::Engine& engine) : engine_(engine) {}
  [[nodiscard]] Result<std::int64_t> get(const autoscaling::Resource& resource) override;
  [[nodiscard]] Result<void> set(const autoscaling::Resource& resource, std::int64_t units) override;

 private:
  engine::Engine& engine_;
};

}  // namespace stator::server
