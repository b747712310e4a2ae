#pragma once

#include "base/result.h"
#include "design/model.h"
#include "simulate/synthetic.h"

namespace stator::simulate {

// The traffic that a model file declares: one stream for each pattern at its rates, with the units, keys and shares
// that `stator design heat` and `cost` count with. With `ignore_shards` as if its key templates had no shards: the
// design before that cure. Errors: a model in which no pattern has a rate.
[[nodiscard]] Result<Workload> workload_of(const design::Model& model, bool ignore_shards = false);

}  // namespace stator::simulate
