// The requests, one function for each operation.

#include <fmt/format.h>

#include "request_body.h"
#include "request_maker.h"

namespace stator::differential {
namespace {

// Keys of the table and its indexes.
struct Target {
  const char* index;  // empty: the table
  const char* hash;
  const char* hash_value;
  const char* range;  // empty: none
  const char* range_value;
};
constexpr Target kTargets[] = {
    {"", "pk", ":pk", "sk", ":sk"},         {"local_keys", "pk", ":pk", "l", ":l"},
    {"local_some", "pk", ":pk", "n", ":n"}, {"global_all", "g", ":g", "n", ":n"},
    {"global_keys", "g", ":g", "", ""},     {"global_some", "l", ":l", "sk", ":sk"},
};

std::string joined(const std::vector<std::string>& elements) {
  return fmt::format("[{}]", fmt::join(elements, ","));
}

}  // namespace

void RequestMaker::add_return_options(Body& body) {
  if (one_in(2)) body.text("ReturnConsumedCapacity", pick({"INDEXES", "TOTAL", "NONE"}));
  if (one_in(4)) body.text("ReturnItemCollectionMetrics", "SIZE");
}

void RequestMaker::add_expressions(Body& body, const std::string& update_text,
                                   const std::string& condition_text) {
  if (!update_text.empty()) body.text("UpdateExpression", update_text);
  if (!condition_text.empty()) {
    body.text("ConditionExpression", condition_text);
    if (one_in(2)) body.text("ReturnValuesOnConditionCheckFailure", "ALL_OLD");
  }
  add_placeholders(body, update_text + " " + condition_text);
}

Request RequestMaker::put_item() {
  const Key key = random_key();
  const std::string put = item(key);
  Body body("things");
  body.add("Item", put);
  add_expressions(body, "", one_in(3) ? condition() : "");
  if (one_in(3)) body.text("ReturnValues", "ALL_OLD");
  add_return_options(body);
  return {"PutItem", body.json(), {{Write::Kind::put, key, put}}};
}

Request RequestMaker::update_item() {
  const Key key = random_key();
  Body body("things");
  body.add("Key", key_text(key));
  add_expressions(body, one_in(20) ? "" : update(), one_in(3) ? condition() : "");
  body.text("ReturnValues", pick({"NONE", "ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"}));
  add_return_options(body);
  return {"UpdateItem", body.json(), {{Write::Kind::update, key, ""}}};
}

Request RequestMaker::delete_item() {
  const Key key = random_key();
  Body body("things");
  body.add("Key", key_text(key));
  add_expressions(body, "", one_in(3) ? condition() : "");
  if (one_in(2)) body.text("ReturnValues", "ALL_OLD");
  add_return_options(body);
  return {"DeleteItem", body.json(), {{Write::Kind::remove, key, ""}}};
}

Request RequestMaker::get_item() {
  Body body("things");
  body.add("Key", key_text(random_key()));
  if (one_in(2)) body.add("ConsistentRead", "true");
  if (one_in(2)) body.text("ProjectionExpression", pick({"a, n", "d.x, s", "d.y[0], d.x", "zz"}));
  if (one_in(2)) body.text("ReturnConsumedCapacity", "INDEXES");
  return {"GetItem", body.json(), {}};
}

Request RequestMaker::query() {
  const Target& target = kTargets[number(std::size(kTargets))];
  Body body("things");
  std::string expressions = fmt::format("{} = {}", target.hash, target.hash_value);
  if (*target.range != '\0' && one_in(2)) {
    static constexpr const char* kForms[] = {"{0} = {1}",
                                             "{0} < {1}",
                                             "{0} <= {1}",
                                             "{0} > {1}",
                                             "{0} >= {1}",
                                             "{0} BETWEEN {1} AND {1}",
                                             "begins_with({0}, {1})"};
    expressions += " AND " + fmt::format(fmt::runtime(kForms[number(std::size(kForms))]),
                                         target.range, target.range_value);
  }
  body.text("KeyConditionExpression", expressions);
  if (*target.index != '\0') body.text("IndexName", target.index);
  if (one_in(3)) {
    const std::string filter = condition();
    body.text("FilterExpression", filter);
    expressions += " " + filter;
  }
  add_placeholders(body, expressions);
  if (one_in(4)) {
    body.text("ProjectionExpression", pick({"a, n", "pk, sk", "d.x", "large"}));
  } else if (one_in(3)) {
    body.text("Select", pick({"COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES"}));
  }
  if (one_in(2)) body.add("ScanIndexForward", "false");
  if (one_in(4)) body.add("ConsistentRead", "true");
  if (one_in(2)) body.add("Limit", std::to_string(1 + number(4)));
  if (one_in(2)) body.text("ReturnConsumedCapacity", "INDEXES");
  return {"Query", body.json(), {}};
}

Request RequestMaker::scan() {
  const Target& target = kTargets[number(std::size(kTargets))];
  Body body("things");
  if (*target.index != '\0') body.text("IndexName", target.index);
  if (one_in(2)) {
    const std::uint32_t total = 1 + number(4);
    body.add("TotalSegments", std::to_string(total));
    body.add("Segment", std::to_string(number(total)));
  }
  if (one_in(2)) {
    const std::string filter = condition();
    body.text("FilterExpression", filter);
    add_placeholders(body, filter);
  }
  if (one_in(2)) body.add("Limit", std::to_string(1 + number(10)));
  if (one_in(2)) body.text("ReturnConsumedCapacity", "TOTAL");
  return {"Scan", body.json(), {}};
}

Request RequestMaker::batch_write_item() {
  Request request{"BatchWriteItem", "", {}};
  std::vector<std::string> elements;
  for (const Key& key : distinct_keys(10)) {
    if (one_in(3)) {
      request.writes.push_back({Write::Kind::remove, key, ""});
      elements.push_back(fmt::format(R"({{"DeleteRequest":{{"Key":{}}}}})", key_text(key)));
    } else {
      request.writes.push_back({Write::Kind::put, key, item(key)});
      elements.push_back(
          fmt::format(R"({{"PutRequest":{{"Item":{}}}}})", request.writes.back().item));
    }
  }
  Body body;
  body.add("RequestItems", fmt::format(R"({{"things":{}}})", joined(elements)));
  add_return_options(body);
  request.body = body.json();
  return request;
}

Request RequestMaker::batch_get_item() {
  std::vector<std::string> keys;
  for (const Key& key : distinct_keys(10)) keys.push_back(key_text(key));
  Body table;
  table.add("Keys", joined(keys));
  if (one_in(2)) table.text("ProjectionExpression", "pk, sk, a");
  if (one_in(2)) table.add("ConsistentRead", "true");
  Body body;
  body.add("RequestItems", fmt::format(R"({{"things":{}}})", table.json()));
  if (one_in(2)) body.text("ReturnConsumedCapacity", "TOTAL");
  return {"BatchGetItem", body.json(), {}};
}

Request RequestMaker::transact_write_items() {
  Request request{"TransactWriteItems", "", {}};
  std::vector<std::string> elements;
  for (const Key& key : distinct_keys(4)) {
    static constexpr const char* kNames[] = {"Put", "Update", "Delete", "ConditionCheck"};
    const auto kind = static_cast<Write::Kind>(number(4));
    request.writes.push_back({kind, key, kind == Write::Kind::put ? item(key) : ""});
    Body action("things");
    action.add(kind == Write::Kind::put ? "Item" : "Key",
               kind == Write::Kind::put ? request.writes.back().item : key_text(key));
    const bool has_condition = kind == Write::Kind::check || one_in(4);
    add_expressions(action, kind == Write::Kind::update ? update() : "",
                    has_condition ? condition() : "");
    elements.push_back(
        fmt::format(R"({{"{}":{}}})", kNames[static_cast<int>(kind)], action.json()));
  }
  Body body;
  body.add("TransactItems", joined(elements));
  add_return_options(body);
  request.body = body.json();
  return request;
}

Request RequestMaker::transact_get_items() {
  std::vector<std::string> elements;
  for (const Key& key : distinct_keys(5)) {
    elements.push_back(
        fmt::format(R"({{"Get":{{"TableName":"things","Key":{}}}}})", key_text(key)));
  }
  Body body;
  body.add("TransactItems", joined(elements));
  if (one_in(2)) body.text("ReturnConsumedCapacity", "TOTAL");
  return {"TransactGetItems", body.json(), {}};
}

Request RequestMaker::table_operation() {
  switch (number(5)) {
    case 0:
      return {"ListTables", "{}", {}};
    case 1:
      return {"DescribeTable", pick({R"({"TableName":"things"})", R"({"TableName":"extra"})"}), {}};
    case 2:
      return {"CreateTable",
              R"({"TableName":"extra","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":)"
              R"([{"AttributeName":"id","AttributeType":"N"}],"KeySchema":)"
              R"([{"AttributeName":"id","KeyType":"HASH"}]})",
              {}};
    case 3:
      return {"DeleteTable", R"({"TableName":"extra"})", {}};
    default:
      return {"UpdateTable",
              fmt::format(R"({{"TableName":"extra","DeletionProtectionEnabled":{}}})", one_in(3)),
              {}};
  }
}

}  // namespace stator::differential
