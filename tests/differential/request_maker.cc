#include "request_maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "request_body.h"

namespace stator::differential {

std::string key_text(const Key& key) {
  return fmt::format(R"({{"pk":{{"S":"p{}"}},"sk":{{"N":"{}"}}}})", key.partition, key.sort);
}

std::string create_things() {
  const auto key = [](std::string_view hash, std::string_view range) {
    std::string text =
        fmt::format(R"("KeySchema":[{{"AttributeName":"{}","KeyType":"HASH"}})", hash);
    if (!range.empty()) {
      text += fmt::format(R"(,{{"AttributeName":"{}","KeyType":"RANGE"}})", range);
    }
    return text + "]";
  };
  const auto index = [&](std::string_view name, std::string_view hash, std::string_view range,
                         std::string_view projection) {
    return fmt::format(R"({{"IndexName":"{}",{},"Projection":{{"ProjectionType":{}}}}})", name,
                       key(hash, range), projection);
  };
  return fmt::format(
      R"({{"TableName":"things","BillingMode":"PAY_PER_REQUEST",{},"AttributeDefinitions":[)"
      R"({{"AttributeName":"pk","AttributeType":"S"}},{{"AttributeName":"sk","AttributeType":"N"}},)"
      R"({{"AttributeName":"g","AttributeType":"S"}},{{"AttributeName":"l","AttributeType":"S"}},)"
      R"({{"AttributeName":"n","AttributeType":"N"}}],)"
      R"("LocalSecondaryIndexes":[{},{}],"GlobalSecondaryIndexes":[{},{},{}]}})",
      key("pk", "sk"), index("local_keys", "pk", "l", R"("KEYS_ONLY")"),
      index("local_some", "pk", "n", R"("INCLUDE","NonKeyAttributes":["a"])"),
      index("global_all", "g", "n", R"("ALL")"), index("global_keys", "g", "", R"("KEYS_ONLY")"),
      index("global_some", "l", "sk", R"("INCLUDE","NonKeyAttributes":["a","s"])"));
}

Request RequestMaker::next() {
  const std::uint32_t chance = number(100);
  if (chance < 22) return put_item();
  if (chance < 44) return update_item();
  if (chance < 52) return delete_item();
  if (chance < 60) return get_item();
  if (chance < 76) return query();
  if (chance < 82) return scan();
  if (chance < 88) return batch_write_item();
  if (chance < 91) return batch_get_item();
  if (chance < 96) return transact_write_items();
  if (chance < 98) return transact_get_items();
  return table_operation();
}

std::string RequestMaker::pick(std::initializer_list<const char*> texts) {
  return *(texts.begin() + number(static_cast<std::uint32_t>(texts.size())));
}

Key RequestMaker::random_key() {
  return {static_cast<int>(number(kPartitions)), static_cast<int>(number(kSortKeys))};
}

std::vector<Key> RequestMaker::distinct_keys(std::uint32_t at_most) {
  std::vector<Key> keys;
  for (std::uint32_t i = 1 + number(at_most); i > 0; --i) {
    const Key key = random_key();
    // Twice the same is a mistake that requests make now and then.
    if (std::find(keys.begin(), keys.end(), key) == keys.end() || one_in(20)) keys.push_back(key);
  }
  return keys;
}

std::string RequestMaker::scalar() {
  switch (number(6)) {
    case 0:
      return fmt::format(R"({{"N":"{}"}})", static_cast<int>(number(20)) - 5);
    case 1:
      return fmt::format(R"({{"BOOL":{}}})", one_in(2));
    case 2:
      return R"({"B":"AQI="})";
    case 3:
      return R"({"NULL":true})";
    default:
      return fmt::format(R"({{"S":"{}"}})", pick({"", "x", "xy", "\u00e4", "g1", R"(quo\"te)"}));
  }
}

std::string RequestMaker::document() {
  if (one_in(4)) return fmt::format(R"({{"L":[{},{}]}})", scalar(), scalar());
  return fmt::format(R"({{"M":{{"x":{},"y":{{"L":[{}]}}}}}})", scalar(), scalar());
}

// Texts are canonical, so that an item comes back as it was written here.
std::string RequestMaker::item(const Key& key) {
  std::string text = key_text(key);
  text.pop_back();
  const auto add = [&](std::string_view name, const std::string& value) {
    text += fmt::format(R"(,"{}":{})", name, value);
  };
  if (!one_in(3)) add("g", fmt::format(R"({{"S":"g{}"}})", number(3)));
  if (!one_in(3)) add("n", fmt::format(R"({{"N":"{}"}})", static_cast<int>(number(12)) - 3));
  if (!one_in(3)) {
    // Now and then of a type that an index cannot have.
    add("l", one_in(30) ? R"({"N":"1"})" : fmt::format(R"({{"S":"l{}"}})", number(4)));
  }
  if (one_in(2)) add("a", scalar());
  if (one_in(3)) add("s", pick({R"({"SS":["x"]})", R"({"SS":["x","y"]})", R"({"NS":["1","2"]})"}));
  if (one_in(3)) add("d", document());
  if (one_in(10)) add("large", fmt::format(R"({{"S":"{}"}})", std::string(number(9000), 'z')));
  return text + "}";
}

std::string RequestMaker::condition() {
  return pick({"attribute_exists(pk)",
               "attribute_not_exists(pk)",
               "attribute_exists(a)",
               "a = :a",
               "a <> :a",
               "n < :n",
               "n >= :n",
               "n BETWEEN :n AND :m",
               "a IN (:a, :n)",
               "begins_with(a, :a)",
               "contains(s, :a)",
               "contains(a, :a)",
               "size(s) > :n",
               "attribute_type(d, :t)",
               "NOT n = :n",
               "(a = :a OR n = :n) AND attribute_exists(g)",
               "d.x = :n",
               "d.y[0] = :a",
               "#a = :a AND #a <> g",
               "a =",
               "size(a) > a"});
}

std::string RequestMaker::update() {
  return pick({"SET a = :a",
               "SET n = if_not_exists(n, :n) + :m",
               "SET n = n - :n",
               "REMOVE a",
               "REMOVE g, l",
               "ADD n :n",
               "ADD s :set",
               "DELETE s :set",
               "SET d = :doc",
               "SET d.x = :n",
               "SET d.y[1] = :a",
               "REMOVE d.y[0]",
               "REMOVE d.x, a",
               "SET d.y = list_append(if_not_exists(d.y, :list), :list)",
               "SET g = :g, l = :l",
               "SET l = :l REMOVE g",
               "SET #a = :a ADD n :n",
               "SET a = g",
               "SET g = a",
               "SET n = :n, a = n",
               "SET pk = :a",
               "SET a = :a, a = :n",
               "SET a",
               "SET l = if_not_exists(l, :l), g = if_not_exists(g, :g), n = if_not_exists(n, :n)"});
}

// Whether a placeholder stands in the text as a whole word.
static bool uses(std::string_view text, std::string_view placeholder) {
  for (std::size_t at = text.find(placeholder); at != std::string_view::npos;
       at = text.find(placeholder, at + 1)) {
    const std::size_t end = at + placeholder.size();
    if (end == text.size() || std::isalnum(static_cast<unsigned char>(text[end])) == 0) return true;
  }
  return false;
}

void RequestMaker::add_placeholders(Body& body, const std::string& expressions) {
  std::string values;
  const auto add = [&](std::string_view name, const std::string& value) {
    if (!uses(expressions, name)) return;
    values += fmt::format(R"({}"{}":{})", values.empty() ? "" : ",", name, value);
  };
  add(":a", scalar());
  add(":n", fmt::format(R"({{"N":"{}"}})", static_cast<int>(number(8)) - 2));
  add(":m", fmt::format(R"({{"N":"{}.5"}})", number(8)));
  add(":t", pick({R"({"S":"M"})", R"({"S":"L"})", R"({"S":"?"})"}));
  add(":g", one_in(15) ? scalar() : fmt::format(R"({{"S":"g{}"}})", number(3)));
  add(":l", one_in(15) ? scalar() : fmt::format(R"({{"S":"l{}"}})", number(4)));
  add(":set", pick({R"({"SS":["x"]})", R"({"SS":["x","z"]})", R"({"NS":["2","3"]})"}));
  add(":doc", document());
  add(":list", fmt::format(R"({{"L":[{}]}})", scalar()));
  add(":pk", fmt::format(R"({{"S":"p{}"}})", number(kPartitions)));
  add(":sk", fmt::format(R"({{"N":"{}"}})", number(kSortKeys)));
  if (one_in(50)) values += values.empty() ? R"(":unused":{"S":""})" : R"(,":unused":{"S":""})";
  if (!values.empty()) body.add("ExpressionAttributeValues", "{" + values + "}");
  if (uses(expressions, "#a")) {
    body.add("ExpressionAttributeNames", R"({"#a":"a"})");
  }
}

}  // namespace stator::differential
