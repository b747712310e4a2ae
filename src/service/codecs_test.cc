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
            R"("Empty":"","Statistics":["Sum","Average"]})");
  EXPECT_EQ(encode_json(*decode_form("a.member.2=y&a.member.1=x&a.member.10=z&a.member.3=c&a.member.4=c&a.member.5=c"
                                     "&a.member.6=c&a.member.7=c&a.member.8=c&a.member.9=c")),
            R"({"a":["x","y","c","c","c","c","c","c","c","z"]})");
}

TEST(Form, SaysWhichOperationItAsksFor) {
  const FormTarget target = find_form_target("x=1&Action=List%4detrics&&Version=2010-08-01&a=%");
  EXPECT_EQ(target.action, "ListMetrics");
  EXPECT_EQ(target.version, "2010-08-01");
  EXPECT_TRUE(find_form_target("").action.empty());
}

// Quadratic work on these would be minutes.
TEST(Decoders, AreLinear) {
  std::string form = "Action=X";
  std::string object = "{";
  std::string list = "{\"a\":[";
  for (int i = 0; i < 99'000; ++i) {
    form += "&n" + std::to_string(i) + "=1";
    object += (i == 0 ? "\"m" : ",\"m") + std::to_string(i) + "\":1";
    list += i == 0 ? "{}" : ",{}";
  }
  EXPECT_EQ(decode_form(form)->members()->size(), 99'001U);
  EXPECT_EQ(decode_json(object + "}")->members()->size(), 99'000U);
  EXPECT_EQ(decode_json(list + "]}")->find("a")->elements()->size(), 99'000U);
}

TEST(Decoders, RefuseTooManyValues) {
  std::string form;
  std::string json = "{\"a\":[";
  std::string cbor = "\xa1\x61\x61\x9f";
  for (int i = 0; i < 100'001; ++i) {
    form += "n" + std::to_string(i) + "=&";
    json += "1,";
    cbor += '\x01';
  }
  EXPECT_FALSE(decode_form(form));
  EXPECT_FALSE(decode_json(json + "1]}"));
  EXPECT_FALSE(decode_cbor(cbor + "\xff"));
  std::string deep;  // few parameters, many names
  for (int i = 0; i < 4000; ++i) {
    deep += "n" + std::to_string(i);
    for (int j = 0; j < 30; ++j) deep += ".a";
    deep += "=&";
  }
  EXPECT_FALSE(decode_form(deep));
}

TEST(Decoders, RefuseWhatIsNotUtf8) {
  EXPECT_FALSE(decode_form("a=%ff"));
  EXPECT_FALSE(decode_form("%c0%80=a"));
  EXPECT_FALSE(decode_json("{\"a\":\"\xff\"}"));
  EXPECT_FALSE(decode_cbor("\xa1\x61\x61\x61\xff"));
}

TEST(Form, RefusesBrokenEscapesAndIndexes) {
  for (const char* body : {"a=%", "a=%4", "a=%zz", "a.member.0=x", "a.member.5=x", "a.member.x=y", "=x", "a=1&a.b=2", "a.member.1=x&a.b=2",
                           "a.member.1=x&a.member.01=y"}) {
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
