#pragma once

#include <map>
#include <set>

#include "engine/engine.h"
#include "metrics/collector.h"

namespace stator::server {

// Reports how far indexes that are being built have got: the metric OnlineIndexPercentageProgress. One caller.
class IndexProgress {
 public:
  IndexProgress(engine::Engine& engine, metrics::Collector& collector) : engine_(engine), collector_(collector) {}
  // Once an interval.
  void look();

 private:
  void report(const engine::Table& table, const engine::Index& index, int percent);

  engine::Engine& engine_;
  metrics::Collector& collector_;
  // The indexes that were finished when last looked at: a small one may be built between two looks.
  std::map<engine::TableId, std::set<engine::IndexId>> finished_;
};

}  // namespace stator::server
