#include "engine/table_settings.h"

#include <fmt/format.h>

#include <limits>

#include "capacity/change_limits.h"

namespace stator::engine {
namespace {

constexpr std::int64_t kUnitsMax = 1'000'000'000'000;
constexpr std::string_view kPrefix = "One or more parameter values were invalid: ";

tl::unexpected<Error> refused(std::string_view problem) {
  return invalid(fmt::format("{}{}", kPrefix, problem));
}

struct NamedUnits {
  std::string_view name;
  const std::optional<std::int64_t>& units;
};

Result<void> check_range(const UnitPair& pair, std::string_view index, bool may_remove) {
  for (const NamedUnits& member : {NamedUnits{"MaxReadRequestUnits", pair.read_units},
                                   NamedUnits{"MaxWriteRequestUnits", pair.write_units}}) {
    if (!member.units || (*member.units >= 1 && *member.units <= kUnitsMax) || (may_remove && *member.units == -1)) continue;
    return refused(
        fmt::format("Requested {} for OnDemandThroughput for {}{} is outside of valid range",
                    member.name, index.empty() ? "table" : "index : ", index));
  }
  return {};
}

Result<void> check_bound(std::string_view member, std::int64_t units, std::string_view index) {
  if (units <= kUnitsMax) return {};
  return invalid(fmt::format("Given value {} for {} is out of bounds{}{}", units, member,
                             index.empty() ? "" : " for index ", index));
}

// A direction that is not given is 0 there; one that is given as 0 is too low, like less than that.
std::int64_t wanted_units(const std::optional<std::int64_t>& units) { return units == 0 ? -1 : units.value_or(0); }

Result<void> check_warm(BillingMode billing, const capacity::Throughput& provisioned,
                        const capacity::Throughput& current, const UnitPair& units, std::string_view index) {
  if (!units.any()) return {};
  TRY_VOID(check_bound("ReadUnitsPerSecond", units.read_units.value_or(0), index));
  TRY_VOID(check_bound("WriteUnitsPerSecond", units.write_units.value_or(0), index));
  capacity::Settings settings;
  settings.billing = billing == BillingMode::on_demand ? capacity::BillingMode::on_demand
                                                       : capacity::BillingMode::provisioned;
  settings.provisioned = provisioned;
  constexpr std::int64_t kNoQuota = std::numeric_limits<std::int64_t>::max();
  const capacity::AccountQuota quota{.table = {kNoQuota, kNoQuota}, .account = {kNoQuota, kNoQuota}};
  return capacity::check_warm(settings, current,
                              {.read = wanted_units(units.read_units), .write = wanted_units(units.write_units)},
                              quota, {}, index);
}

}  // namespace

Result<void> check_new_warm(BillingMode billing, const std::optional<ThroughputInput>& throughput,
                            const UnitPair& units, std::string_view index) {
  capacity::Throughput provisioned;
  if (throughput) provisioned = {.read = throughput->read_units, .write = throughput->write_units};
  return check_warm(billing, provisioned, {}, units, index);
}

Result<void> check_warm_change(BillingMode billing, const capacity::Throughput& current, const UnitPair& units,
                               std::string_view index) {
  return check_warm(billing, {}, current, units, index);
}

Result<void> check_throughput_bounds(const ThroughputInput& throughput, std::string_view index) {
  TRY_VOID(check_bound("ReadCapacityUnits", throughput.read_units, index));
  return check_bound("WriteCapacityUnits", throughput.write_units, index);
}

Result<void> check_throughput(BillingMode billing,
                              const std::optional<ThroughputInput>& throughput) {
  if (billing == BillingMode::on_demand && throughput) {
    return invalid(
        "One or more parameter values were invalid: Neither ReadCapacityUnits nor "
        "WriteCapacityUnits can "
        "be specified when BillingMode is PAY_PER_REQUEST");
  }
  if (billing == BillingMode::provisioned && !throughput) {
    return invalid(
        "One or more parameter values were invalid: ReadCapacityUnits and WriteCapacityUnits must "
        "both be "
        "specified when BillingMode is PROVISIONED");
  }
  if (throughput) TRY_VOID(check_throughput_bounds(*throughput));
  return {};
}

Result<void> check_new_stream(const std::optional<StreamInput>& stream) {
  if (!stream || stream->enabled == stream->view_type.has_value()) return {};
  return stream->enabled
             ? refused("Table is being created with a stream enabled, UpdateViewType is required")
             : refused(
                   "Table is being created with a stream disabled, UpdateViewType should not be "
                   "specified");
}

Result<void> check_stream_change(const std::optional<StreamInput>& stream) {
  if (!stream || stream->enabled == stream->view_type.has_value()) return {};
  return stream->enabled
             ? refused("If stream is being enabled then UpdateViewType is required")
             : refused("If stream is being disabled, then UpdateViewType must not be specified");
}

Result<void> check_new_on_demand(BillingMode billing, const UnitPair& units,
                                 std::string_view index) {
  if (billing == BillingMode::provisioned && units.any()) {
    return refused(fmt::format(
        "{} for OnDemandThroughput {}cannot be specified when table BillingMode is PROVISIONED.",
        units.read_units ? "MaxReadRequestUnits" : "MaxWriteRequestUnits",
        index.empty() ? "" : fmt::format("for index: {} ", index)));
  }
  return check_range(units, index, false);
}

Result<void> check_on_demand_change(BillingMode billing, const UnitPair& units,
                                    std::string_view index) {
  if (billing == BillingMode::provisioned && units.any()) {
    return refused(fmt::format(
        "{} for OnDemandThroughput {}cannot be specified when the table BillingMode is PROVISIONED",
        units.read_units ? "MaxReadRequestUnits" : "MaxWriteRequestUnits",
        index.empty() ? "" : fmt::format("for index : {} ", index)));
  }
  return check_range(units, index, true);
}

Result<Encryption> encryption_of(const EncryptionInput& input) {
  const bool is_refused = input.enabled.has_value() && !*input.enabled;
  if (is_refused && input.type) return refused("SSEType can not be specified if Enabled is false");
  if (is_refused && input.key)
    return refused("KMSMasterKeyId can not be specified if Enabled is false");
  if (input.type == "AES256") return refused("SSEType AES256 is not supported");
  if (input.key && !input.type)
    return refused("SSEType KMS is required if KMSMasterKeyId is specified");
  if (!input.enabled.value_or(input.type.has_value())) return Encryption();
  return Encryption{true, "KMS", std::string(input.key.value_or(input.default_key))};
}

Result<void> check_single_change(const UpdateTableRequest& request) {
  const bool online = !request.index_creations.empty() || !request.index_deletions.empty();
  const bool indexes = !request.index_updates.empty() || online;
  const int count = (request.billing || request.throughput ? 1 : 0) + (request.stream ? 1 : 0) +
                    (request.encryption ? 1 : 0) + (request.table_class ? 1 : 0) +
                    (request.deletion_protection ? 1 : 0) + (request.on_demand.any() ? 1 : 0) +
                    (request.warm.any() ? 1 : 0) + (indexes ? 1 : 0);
  if (count > 1) {
    if (request.encryption) {
      return refused(
          "Server-Side Encryption modification must be the only operation in the request");
    }
    if (request.table_class)
      return refused("TableClass modification must be the only operation in the request");
    if (request.deletion_protection) {
      return refused("DeletionProtection modification must be the only operation in the request");
    }
    if (request.warm.any()) {
      return refused(request.index_creations.empty()
                         ? "WarmThroughput must be the only operation in the request"
                         : "Create global secondary index cannot be specified when updating WarmThroughput");
    }
    if (request.on_demand.any() && (request.stream || indexes)) {
      return refused(
          "OnDemandThroughput can only be combined with BillingMode in an UpdateTable request");
    }
  }
  if (!request.index_creations.empty() && request.definitions.empty()) {
    return refused(fmt::format("AttributeDefinitions is not specified for index: {}",
                               request.index_creations.front().name));
  }
  if (online && request.throughput) {
    return refused("You cannot create or delete index while updating table IOPS");
  }
  if (online && request.stream) {
    return refused("You cannot create or delete index while changing stream status");
  }
  if (request.stream && (request.throughput || request.billing == BillingMode::provisioned)) {
    return refused("You cannot modify stream status while updating table IOPS");
  }
  return {};
}

}  // namespace stator::engine
