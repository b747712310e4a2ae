#include "design/cost/prices.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace stator::design {

namespace {

using Json = nlohmann::json;

// Reads members by path ("onDemand/writePerMillion") and remembers the first that is missing or no number.
class Members {
 public:
  explicit Members(const Json& json) : json_(json) {}

  double number(const std::string& path) {
    const Json::json_pointer pointer("/" + path);
    if (json_.contains(pointer) && json_[pointer].is_number() && json_[pointer].get<double>() >= 0)
      return json_[pointer];
    if (missing_.empty()) missing_ = path;
    return 0;
  }
  [[nodiscard]] const std::string& missing() const { return missing_; }

 private:
  const Json& json_;
  std::string missing_;
};

Result<ReservedPrices> parse_reserved(const Json& json) {
  Members members(json);
  ReservedPrices prices;
  prices.term = json.value("term", std::string("reserved"));
  prices.months = members.number("months");
  prices.block = members.number("block");
  prices.write_upfront = members.number("write/upfront");
  prices.write_hour = members.number("write/hour");
  prices.read_upfront = members.number("read/upfront");
  prices.read_hour = members.number("read/hour");
  if (!members.missing().empty()) return invalid(fmt::format("reserved: expected a number at {}", members.missing()));
  if (prices.months == 0 || prices.block == 0) return invalid("reserved: months and block must be above 0");
  return prices;
}

}  // namespace

Result<Prices> parse_prices(std::string_view text, const std::string& name) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("tables") || !json["tables"].is_object()) {
    return invalid("expected a JSON object with a member \"tables\" (see share/prices.json)");
  }
  const std::string wanted = name.empty() ? json.value("default", std::string()) : name;
  const Json& tables = json["tables"];
  if (!tables.contains(wanted) || !tables[wanted].is_object()) {
    std::string known;
    for (const auto& entry : tables.items()) known += (known.empty() ? "" : ", ") + entry.key();
    return invalid(fmt::format("there is no price table \"{}\"; there is: {}", wanted, known));
  }
  const Json& table = tables[wanted];
  Members members(table);
  Prices prices;
  prices.name = wanted;
  prices.currency = table.value("currency", std::string("USD"));
  prices.hours_per_month = members.number("hoursPerMonth");
  prices.on_demand_write_per_million = members.number("onDemand/writePerMillion");
  prices.on_demand_read_per_million = members.number("onDemand/readPerMillion");
  prices.write_unit_hour = members.number("provisioned/writeUnitHour");
  prices.read_unit_hour = members.number("provisioned/readUnitHour");
  prices.gigabyte_month = members.number("storage/gigabyteMonth");
  prices.free_gigabytes = members.number("storage/freeGigabytes");
  if (!members.missing().empty()) {
    return invalid(fmt::format("price table \"{}\": expected a number at {}", wanted, members.missing()));
  }
  if (table.contains("reserved")) {
    for (const Json& entry : table["reserved"]) {
      TRY(ReservedPrices reserved, parse_reserved(entry));
      prices.reserved.push_back(std::move(reserved));
    }
  }
  return prices;
}

Result<Prices> load_prices(const std::string& path, const std::string& name) {
  if (path.empty()) return parse_prices(built_in_prices(), name);
  std::ifstream file(path);
  if (!file) return invalid(fmt::format("{}: cannot be read", path));
  std::stringstream text;
  text << file.rdbuf();
  auto prices = parse_prices(text.str(), name);
  if (!prices) return invalid(fmt::format("{}: {}", path, prices.error().message));
  return prices;
}

}  // namespace stator::design
