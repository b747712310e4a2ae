#pragma once

#include <cstdint>
#include <vector>

#include "design/model.h"

namespace stator::design {

// How many children each of `parents` has: `total` in all, spread by the declared distribution. The most children are
// not with the first parents but anywhere, as the seed has it. No parent has more than `most` (0: no limit), so the sum
// can be smaller than `total`.
[[nodiscard]] std::vector<std::uint64_t> child_counts(std::uint64_t parents, std::uint64_t total,
                                                      const Cardinality& children, std::uint64_t most,
                                                      std::uint64_t seed);

}  // namespace stator::design
