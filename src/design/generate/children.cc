#include "design/generate/children.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "design/generate/random.h"

namespace stator::design {

namespace {

// The rank of each parent: a shuffle of 0 .. parents - 1.
std::vector<std::uint64_t> shuffled(std::uint64_t count, std::uint64_t seed) {
  std::vector<std::uint64_t> order(count);
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  RandomBits random(seed);
  for (std::uint64_t at = count; at > 1; --at) std::swap(order[at - 1], order[random.below(at)]);
  return order;
}

std::vector<double> weights_of(std::uint64_t parents, const Cardinality& children, std::uint64_t seed) {
  std::vector<double> weights(parents, 1.0);
  if (children.distribution == Distribution::zipf) {
    const std::vector<std::uint64_t> rank = shuffled(parents, seed);
    for (std::uint64_t parent = 0; parent < parents; ++parent) {
      weights[parent] = std::pow(static_cast<double>(rank[parent] + 1), -children.exponent);
    }
  } else if (children.distribution == Distribution::uniform) {
    RandomBits random(seed);
    for (double& weight : weights) weight = 0.5 + random.unit();
  }
  return weights;
}

// The factor on all weights with which the sum of min(most, factor * weight) is the total.
double factor_for(const std::vector<double>& weights, double total, double most) {
  double low = 0;
  double high = total / *std::min_element(weights.begin(), weights.end());
  for (int step = 0; step < 100; ++step) {
    const double middle = (low + high) / 2;
    double sum = 0;
    for (const double weight : weights) sum += std::min(most, middle * weight);
    (sum < total ? low : high) = middle;
  }
  return high;
}

}  // namespace

std::vector<std::uint64_t> child_counts(std::uint64_t parents, std::uint64_t total, const Cardinality& children,
                                        std::uint64_t most, std::uint64_t seed) {
  std::vector<std::uint64_t> counts(parents, 0);
  if (parents == 0 || total == 0) return counts;
  const double limit = most == 0 ? static_cast<double>(total) : static_cast<double>(most);
  const double wanted = std::min(static_cast<double>(total), limit * static_cast<double>(parents));
  const std::vector<double> weights = weights_of(parents, children, seed);
  const double factor = factor_for(weights, wanted, limit);
  // What rounding takes from one parent goes to the next, so the sum comes out.
  double carried = 0;
  for (std::uint64_t parent = 0; parent < parents; ++parent) {
    const double share = std::min(limit, factor * weights[parent]) + carried;
    const double whole = std::clamp(std::floor(share + 0.5), 0.0, limit);
    carried = share - whole;
    counts[parent] = static_cast<std::uint64_t>(whole);
  }
  return counts;
}

}  // namespace stator::design
