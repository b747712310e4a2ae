#include "api/resource_arn.h"

#include <fmt/format.h>

#include <array>

#include "api/violations.h"

namespace stator::api {
namespace {

constexpr std::string_view kArnInvalid = "One or more parameter values were invalid: ";

}  // namespace

Result<std::string_view> table_of_resource(const Call& call, const std::optional<std::string_view>& arn) {
  if (!arn) return invalid("Invalid TableArn");
  if (!arn->starts_with("arn:")) {
    return invalid(fmt::format("{}ARNs must start with 'arn:': {}", kArnInvalid, *arn));
  }
  std::array<std::string_view, 5> parts;  // arn, partition, service, region, account
  std::string_view resource = *arn;
  const auto malformed = [&] {
    return invalid(fmt::format("Invalid TableArn: Invalid ResourceArn provided as input {}", *arn));
  };
  for (std::string_view& part : parts) {
    const std::size_t colon = resource.find(':');
    if (colon == std::string_view::npos) return malformed();
    part = resource.substr(0, colon);
    resource.remove_prefix(colon + 1);
  }
  constexpr std::string_view kTable = "table/";
  if (parts[2] != "dynamodb" || !resource.starts_with(kTable) || resource.find("/backup/") != std::string_view::npos) {
    return invalid(fmt::format("{}Provided Arn is not a DynamoDB resource arn: {}", kArnInvalid, *arn));
  }
  resource.remove_prefix(kTable.size());
  if (resource.find("/index/") != std::string_view::npos) {
    return invalid(fmt::format("{}Invalid resource arn provided, only table or stream is accepted. Provided resource "
                               "arn: {}",
                               kArnInvalid, *arn));
  }
  const bool is_stream = resource.find("/stream/") != std::string_view::npos;
  if (!is_stream && (parts[3] != call.region || resource.size() < 3 || !has_name_characters(resource))) {
    return malformed();
  }
  if (parts[4] != call.account_id) return fail(ErrorCode::access_denied, "Access is denied");
  const Result<engine::TablePtr> table = call.engine.catalog.find(resource);
  if (!table) {
    return fail(ErrorCode::table_not_found,
                fmt::format("Requested resource not found: ResourceArn: {} not found", *arn));
  }
  return resource;
}

}  // namespace stator::api
