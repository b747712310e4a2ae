#include "server/key_access.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <vector>

namespace stator::server {
namespace {

using simdjson::SUCCESS;
using Object = simdjson::dom::object;

// The text of an attribute value {"S": "x"}: what is inside, for the three types that a key can have.
std::optional<std::string_view> text_of(api::Json value) {
  Object typed;
  if (value.get(typed) != SUCCESS) return std::nullopt;
  for (const auto member : typed) {
    std::string_view text;
    if (member.value.get(text) == SUCCESS) return text;
  }
  return std::nullopt;
}

std::optional<std::string> key_text(const std::vector<engine::KeyAttribute>& attributes, Object item) {
  std::string joined;
  for (const engine::KeyAttribute& attribute : attributes) {
    api::Json value;
    if (item[attribute.name].get(value) != SUCCESS) return std::nullopt;
    const auto text = text_of(value);
    if (!text) return std::nullopt;
    if (!joined.empty()) joined.push_back(',');
    joined.append(*text);
  }
  return attributes.empty() ? std::nullopt : std::optional(joined);
}

struct Found {
  insights::Subject subject;
  std::string partition_key;
  std::optional<std::string> sort_key;
};

class KeyFinder {
 public:
  explicit KeyFinder(const engine::Engine& engine) : engine_(engine) {}

  void item(std::string_view table_name, api::Json attributes) {
    const Result<engine::TablePtr> table = find(table_name);
    Object object;
    if (!table || attributes.get(object) != SUCCESS) return;
    const auto partition = key_text((*table)->key.partition, object);
    if (partition) found.push_back({{(*table)->name, ""}, *partition, key_text((*table)->key.sort, object)});
  }
  void query(std::string_view table_name, api::Json body);

  std::vector<Found> found;

 private:
  [[nodiscard]] Result<engine::TablePtr> find(std::string_view name) const {
    constexpr std::string_view kArnTable = ":table/";
    if (const std::size_t arn = name.find(kArnTable); arn != std::string_view::npos) {
      name.remove_prefix(arn + kArnTable.size());
    }
    return engine_.catalog.find(name);
  }
  const engine::Engine& engine_;
};

std::vector<std::string_view> tokens_of(std::string_view text) {
  std::vector<std::string_view> tokens;
  for (std::size_t i = 0; i < text.size();) {
    const auto is_word = [&](std::size_t at) {
      const auto c = static_cast<unsigned char>(text[at]);
      return std::isalnum(c) != 0 || c == '_' || c == '#' || c == ':' || c == '.' || c == '-';
    };
    if (std::isspace(static_cast<unsigned char>(text[i])) != 0) {
      ++i;
      continue;
    }
    std::size_t end = i + 1;
    while (is_word(i) && end < text.size() && is_word(end)) ++end;
    tokens.push_back(text.substr(i, end - i));
    i = end;
  }
  return tokens;
}

// A query names its partition in an equality of its key condition: `pk = :value`, in either order.
void KeyFinder::query(std::string_view table_name, api::Json body) {
  const Result<engine::TablePtr> table = find(table_name);
  std::string_view condition;
  if (!table || body["KeyConditionExpression"].get(condition) != SUCCESS) return;
  std::string_view index_name;
  const bool by_index = body["IndexName"].get(index_name) == SUCCESS;
  const engine::Index* index = by_index ? (*table)->find_index(index_name) : nullptr;
  if (by_index && index == nullptr) return;
  const engine::KeySchema& key = index != nullptr ? index->key : (*table)->key;
  const std::vector<std::string_view> tokens = tokens_of(condition);
  for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
    if (tokens[i] != "=") continue;
    std::string_view name = tokens[i - 1];
    std::string_view value = tokens[i + 1];
    if (name.starts_with(':')) std::swap(name, value);
    if (name.starts_with('#') && body["ExpressionAttributeNames"][name].get(name) != SUCCESS) continue;
    api::Json typed;
    if (name != key.partition.front().name || body["ExpressionAttributeValues"][value].get(typed) != SUCCESS) continue;
    const auto text = text_of(typed);
    const bool global = index != nullptr && index->kind == engine::IndexKind::global;
    if (text) found.push_back({{(*table)->name, global ? index->name : ""}, std::string(*text), std::nullopt});
    return;
  }
}

// {"Put": {"TableName": ..., "Item": ...}}, {"Update": {"TableName": ..., "Key": ...}}
void transaction(KeyFinder& finder, simdjson::dom::array items) {
  for (const api::Json item : items) {
    Object actions;
    if (item.get(actions) != SUCCESS) continue;
    for (const auto action : actions) {
      std::string_view table;
      api::Json key;
      if (action.value["TableName"].get(table) != SUCCESS) continue;
      if (action.value["Key"].get(key) == SUCCESS || action.value["Item"].get(key) == SUCCESS) finder.item(table, key);
    }
  }
}

// {"table": {"Keys": [...]}} of a BatchGetItem, {"table": [{"PutRequest": {"Item": ...}}, ...]} of a BatchWriteItem
void batch(KeyFinder& finder, Object tables) {
  for (const auto table : tables) {
    simdjson::dom::array list;
    if (table.value["Keys"].get(list) == SUCCESS) {
      for (const api::Json key : list) finder.item(table.key, key);
    } else if (table.value.get(list) == SUCCESS) {
      for (const api::Json write : list) {
        api::Json key;
        if (write["PutRequest"]["Item"].get(key) == SUCCESS || write["DeleteRequest"]["Key"].get(key) == SUCCESS) {
          finder.item(table.key, key);
        }
      }
    }
  }
}

}  // namespace

void record_keys(insights::Insights& insights, const engine::Engine& engine, api::Json body, std::int64_t half_units,
                 bool throttled) {
  KeyFinder finder(engine);
  std::string_view table;
  Object tables;
  simdjson::dom::array items;
  if (body["TableName"].get(table) == SUCCESS) {
    api::Json key;
    if (body["Key"].get(key) == SUCCESS || body["Item"].get(key) == SUCCESS) {
      finder.item(table, key);
    } else {
      finder.query(table, body);
    }
  } else if (body["RequestItems"].get(tables) == SUCCESS) {
    batch(finder, tables);
  } else if (body["TransactItems"].get(items) == SUCCESS) {
    transaction(finder, items);
  }
  for (const Found& one : finder.found) {
    insights.record(one.subject, {one.partition_key, one.sort_key,
                                  half_units / static_cast<std::int64_t>(finder.found.size()), throttled});
  }
}

}  // namespace stator::server
