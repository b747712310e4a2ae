// The stored form of a table descriptor: an ordinary stored item, so that it has the same format rules and the same
// damage checks as data. Short names, because nobody but this file reads them; unknown ones are ignored, missing ones
// keep their default, so that the descriptor can grow.

#include <charconv>

#include "base/arena.h"
#include "engine/table.h"
#include "item/stored_item.h"

namespace stator::engine {
namespace {

using item::Attribute;
using item::Attributes;
using item::Type;
using item::Value;

class Writer {
 public:
  explicit Writer(base::Arena& arena) : arena_(arena) {}

  void text(std::string_view name, std::string_view value) {
    if (!value.empty()) put(name, Value::string(value));
  }
  void integer(std::string_view name, std::int64_t value) {
    if (value != 0) put(name, Value::number(arena_.copy(std::string_view(std::to_string(value)))));
  }
  void flag(std::string_view name, bool value) {
    if (value) put(name, Value::boolean(true));
  }
  void unit_pair(std::string_view name, const UnitPair& pair) {
    if (!pair.any()) return;
    Writer inner(arena_);
    if (pair.read_units) inner.put("r", number(*pair.read_units));
    if (pair.write_units) inner.put("w", number(*pair.write_units));
    put(name, inner.map());
  }
  void throughput(std::string_view name, const Throughput& throughput) {
    Writer inner(arena_);
    inner.integer("r", throughput.read_units);
    inner.integer("w", throughput.write_units);
    inner.integer("inc", throughput.last_increase_ms);
    inner.integer("dec", throughput.last_decrease_ms);
    inner.integer("today", throughput.decreases_today);
    put(name, inner.map());
  }
  void key_attributes(std::string_view name, const std::vector<KeyAttribute>& attributes) {
    std::vector<Value> list;
    for (const KeyAttribute& attribute : attributes) {
      Writer inner(arena_);
      inner.text("n", attribute.name);
      inner.text("t", item::type_name(attribute.type));
      list.push_back(inner.map());
    }
    put(name, list_of(list));
  }
  void key(const KeySchema& schema) {
    key_attributes("pk", schema.partition);
    key_attributes("sk", schema.sort);
  }
  void put(std::string_view name, Value value) { attributes_.push_back({name, value}); }

  Value list_of(const std::vector<Value>& values) {
    return Value::list(arena_.copy(std::span<const Value>(values)));
  }
  Value number(std::int64_t value) {
    return Value::number(arena_.copy(std::string_view(std::to_string(value))));
  }
  Value map() { return Value::map(arena_.copy(std::span<const Attribute>(attributes_))); }

 private:
  base::Arena& arena_;
  std::vector<Attribute> attributes_;
};

Value index_value(const Index& index, base::Arena& arena) {
  Writer out(arena);
  out.integer("id", index.id);
  out.text("name", index.name);
  out.flag("local", index.kind == IndexKind::local);
  out.integer("state", static_cast<std::int64_t>(index.state));
  out.key(index.key);
  out.integer("projection", static_cast<std::int64_t>(index.projection));
  std::vector<Value> included;
  for (const std::string& name : index.included) included.push_back(Value::string(name));
  out.put("included", out.list_of(included));
  out.throughput("throughput", index.throughput);
  out.unit_pair("on_demand", index.on_demand);
  out.unit_pair("warm", index.warm);
  return out.map();
}

Value stream_value(const Stream& stream, base::Arena& arena) {
  Writer out(arena);
  out.integer("id", stream.id);
  out.text("view", stream.view_type);
  out.text("label", stream.label);
  out.integer("shards", stream.shards);
  out.integer("created", stream.created_ms);
  out.integer("disabled", stream.disabled_ms);
  return out.map();
}

// Reads what Writer wrote; a missing or mistyped field reads as its default.
class Reader {
 public:
  explicit Reader(Attributes attributes) : attributes_(attributes) {}
  explicit Reader(const Value* map)
      : attributes_(map != nullptr && map->is(Type::map) ? map->attributes() : Attributes()) {}

  [[nodiscard]] std::string text(std::string_view name) const {
    const Value* value = find(name, Type::string);
    return value != nullptr ? std::string(value->text()) : std::string();
  }
  [[nodiscard]] std::int64_t integer(std::string_view name) const { return optional_integer(name).value_or(0); }
  [[nodiscard]] std::optional<std::int64_t> optional_integer(std::string_view name) const {
    const Value* value = find(name, Type::number);
    if (value == nullptr) return std::nullopt;
    std::int64_t result = 0;
    const std::string_view digits = value->text();
    std::from_chars(digits.data(), digits.data() + digits.size(), result);
    return result;
  }
  [[nodiscard]] std::vector<std::int64_t> integers(std::string_view name) const {
    std::vector<std::int64_t> result;
    for (const Value& value : list(name)) {
      std::int64_t number = 0;
      if (!value.is(Type::number)) continue;
      std::from_chars(value.text().data(), value.text().data() + value.text().size(), number);
      result.push_back(number);
    }
    return result;
  }
  [[nodiscard]] bool flag(std::string_view name) const { return find(name, Type::boolean) != nullptr; }
  [[nodiscard]] UnitPair unit_pair(std::string_view name) const {
    const Reader inner(find(name, Type::map));
    return {inner.optional_integer("r"), inner.optional_integer("w")};
  }
  [[nodiscard]] Throughput throughput(std::string_view name) const {
    const Reader inner(find(name, Type::map));
    return {inner.integer("r"), inner.integer("w"), inner.integer("inc"), inner.integer("dec"),
            inner.integer("today")};
  }
  [[nodiscard]] std::span<const Value> list(std::string_view name) const {
    const Value* value = find(name, Type::list);
    return value != nullptr ? value->elements() : std::span<const Value>();
  }
  [[nodiscard]] std::vector<KeyAttribute> key_attributes(std::string_view name) const {
    std::vector<KeyAttribute> result;
    for (const Value& entry : list(name)) {
      const Reader inner(&entry);
      result.push_back({inner.text("n"), item::type_from_name(inner.text("t")).value_or(Type::string)});
    }
    return result;
  }
  [[nodiscard]] KeySchema key() const { return {key_attributes("pk"), key_attributes("sk")}; }
  [[nodiscard]] Reader map(std::string_view name) const { return Reader(find(name, Type::map)); }

 private:
  [[nodiscard]] const Value* find(std::string_view name, Type type) const {
    const Value* value = item::find(attributes_, name);
    return value != nullptr && value->is(type) ? value : nullptr;
  }
  Attributes attributes_;
};

Index read_index(const Value& value) {
  const Reader in(&value);
  Index index;
  index.id = static_cast<IndexId>(in.integer("id"));
  index.name = in.text("name");
  index.kind = in.flag("local") ? IndexKind::local : IndexKind::global;
  index.state = static_cast<IndexState>(in.integer("state"));
  index.key = in.key();
  index.projection = static_cast<ProjectionKind>(in.integer("projection"));
  for (const Value& name : in.list("included")) {
    if (name.is(Type::string)) index.included.emplace_back(name.text());
  }
  index.throughput = in.throughput("throughput");
  index.on_demand = in.unit_pair("on_demand");
  index.warm = in.unit_pair("warm");
  return index;
}

Stream read_stream(const Value& value) {
  const Reader in(&value);
  return {static_cast<StreamId>(in.integer("id")),
          in.text("view"),
          in.text("label"),
          static_cast<std::uint8_t>(in.integer("shards")),
          in.integer("created"),
          in.integer("disabled")};
}

}  // namespace

std::string encode_table(const Table& table) {
  base::Arena arena;
  Writer out(arena);
  out.integer("id", table.id);
  out.text("name", table.name);
  out.text("uuid", table.uuid);
  out.integer("revision", table.revision);
  out.integer("created", table.created_ms);
  out.key(table.key);
  out.key_attributes("definitions", table.definitions);
  std::vector<Value> indexes;
  for (const Index& index : table.indexes) indexes.push_back(index_value(index, arena));
  out.put("indexes", out.list_of(indexes));
  out.integer("next_index", table.next_index_id);
  out.flag("on_demand_billing", table.billing == BillingMode::on_demand);
  out.flag("billing_set", table.billing_mode_set);
  out.integer("on_demand_since", table.on_demand_since_ms);
  std::vector<Value> switches;
  for (const std::int64_t time_ms : table.on_demand_switches_ms) switches.push_back(out.number(time_ms));
  if (!switches.empty()) out.put("on_demand_switches", out.list_of(switches));
  out.throughput("throughput", table.throughput);
  out.unit_pair("on_demand", table.on_demand);
  out.unit_pair("warm", table.warm);
  std::vector<Value> streams;
  for (const Stream& stream : table.streams) streams.push_back(stream_value(stream, arena));
  out.put("streams", out.list_of(streams));
  out.integer("next_stream", table.next_stream_id);
  out.text("ttl", table.ttl.attribute);
  out.integer("ttl_state", static_cast<std::int64_t>(table.ttl.state));
  out.integer("ttl_changed", table.ttl.changed_ms);
  out.flag("encrypted", table.encryption.enabled);
  out.text("encryption", table.encryption.type);
  out.text("encryption_key", table.encryption.key_arn);
  out.text("class", table.table_class);
  out.integer("class_changed", table.table_class_changed_ms);
  out.flag("protected", table.deletion_protection);
  std::vector<Value> tags;
  for (const auto& [key, value] : table.tags) {
    tags.push_back(Value::string(key));
    tags.push_back(Value::string(value));
  }
  out.put("tags", out.list_of(tags));
  out.integer("transition", static_cast<std::int64_t>(table.transition));
  out.integer("transition_until", table.transition_until_ms);
  return std::string(item::encode_item(out.map().attributes(), arena));
}

Result<Table> decode_table(std::string_view stored) {
  TRY(const item::StoredItem item, item::StoredItem::open(stored));
  base::Arena arena;
  const Reader in(item.decode(arena));
  Table table;
  table.id = static_cast<TableId>(in.integer("id"));
  table.name = in.text("name");
  table.uuid = in.text("uuid");
  table.revision = in.integer("revision");
  table.created_ms = in.integer("created");
  table.key = in.key();
  table.definitions = in.key_attributes("definitions");
  for (const Value& index : in.list("indexes")) table.indexes.push_back(read_index(index));
  table.next_index_id = static_cast<IndexId>(in.integer("next_index"));
  table.billing = in.flag("on_demand_billing") ? BillingMode::on_demand : BillingMode::provisioned;
  table.billing_mode_set = in.flag("billing_set");
  table.on_demand_since_ms = in.integer("on_demand_since");
  table.on_demand_switches_ms = in.integers("on_demand_switches");
  table.throughput = in.throughput("throughput");
  table.on_demand = in.unit_pair("on_demand");
  table.warm = in.unit_pair("warm");
  for (const Value& stream : in.list("streams")) table.streams.push_back(read_stream(stream));
  table.next_stream_id = static_cast<StreamId>(in.integer("next_stream"));
  table.ttl = {in.text("ttl"), static_cast<TtlState>(in.integer("ttl_state")), in.integer("ttl_changed")};
  table.encryption = {in.flag("encrypted"), in.text("encryption"), in.text("encryption_key")};
  table.table_class = in.text("class");
  table.table_class_changed_ms = in.integer("class_changed");
  table.deletion_protection = in.flag("protected");
  const auto tags = in.list("tags");
  for (std::size_t i = 0; i + 1 < tags.size(); i += 2) {
    if (!tags[i].is(Type::string) || !tags[i + 1].is(Type::string)) continue;
    table.tags.emplace_back(tags[i].text(), tags[i + 1].text());
  }
  table.transition = static_cast<TableStatus>(in.integer("transition"));
  table.transition_until_ms = in.integer("transition_until");
  if (table.id == 0 || table.key.partition.empty()) {
    return fail(ErrorCode::corruption, "the description of table '" + table.name + "' is damaged");
  }
  finish_table(table);
  return table;
}

}  // namespace stator::engine
