#include "service/codecs.h"

#include <gtest/gtest.h>

#include "service/error.h"

namespace stator::service {
namespace {

Value example() {
  Value value = Value::structure();
  value.set("Text", "a<b&\"c\"").set("Whole", std::int64_t{-70000}).set("Real", 0.5).set("Yes", true);
  value.set("When", Time{1'780'000'000'250});
  value.set("List", Value::list().push(1).push("two"));
  value.set("Map", Value::map().set("p99", 1.5));
  return value;
}

const std::string& code_of(const Error& error) {
  return dynamic_cast<const ServiceError&>(*error.detail).shape;
}

TEST(Cbor, GivesBackWhatWasWritten) {
  const Result<Value> read = decode_cbor(encode_cbor(example()));
  ASSERT_TRUE(read);
  EXPECT_EQ(*read->find("Text")->get<std::string>(), "a<b&\"c\"");
  EXPECT_EQ(*read->find("Whole")->get<std::int64_t>(), -70000);
  EXPECT_EQ(*read->find("Real")->get<double>(), 0.5);
  EXPECT_EQ(read->find("When")->get<Time>()->ms, 1'780'000'000'250);
  EXPECT_EQ(read->find("List")->elements()->size(), 2U);
  EXPECT_EQ(encode_cbor(*read), encode_cbor(example()));
}

TEST(Cbor, ReadsIndefiniteLengthsAndShortFloats) {
  // {_ "a": [_ 1, 1.5 (half)], "b": (_ "x", "y")}
  const std::string bytes("\xbf\x61\x61\x9f\x01\xf9\x3e\x00\xff\x61\x62\x7f\x61\x78\x61\x79\xff\xff", 18);
  const Result<Value> read = decode_cbor(bytes);
  ASSERT_TRUE(read);
  EXPECT_EQ(*(*read->find("a")->elements())[1].get<double>(), 1.5);
  EXPECT_EQ(*read->find("b")->get<std::string>(), "xy");
}

TEST(Cbor, RefusesWhatIsCutOffOrTooDeep) {
  const std::string whole = encode_cbor(example());
  for (std::size_t size = 1; size < whole.size(); ++size) EXPECT_FALSE(decode_cbor(whole.substr(0, size))) << size;
  EXPECT_FALSE(decode_cbor(std::string(1'000'000, '\x81')));
  EXPECT_FALSE(decode_cbor("\xbb\xff\xff\xff\xff\xff\xff\xff\xff"));  // a map of 2^64 - 1 members
}

TEST(Json, GivesBackWhatWasWritten) {
  const Result<Value> read = decode_json(encode_json(example()));
  ASSERT_TRUE(read);
  EXPECT_EQ(encode_json(*read), encode_json(example()));
  EXPECT_EQ(encode_json(example()),
            R"({"Text":"a<b&\"c\"","Whole":-70000,"Real":0.5,"Yes":true,"When":1780000000.25,)"
            R"("List":[1,"two"],"Map":{"p99":1.5}})");
}

TEST(Json, RefusesWhatIsNoObjectOrTooDeep) {
  for (const std::string& body : {std::string("[]"), std::string("{"), std::string("{}x"), std::string("null"),
                                  "{\"a\":" + std::string(100'000, '[')}) {
    const Result<Value> read = decode_json(body);
    ASSERT_FALSE(read) << body.substr(0, 20);
    EXPECT_EQ(code_of(read.error()), "SerializationException");
  }
}

TEST(Form, PutsMembersOfListsInPlace) {
  const Result<Value> read = decode_form(
      "Action=GetMetricStatistics&Dimensions.member.1.Name=TableName&Dimensions.member.1.Value=app%2Dmain+x"
      "&Statistics.member.1=Sum&Statistics.member.2=Average&Empty=");
  ASSERT_TRUE(read);
  EXPECT_EQ(encode_json(*read),
            R"({"Action":"GetMetricStatistics","Dimensions":[{"Name":"TableName","Value":"app-main x"}],)"
            R"("Statistics":["Sum","Average"],"Empty":""})");
}

TEST(Form, RefusesBrokenEscapesAndIndexes) {
  for (const char* body : {"a=%", "a=%4", "a=%zz", "a.member.0=x", "a.member.5=x", "a.member.x=y", "=x"}) {
    EXPECT_FALSE(decode_form(body)) << body;
  }
  std::string deep = "a";
  for (int i = 0; i < 100; ++i) deep += ".a";
  EXPECT_FALSE(decode_form(deep + "=1"));
}

TEST(Xml, WritesListsMapsAndEscapes) {
  EXPECT_EQ(encode_xml("Do", "urn:x", example(), "id"),
            "<DoResponse xmlns=\"urn:x\"><DoResult><Text>a&lt;b&amp;&quot;c&quot;</Text><Whole>-70000</Whole>"
            "<Real>0.5</Real><Yes>true</Yes><When>2026-05-28T20:26:40.250Z</When>"
            "<List><member>1</member><member>two</member></List>"
            "<Map><entry><key>p99</key><value>1.5</value></entry></Map></DoResult>"
            "<ResponseMetadata><RequestId>id</RequestId></ResponseMetadata></DoResponse>");
  EXPECT_EQ(encode_xml("Do", "urn:x", Value(), "id"),
            "<DoResponse xmlns=\"urn:x\"><ResponseMetadata><RequestId>id</RequestId></ResponseMetadata></DoResponse>");
}

TEST(Xml, WritesErrors) {
  const auto error = refuse("InvalidParameterValue", "InvalidParameterValueException", "no <good>");
  EXPECT_EQ(encode_xml_error("urn:x", error.value(), "id"),
            "<ErrorResponse xmlns=\"urn:x\"><Error><Type>Sender</Type><Code>InvalidParameterValue</Code>"
            "<Message>no &lt;good&gt;</Message></Error><RequestId>id</RequestId></ErrorResponse>");
}

}  // namespace
}  // namespace stator::service
