#pragma once

#include <vector>

#include "simulate/request.h"
#include "simulate/synthetic.h"

namespace stator::simulate {

inline Target provisioned_table(std::int64_t read, std::int64_t write) {
  Target target{.table = "shipments", .index = "", .settings = {}};
  target.settings.billing = capacity::BillingMode::provisioned;
  target.settings.provisioned = {.read = read, .write = write};
  return target;
}

// Pallets that collect events: one of them gets 40 % of 2,600 writes a second, in ascending order.
inline Workload shipments(double hottest_share, int shards) {
  Touch write;
  write.direction = capacity::Direction::write;
  write.cost = 2;
  write.items = ItemChoice::ascending;
  write.keys = {
      .distinct = 100'000, .hottest_share = hottest_share, .shards = shards, .label = "SHIPMENT#{shipmentId}"};
  Workload workload;
  workload.targets.push_back(provisioned_table(1000, 6000));
  workload.streams.push_back({.name = "record event", .average = 2600, .peak = 2600, .touches = {write}});
  workload.profile = Profile::flat;
  workload.duration_s = 300;
  return workload;
}

// Gives the requests of a list.
class ListSource final : public Source {
 public:
  std::vector<Target> all_targets;
  std::vector<Request> requests;

  [[nodiscard]] Result<bool> next(Request& request) override {
    if (at_ == requests.size()) return false;
    request = requests[at_++];
    return true;
  }
  [[nodiscard]] Result<void> rewind() override {
    at_ = 0;
    return {};
  }
  [[nodiscard]] const std::vector<Target>& targets() const override { return all_targets; }
  [[nodiscard]] std::string key_name(const Part& part) const override {
    return "key " + std::to_string(part.key_hash);
  }

 private:
  std::size_t at_ = 0;
};

}  // namespace stator::simulate
