#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace stator::design {

// A bar on the standard error: redrawn in place on a terminal, a line for each tenth elsewhere.
class ProgressBar {
 public:
  ProgressBar(std::string what, bool quiet);
  // One thread at a time.
  void show(std::uint64_t done, std::uint64_t total);

 private:
  std::string what_;
  bool quiet_;
  bool terminal_;
  std::uint64_t shown_ = ~std::uint64_t{0};  // tenths of a percent, or tenths
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace stator::design
