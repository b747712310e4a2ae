#pragma once

#include <cstdint>
#include <vector>

#include "metrics/recorder.h"

namespace stator::metrics {

// What one request used, filled in by the operation while it answers and recorded at its end. Lives with the memory of
// a request and is reused, so that in the steady state nothing is allocated.
class RequestUsage {
 public:
  void begin(Recorder& recorder) {
    recorder_ = &recorder;
    read_half_units = 0;
    write_half_units = 0;
    returned_items = -1;
    throttled = false;
  }

  // The table that the following is about.
  TableCounters& touch(TableRef table) {
    TableCounters& counters = recorder_->table(table);
    if (tables_.empty() || tables_.back() != &counters) {
      for (const TableCounters* known : tables_) {
        if (known == &counters) return counters;
      }
      tables_.push_back(&counters);
      ++counters.holders;
    }
    return counters;
  }
  void consumed(TableCounters& table, Units units, std::int64_t half_units) {
    Recorder::consumed(table, units, half_units);
    (units == Units::read ? read_half_units : write_half_units) += half_units;
  }
  void consumed(TableCounters& table, IndexRef index, Units units, std::int64_t half_units) {
    recorder_->consumed(table, index, units, half_units);
    (units == Units::read ? read_half_units : write_half_units) += half_units;
  }
  [[nodiscard]] Recorder& recorder() { return *recorder_; }

  // The request is answered: latency and outcome, for every table that it touched. Comes at the end of every one.
  void finish(Operation operation, Outcome outcome, std::int64_t latency_us);

  std::int64_t read_half_units = 0;
  std::int64_t write_half_units = 0;
  bool throttled = false;            // in part; the rest was done
  std::int64_t returned_items = -1;  // of a Query or Scan; -1: nothing of the kind

 private:
  Recorder* recorder_ = nullptr;
  void count(Operation operation, Outcome outcome, std::int64_t latency_us);

  std::vector<TableCounters*> tables_;  // held
};

}  // namespace stator::metrics
