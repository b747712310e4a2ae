#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace stator::top {

// One line of the text format of Prometheus.
struct Sample {
  std::string name;
  std::map<std::string, std::string, std::less<>> labels;
  double value = 0;

  // Empty where there is no such label.
  [[nodiscard]] std::string_view label(std::string_view label_name) const;
};

// Lines that are comments, or that are not understood, are left out.
[[nodiscard]] std::vector<Sample> parse_samples(std::string_view text);

}  // namespace stator::top
