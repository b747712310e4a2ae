#include "api/json_writer.h"
#include "api/operations.h"
#include "api/reader.h"
#include "api/resource_arn.h"

namespace stator::api {
namespace {

Result<std::string_view> read_list_tags_of_resource(const Call& call) {
  ReadState state(call.arena);
  const Reader in(call.body, state);
  const auto arn = in.string("ResourceArn");
  static_cast<void>(in.string("NextToken"));  // a table's tags are one page: every token leads to it
  TRY_VOID(state.result());
  return table_of_resource(call, arn);
}

}  // namespace

base::Task<Result<void>> list_tags_of_resource(Call& call) {
  CO_TRY(const std::string_view name, read_list_tags_of_resource(call));
  CO_TRY(const engine::TablePtr table, call.engine.catalog.find(name));
  JsonWriter out(call.out);
  out.begin_object().key("Tags").begin_array();
  for (const auto& [key, value] : table->tags) {
    out.begin_object().key("Key").string(key).key("Value").string(value).end_object();
  }
  out.end_array().end_object();
  co_return Result<void>();
}

}  // namespace stator::api
