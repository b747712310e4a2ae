#include "expr_fuzz.h"
#include "partiql/bind.h"
#include "partiql/next_token.h"
#include "partiql/parser.h"
#include "partiql/plan.h"

// A statement is read, bound to parameters, planned and evaluated without harm, whatever it is.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace stator;
  const std::string_view text = fuzz::as_text(data, size);
  fuzz::Request request;
  static_cast<void>(partiql::decode_next_token(text, 1, request.arena));
  const auto statement = partiql::parse(text, request.arena);
  if (!statement) return 0;
  const item::Value parameters[] = {item::Value::string("a"), item::Value::number("1"), item::Value::boolean(true)};
  const auto bound = partiql::bind(*statement, parameters, request.arena);
  if (!bound) return 0;
  engine::Table table;
  table.key = {{{"pk", item::Type::string}}, {{"sk", item::Type::number}}};
  engine::Index index;
  index.name = "ix";
  index.key = {{{"a", item::Type::number}}, {}};
  index.projection = engine::ProjectionKind::keys_only;
  table.indexes.push_back(index);
  engine::finish_table(table);
  if (bound->kind == partiql::StatementKind::select) {
    static_cast<void>(partiql::plan_read(*bound, table, false, request.arena));
  } else {
    static_cast<void>(partiql::plan_write(*bound, table, request.arena));
  }
  base::Buffer out;
  if (bound->projection) bound->projection->append(out, request.item, request.arena);
  if (bound->update) static_cast<void>(bound->update->apply(&request.item, fuzz::kBytesMax, request.arena));
  if (bound->where != nullptr) {
    static_cast<void>(expr::Condition::from_bound(bound->where, request.arena).matches(&request.item, request.arena));
  }
  return 0;
}
