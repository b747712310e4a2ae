#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "capacity/settings.h"
#include "simulate/request.h"

namespace stator::simulate {

// "90", "90s", "15m", "24h", "7d": seconds. Errors: anything else, zero, more than 400 days.
[[nodiscard]] Result<std::int64_t> parse_duration(std::string_view text);

// "1,2,5,10". Errors: not numbers from 1 to 1,000.
[[nodiscard]] Result<std::vector<int>> parse_shards(std::string_view text);

// What `--capacity` says of tables and indexes: "on-demand", "1000/4000" (read and write units), either with a name
// in front: "orders=100/50", "orders/GSI1=on-demand". Later ones win, and one with a name wins over one without.
class CapacityOverrides {
 public:
  [[nodiscard]] Result<void> add(std::string_view text);
  [[nodiscard]] std::optional<capacity::Settings> find(std::string_view table, std::string_view index) const;
  // Applies them, keeping what they do not speak of.
  void apply(std::vector<Target>& targets) const;

 private:
  struct Override {
    std::string name;  // "table" or "table/index"; empty: all
    capacity::Settings settings;
  };
  std::vector<Override> overrides_;
};

}  // namespace stator::simulate
