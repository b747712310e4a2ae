#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

// Price tables: share/prices.json, which is part of the program, or a file of the same form.
namespace stator::design {

struct ReservedPrices {
  std::string term;
  double months = 12;
  double block = 100;                        // units are bought in blocks
  double write_upfront = 0, write_hour = 0;  // for a block
  double read_upfront = 0, read_hour = 0;
};

struct Prices {
  std::string name;
  std::string currency;
  double hours_per_month = 730;
  double on_demand_write_per_million = 0;
  double on_demand_read_per_million = 0;
  double write_unit_hour = 0;
  double read_unit_hour = 0;
  double gigabyte_month = 0;
  double free_gigabytes = 0;
  std::vector<ReservedPrices> reserved;
};

// The table `name` of the text, or its default where the name is empty. Errors name the member that is missing.
[[nodiscard]] Result<Prices> parse_prices(std::string_view text, const std::string& name);
// From a file, or the built-in tables where `path` is empty.
[[nodiscard]] Result<Prices> load_prices(const std::string& path, const std::string& name);

[[nodiscard]] std::string_view built_in_prices();

}  // namespace stator::design
