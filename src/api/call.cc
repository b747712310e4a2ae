#include "api/call.h"

#include <fmt/format.h>

#include <array>

#include "api/reader.h"
#include "api/violations.h"

namespace stator::api {

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
  if (!name_or_arn.starts_with("arn:")) return name_or_arn;
  // arn:partition:service:region:account:resource
  std::array<std::string_view, 6> parts;
  std::string_view rest = name_or_arn;
  for (std::size_t i = 0; i < 5; ++i) {
    const std::size_t colon = rest.find(':');
    if (colon == std::string_view::npos) return invalid(fmt::format("Invalid TableArn: {}", name_or_arn));
    parts[i] = rest.substr(0, colon);
    rest.remove_prefix(colon + 1);
  }
  constexpr std::string_view kTable = "table/";
  if (parts[2] != "dynamodb" || !rest.starts_with(kTable) || rest.size() == kTable.size() ||
      rest.find('/', kTable.size()) != std::string_view::npos) {
    return invalid(fmt::format("Invalid TableArn: {}", name_or_arn));
  }
  if (parts[4] != call.account_id) {
    return fail(ErrorCode::access_denied,
                fmt::format("User: arn:aws:iam::{}:root is not authorized to perform this operation on resource: "
                            "{} because no resource-based policy allows it",
                            call.account_id, name_or_arn));
  }
  return rest.substr(kTable.size());
}

}  // namespace stator::api
