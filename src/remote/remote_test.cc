// The wire's JSON and the errors of an endpoint, without one. src/model's tests run against a
// server in tests/design.
#include <gtest/gtest.h>

#include "client/failure.h"
#include "remote/errors.h"
#include "remote/json.h"
#include "stator/database.h"

namespace stator::remote {
namespace {

Item everything() {
  return {{"s", "text \"quoted\" \xc3\xa4"},
          {"n", Number("-1.5")},
          {"b", Binary(std::string("\x00\xff", 2))},
          {"yes", true},
          {"no", false},
          {"null", nullptr},
          {"list", List{1, "two", List{}}},
          {"map", Item{{"inner", Item{}}}},
          {"ss", StringSet{"a", "b"}},
          {"ns", NumberSet{1, Number("2.5")}},
          {"bs", BinarySet{Binary("x")}}};
}

TEST(WireJson, IsTheWiresTextAndComesBack) {
  EXPECT_EQ(Json::parse(to_json(everything())), wire_json(everything()));
  EXPECT_EQ(*to_item(wire_json(everything())), everything());
}

TEST(WireJson, WhatIsNoItemIsAnError) {
  for (const char* text :
       {"[]", R"({"a":1})", R"({"a":{}})", R"({"a":{"S":1}})", R"({"a":{"B":"?"}})",
        R"({"a":{"X":"1"}})", R"({"a":{"S":"x","N":"1"}})", R"({"a":{"L":{}}})"}) {
    EXPECT_FALSE(to_item(Json::parse(text))) << text;
  }
}

TEST(WireJson, RequestsHaveTheMembersOfTheApi) {
  const QueryRequest query{.table_name = "app",
                           .index_name = "GSI1",
                           .key_condition = "#p = :p",
                           .names = {{"#p", "GSI1PK"}},
                           .values = {{":p", "OPEN"}},
                           .scan_index_forward = false,
                           .limit = 7};
  const Json query_json = {{"TableName", "app"},
                           {"IndexName", "GSI1"},
                           {"KeyConditionExpression", "#p = :p"},
                           {"ExpressionAttributeNames", {{"#p", "GSI1PK"}}},
                           {"ExpressionAttributeValues", {{":p", {{"S", "OPEN"}}}}},
                           {"ScanIndexForward", false},
                           {"Limit", 7}};
  EXPECT_EQ(wire_json(query), query_json);
  const TransactWriteItemsRequest writes{
      .items = {TransactCheck{
          .table_name = "app", .key = {{"PK", "a"}}, .condition = "attribute_exists(PK)"}}};
  const Json check = {{"TableName", "app"},
                      {"Key", {{"PK", {{"S", "a"}}}}},
                      {"ConditionExpression", "attribute_exists(PK)"}};
  Json action = Json::object();
  action["ConditionCheck"] = check;
  EXPECT_EQ(wire_json(writes)["TransactItems"], Json::array({action}));
}

TEST(EndpointError, CarriesKindItemAndReasons) {
  const auto error_of = [](int status, const char* body) {
    return to_database_error(client::failed_call({status, {}, body}));
  };
  const DatabaseError failed =
      error_of(400, R"({"__type":"x#ConditionalCheckFailedException","message":"no",
    "Item":{"PK":{"S":"a"}}})");
  EXPECT_EQ(failed.kind, ErrorKind::conditional_check_failed);
  EXPECT_EQ(failed.item.value(), (Item{{"PK", "a"}}));
  const DatabaseError canceled =
      error_of(400, R"({"__type":"x#TransactionCanceledException","Message":"no",
    "CancellationReasons":[{"Code":"None"},{"Code":"ConditionalCheckFailed","Message":"m"}]})");
  EXPECT_EQ(canceled.kind, ErrorKind::transaction_canceled);
  ASSERT_EQ(canceled.reasons.size(), 2U);
  EXPECT_EQ(canceled.reasons[1].code, "ConditionalCheckFailed");
  EXPECT_EQ(error_of(500, "oops").kind, ErrorKind::internal);
}

TEST(Connect, SaysWhatIsWrong) {
  const auto bad = connect(EndpointOptions{.endpoint = "not an address"});
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().kind, ErrorKind::validation);
  auto nobody = connect(EndpointOptions{.endpoint = "http://127.0.0.1:1", .attempts = 1}).value();
  EXPECT_EQ(nobody->get_item({.table_name = "app", .key = {{"PK", "a"}}}).error().kind,
            ErrorKind::unavailable);
}

}  // namespace
}  // namespace stator::remote
