#pragma once

#include "base/arena.h"
#include "base/result.h"
#include "engine/row_key.h"
#include "engine/table.h"
#include "expr/expression.h"
#include "item/stored_item.h"
#include "item/value.h"

// Checks of key values against a table's schema, with the service's texts.
namespace stator::engine {

// The Key parameter of GetItem, UpdateItem, DeleteItem: exactly the key attributes, of the right types.
[[nodiscard]] Result<KeyValues> check_key(const Table& table, item::Attributes key, base::Arena& arena);

// The key attributes inside a whole item to be put, and the index keys that it carries.
[[nodiscard]] Result<KeyValues> check_item(const Table& table, item::Attributes item, base::Arena& arena);

// Key attributes of an item inside a batch: the same rules, but another text for missing and mistyped ones.
[[nodiscard]] Result<KeyValues> check_batch_item(const Table& table, item::Attributes item,
                                                 base::Arena& arena);

// The type of a value for an index key.
[[nodiscard]] Result<void> check_index_key_type(const Index& index, const KeyAttribute& attribute, item::Type type);

// One attribute that an update is about to write, against every index that has it as a key. Types that the update alone tells
// have been checked before.
[[nodiscard]] Result<void> check_updated_index_key(const Table& table, std::string_view name,
                                                   const item::Value& value);

// Empty strings or binaries in the table's key and, for a whole item, in index keys. Transactions report these apart from what
// else can be wrong with a key.
[[nodiscard]] Result<void> check_no_empty_keys(const Table& table, item::Attributes attributes, bool is_item);

// The same for what an update would write as an index key, as far as the update alone tells.
[[nodiscard]] Result<void> check_no_empty_updates(const Table& table, const expr::Update& update, base::Arena& arena);

// Empty or too long key values.
[[nodiscard]] Result<void> check_key_sizes(const Table& table, const KeyValues& key);

}  // namespace stator::engine
