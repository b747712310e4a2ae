#include "server/key_text.h"

#include "base/buffer.h"
#include "engine/row_key.h"
#include "item/base64.h"
#include "item/key_encoding.h"

namespace stator::server {
namespace {

// Reads the values of `attributes` from the front of `bytes`.
std::optional<std::string> read_parts(const std::vector<engine::KeyAttribute>& attributes, std::string_view& bytes,
                                      base::Arena& arena) {
  std::string joined;
  for (const engine::KeyAttribute& attribute : attributes) {
    const Result<item::Value> value = item::read_key_part(bytes, attribute.type, arena);
    if (!value) return std::nullopt;
    if (&attribute != &attributes.front()) joined.push_back(',');
    if (value->is(item::Type::binary)) {
      base::Buffer text;
      item::append_base64(text, value->text());
      joined.append(text.view());
    } else {
      joined.append(value->text());
    }
  }
  return joined;
}

}  // namespace

std::optional<KeyText> key_text(const engine::Access& access) {
  if (access.row_key.size() <= engine::kHashEnd) return std::nullopt;
  const engine::KeySchema& key = access.index != nullptr ? access.index->key : access.table->key;
  std::string_view bytes = access.row_key.substr(engine::kHashEnd);
  base::Arena arena;
  std::optional<std::string> partition = read_parts(key.partition, bytes, arena);
  if (!partition) return std::nullopt;
  KeyText text{std::move(*partition), std::nullopt};
  const bool one_item = access.kind == engine::AccessKind::get || access.kind == engine::AccessKind::write;
  if (one_item && !key.sort.empty()) text.sort = read_parts(key.sort, bytes, arena);
  return text;
}

}  // namespace stator::server
