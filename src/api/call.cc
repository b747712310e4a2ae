#include "api/call.h"

#include <fmt/format.h>

#include <array>

#include "api/reader.h"
#include "api/violations.h"

namespace stator::api {
namespace {

Error malformed_arn(std::string_view arn) {
  Violations violations;
  violations.add(fmt::format("'{}'", arn), "tableName",
                 "Valid ARN format is 'arn:<awsPartition>:<vendor>:<region>:<subscriber>:resourceType/resourceName', "
                 "where Resource name must have length less than or equal to 255, Resource name must have length "
                 "greater than or equal to 3, Resource name must satisfy regular expression pattern: "
                 "[a-zA-Z0-9_.-]+");
  return violations.result().error();
}

}  // namespace

std::string table_arn(const Call& call, std::string_view table_name) {
  return fmt::format("arn:aws:dynamodb:{}:{}:table/{}", call.region, call.account_id, table_name);
}

std::string default_key_arn(const Call& call) {
  return fmt::format("arn:aws:kms:{}:{}:alias/aws/dynamodb", call.region, call.account_id);
}

Result<std::string_view> read_table_name(const Call& call) {
  ReadState state(call.arena);
  const Reader in(call.body, state);
  const auto name = in.string("TableName");
  TRY_VOID(state.result());
  TRY_VOID(check_required_table_name(name));
  return table_name_of(call, *name);
}

Result<std::string_view> table_name_of(const Call& call, std::string_view name_or_arn) {
  if (!name_or_arn.starts_with("arn:")) {
    if (name_or_arn.size() < 3 || name_or_arn.size() > 255 || !has_name_characters(name_or_arn)) {
      Violations violations;
      violations.name("tableName", name_or_arn);
      TRY_VOID(violations.result());
    }
    return name_or_arn;
  }
  // arn:partition:service:region:account:table/name
  std::array<std::string_view, 5> parts;
  std::string_view resource = name_or_arn;
  for (std::string_view& part : parts) {
    const std::size_t colon = resource.find(':');
    if (colon == std::string_view::npos) return tl::unexpected(malformed_arn(name_or_arn));
    part = resource.substr(0, colon);
    resource.remove_prefix(colon + 1);
  }
  if (parts[1] != "aws") {
    return invalid(fmt::format("1 validation error detected: Invalid AWS partition in '{}'", name_or_arn));
  }
  if (parts[3] != call.region) {
    return invalid(fmt::format("1 validation error detected: Invalid AWS region in '{}'", name_or_arn));
  }
  constexpr std::string_view kTable = "table/";
  if (parts[2] != "dynamodb" || !resource.starts_with(kTable)) {
    return invalid(fmt::format("1 validation error detected: Invalid resource type in '{}'", name_or_arn));
  }
  const std::string_view name = resource.substr(kTable.size());
  if (name.size() < 3 || name.size() > 255 || !has_name_characters(name)) {
    return tl::unexpected(malformed_arn(name_or_arn));
  }
  if (parts[4] != call.account_id) return fail(ErrorCode::access_denied, "Access is denied");
  return name;
}

}  // namespace stator::api
