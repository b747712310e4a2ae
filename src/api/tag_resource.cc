#include "api/operations.h"
#include "api/reader.h"
#include "api/resource_arn.h"
#include "api/violations.h"
#include "engine/tags.h"

namespace stator::api {
namespace {

struct TagResourceInput {
  std::string_view table;
  std::vector<engine::Tag> tags;
};

Result<TagResourceInput> read_tag_resource(const Call& call) {
  ReadState state(call.arena);
  const Reader in(call.body, state);
  const auto arn = in.string("ResourceArn");
  const auto elements = in.objects("Tags", "Tag");
  std::vector<engine::Tag> tags;
  std::optional<std::string> missing;
  if (elements) {
    for (const Reader& element : *elements) {
      const auto key = element.string("Key");
      const auto value = element.string("Value");
      if (!key) missing = "The Tag Key provided is invalid, Key: null";
      if (key && !value) missing = "The Tag Value provided is invalid, Value: null";
      tags.emplace_back(key.value_or(""), value.value_or(""));
    }
  }
  TRY_VOID(state.result());
  Violations violations;
  violations.required("tags", elements.has_value());
  TRY_VOID(violations.result());
  if (tags.empty()) return invalid("Atleast one Tag needs to be provided as Input.");
  TagResourceInput input;
  TRY(input.table, table_of_resource(call, arn));
  if (missing) return invalid(*missing);
  TRY_VOID(engine::check_tags(tags));
  input.tags = std::move(tags);
  return input;
}

}  // namespace

// The answer has no body at all.
base::Task<Result<void>> tag_resource(Call& call) {
  CO_TRY(const TagResourceInput input, read_tag_resource(call));
  const Result<void> tagged = co_await engine::tag_table(call.engine, input.table, input.tags);
  co_return tagged;
}

}  // namespace stator::api
