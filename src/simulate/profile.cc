#include "simulate/profile.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stator::simulate {
namespace {

constexpr double kDay_s = 86'400;
constexpr double kPeakAt_s = 20 * 3600;
constexpr double kWidth_s = 2 * 3600;

// Under a Gaussian hump of height 1: its mean over a day is width * sqrt(pi) / day, as long as it is narrow.
double mean_of_hump(double width_s) noexcept { return width_s * std::sqrt(std::numbers::pi) / kDay_s; }

}  // namespace

double rate_at(Profile profile, double average, double peak, std::int64_t second) noexcept {
  peak = std::max(peak, average);
  if (profile == Profile::flat) return average;
  if (profile == Profile::peak) return peak;
  if (peak <= 0) return 0;
  double width = kWidth_s;
  double low = (average - peak * mean_of_hump(width)) / (1 - mean_of_hump(width));
  if (low < 0) {  // a peak so high that the hump alone would be more than the average: make it narrower
    low = 0;
    width = average / peak * kDay_s / std::sqrt(std::numbers::pi);
  }
  // The nearest evening, so that the hump goes on past midnight.
  const double time = std::fmod(static_cast<double>(second), kDay_s);
  double distance = std::abs(time - kPeakAt_s);
  distance = std::min(distance, kDay_s - distance);
  const double hump = width > 0 ? std::exp(-(distance / width) * (distance / width)) : 0;
  return low + (peak - low) * hump;
}

}  // namespace stator::simulate
