#include "api/operations.h"
#include "api/reader.h"
#include "api/resource_arn.h"
#include "api/violations.h"
#include "engine/tags.h"

namespace stator::api {
namespace {

struct UntagResourceInput {
  std::string_view table;
  std::vector<std::string_view> keys;
};

Result<UntagResourceInput> read_untag_resource(const Call& call) {
  ReadState state(call.arena);
  const Reader in(call.body, state);
  const auto arn = in.string("ResourceArn");
  const auto keys = in.strings("TagKeys");
  TRY_VOID(state.result());
  Violations violations;
  violations.required("tagKeys", keys.has_value());
  TRY_VOID(violations.result());
  if (keys->empty()) return invalid("Atleast one Tag Key needs to be provided as Input.");
  if (keys->size() > engine::kTagsMax) {
    return invalid("Number of Tags exceed the current limit for the provided ResourceArn");
  }
  UntagResourceInput input;
  TRY(input.table, table_of_resource(call, arn));
  for (const std::string_view key : *keys) TRY_VOID(engine::check_tag_key(key));
  input.keys = *keys;
  return input;
}

}  // namespace

// The answer has no body at all.
base::Task<Result<void>> untag_resource(Call& call) {
  CO_TRY(const UntagResourceInput input, read_untag_resource(call));
  const Result<void> untagged = co_await engine::untag_table(call.engine, input.table, input.keys);
  co_return untagged;
}

}  // namespace stator::api
