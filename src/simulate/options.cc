#include "simulate/options.h"

#include <fmt/format.h>

#include <charconv>

namespace stator::simulate {
namespace {

constexpr std::int64_t kDuration_s_max = 400 * 86'400;
constexpr std::int64_t kProvisionedUnitsMax = 1'000'000'000;

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<capacity::Settings> settings_of(std::string_view text) {
  capacity::Settings settings;
  if (text == "on-demand") return settings;
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto read = whole_number(text.substr(0, slash));
  const auto write = whole_number(text.substr(slash + 1));
  if (!read || !write || *read < 1 || *write < 1 || *read > kProvisionedUnitsMax || *write > kProvisionedUnitsMax)
    return std::nullopt;
  settings.billing = capacity::BillingMode::provisioned;
  settings.provisioned = {.read = *read, .write = *write};
  return settings;
}

}  // namespace

Result<std::int64_t> parse_duration(std::string_view text) {
  std::int64_t unit = 1;
  std::string_view digits = text;
  if (!digits.empty()) {
    const std::size_t place = std::string_view("smhd").find(digits.back());
    constexpr std::int64_t kUnits[] = {1, 60, 3600, 86'400};
    if (place != std::string_view::npos) {
      unit = kUnits[place];
      digits.remove_suffix(1);
    }
  }
  const auto count = whole_number(digits);
  if (!count || *count < 1 || *count > kDuration_s_max / unit)
    return invalid(fmt::format("\"{}\" is not a duration; write 90s, 15m, 24h or 7d, 400 days at most", text));
  return *count * unit;
}

Result<std::vector<int>> parse_shards(std::string_view text) {
  std::vector<int> counts;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const auto count = whole_number(text.substr(0, comma));
    if (!count || *count < 1 || *count > 1000)
      return invalid(fmt::format("\"{}\" is not a number of shards from 1 to 1000", text.substr(0, comma)));
    counts.push_back(static_cast<int>(*count));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return counts;
}

Result<void> CapacityOverrides::add(std::string_view text) {
  const std::size_t equals = text.rfind('=');
  const std::string_view name = equals == std::string_view::npos ? std::string_view() : text.substr(0, equals);
  const auto settings = settings_of(equals == std::string_view::npos ? text : text.substr(equals + 1));
  if (!settings)
    return invalid(
        fmt::format("\"{}\" is not a capacity; write on-demand or READ/WRITE units, with TABLE= or TABLE/INDEX= "
                    "in front for one of them",
                    text));
  overrides_.push_back({std::string(name), *settings});
  return {};
}

std::optional<capacity::Settings> CapacityOverrides::find(std::string_view table, std::string_view index) const {
  const std::string name = index.empty() ? std::string(table) : fmt::format("{}/{}", table, index);
  std::optional<capacity::Settings> for_all;
  std::optional<capacity::Settings> own;
  for (const Override& each : overrides_) {
    if (each.name.empty()) for_all = each.settings;
    if (each.name == name) own = each.settings;
  }
  return own ? own : for_all;
}

void CapacityOverrides::apply(std::vector<Target>& targets) const {
  for (Target& target : targets)
    if (const auto settings = find(target.table, target.index)) {
      target.settings.billing = settings->billing;
      target.settings.provisioned = settings->provisioned;
    }
}

}  // namespace stator::simulate
