#include "api/json_writer.h"

#include <gtest/gtest.h>

namespace stator::api {
namespace {

TEST(JsonWriter, PutsCommasBetweenMembersAndElements) {
  base::Buffer out;
  JsonWriter writer(out);
  writer.begin_object();
  writer.key("a").begin_array().end_array();
  writer.key("b").begin_array().integer(1).string("x").begin_object().end_object().end_array();
  writer.key("c").begin_object().key("d").boolean(true).key("e").raw("[]").end_object();
  writer.key("f").boolean(false);
  writer.end_object();
  EXPECT_EQ(out.view(), R"({"a":[],"b":[1,"x",{}],"c":{"d":true,"e":[]},"f":false})");
}

TEST(JsonWriter, EscapesWhatUsersChose) {
  base::Buffer out;
  JsonWriter writer(out);
  writer.begin_object().user_key("q\"\\").string("line\nend\x01").end_object();
  EXPECT_EQ(out.view(), "{\"q\\\"\\\\\":\"line\\nend\\u0001\"}");
}

TEST(JsonWriter, WritesFigures) {
  base::Buffer out;
  JsonWriter writer(out);
  writer.begin_array();
  writer.units(0).units(1).units(2).units(25);
  writer.time(1'700'000'000'123).time(5000).time(7);
  writer.real(0).real(1).real(12.34);
  writer.integer(INT64_MIN).integer(INT64_MAX);
  writer.end_array();
  EXPECT_EQ(out.view(),
            "[0.0,0.5,1.0,12.5,1700000000.123,5.000,0.007,0.0,1.0,12.3,-9223372036854775808,"
            "9223372036854775807]");
}

TEST(JsonWriter, GoesOnBehindAValueThatOthersWrote) {
  base::Buffer out;
  JsonWriter writer(out);
  writer.begin_object().key("Item");
  out.append("{}");
  writer.wrote_value();
  writer.key("b").integer(1).end_object();
  EXPECT_EQ(out.view(), R"({"Item":{},"b":1})");
}

}  // namespace
}  // namespace stator::api
