#include "service/model.h"

#include <gtest/gtest.h>

#include "service/codecs.h"
#include "service/error.h"

namespace stator::service {
namespace {

using enum Shape::Kind;

constexpr Shape kShapes[] = {
    {"Do", structure, 0, 0, "Name!:Name Count:Count Colour:Colour Rows:Rows Tags:Tags When:When Ratio:Ratio Names:Names Yes:Yes"},
    {"Name", string, 1, 4, "", Pattern::no_control},
    {"Names", list, 0, 3, "Name"},
    {"Count", integer, 1, 100},
    {"Colour", string, 0, 0, "red green"},
    {"Rows", list, 0, 2, "Row"},
    {"Row", structure, 0, 0, "Key!:Name"},
    {"Tags", map, 0, 2, "Name Colour"},
    {"When", time, 0, 1'000'000},
    {"Ratio", real, -1, 1},
    {"Yes", boolean},
};

const Model& model() {
  static const Model model(kShapes,
                           {.missing = [](std::string_view member, std::string_view path) {
                              return refuse("Missing", std::string(member) + " " + std::string(path));
                            },
                            .violation = [](std::string message) { return refuse("Violation", std::move(message)); }});
  return model;
}

// What the model makes of a request, or its complaint.
std::string checked(std::string_view json) {
  const Result<Value> value = model().check("Do", decode_json(json).value());
  return value ? encode_json(*value) : value.error().message;
}

TEST(Model, LetsKnownMembersPassInTheirTypes) {
  EXPECT_EQ(checked(R"({"Yes":"true","Name":"a","Unknown":{"deep":[[[]]]},"Count":"7","Ratio":"0.5","When":"1970-01-02","Rows":"",)"
                    R"("Names":["b"],"Tags":{"x":"red"},"Colour":null})"),
            R"({"Name":"a","Count":7,"Rows":[],"Tags":{"x":"red"},"When":86400.0,"Ratio":0.5,"Names":["b"],"Yes":true})");
  EXPECT_EQ(checked(R"({"Name":"a","Name":"b"})"), R"({"Name":"b"})");
}

TEST(Model, TellsWrongTypesFirst) {
  EXPECT_EQ(checked(R"({"Count":"many"})"), "Count is not a whole number");
  EXPECT_EQ(checked(R"({"Rows":[{"Key":"a"},{"Key":1}]})"), "Rows.member.2.Key is not a string");
  EXPECT_EQ(checked(R"({"Rows":{}})"), "Rows is not a list");
  EXPECT_EQ(checked(R"({"Tags":[]})"), "Tags is not a map");
  EXPECT_EQ(checked(R"({"Ratio":"inf"})"), "Ratio is not a number");
  EXPECT_EQ(checked(R"({"Yes":1})"), "Yes is not a boolean");
  EXPECT_EQ(checked(R"({"Names":[null]})"), "Names.member.1 is not a string");
}

TEST(Model, TellsWhatIsMissing) {
  EXPECT_EQ(checked("{}"), "Name name");
  EXPECT_EQ(checked(R"({"Name":"a","Rows":[{"Key":"a"},{}]})"), "Rows.member.2.Key rows.2.member.key");
}

TEST(Model, TellsAllLimitsThatAreBroken) {
  const std::string limit = " failed to satisfy constraint: Member must ";
  EXPECT_EQ(checked(R"({"Name":"","Count":0})"),
            "2 validation errors detected: Value '' at 'name'" + limit + "have length greater than or equal to 1; Value '0' at 'count'" +
                limit + "have value greater than or equal to 1");
  EXPECT_EQ(checked(R"({"Name":"\u00fc\u00fc\u00fc\u00fc","Count":101})"),
            "1 validation error detected: Value '101' at 'count'" + limit + "have value less than or equal to 100");
  EXPECT_EQ(checked(R"({"Name":"a","Colour":"blue"})"),
            "1 validation error detected: Value 'blue' at 'colour'" + limit + "satisfy enum value set: [red, green]");
  EXPECT_EQ(checked(R"({"Name":"a\n"})"),
            "1 validation error detected: Value 'a\n' at 'name'" + limit +
                R"(satisfy regular expression pattern: [^\u0000-\u001f\u007f-\u009f]*)");
  EXPECT_EQ(checked(R"({"Name":"a","Rows":[{"Key":"a"},{"Key":"b"},{"Key":"c"}]})"),
            "1 validation error detected: Value '[{}, {}, {}]' at 'rows'" + limit + "have length less than or equal to 2");
  EXPECT_EQ(checked(R"({"Name":"a","Rows":[{"Key":"abcde"}]})"),
            "1 validation error detected: Value 'abcde' at 'rows.1.member.key'" + limit + "have length less than or equal to 4");
  EXPECT_EQ(checked(R"({"Name":"a","Names":["b","abcde"]})"),
            "1 validation error detected: Value '[b, abcde]' at 'names'" + limit +
                "satisfy constraint: [Member must have length less than or equal to 4, Member must have length greater than or equal "
                R"(to 1, Member must satisfy regular expression pattern: [^\u0000-\u001f\u007f-\u009f]*])");
  EXPECT_NE(checked(R"({"Name":"a","Tags":{"":"red"}})").find("Map keys must satisfy constraint: ["), std::string::npos);
  EXPECT_NE(checked(R"({"Name":"a","Tags":{"x":"blue"}})").find("at 'tags.member'"), std::string::npos);
  EXPECT_NE(checked(R"({"Name":"a","When":1000001})").find("at 'when'"), std::string::npos);
  EXPECT_NE(checked(R"({"Name":"a","Ratio":1.5})").find("at 'ratio'"), std::string::npos);
}

TEST(Model, CutsWhatItShows) {
  const std::string message = checked(R"({"Name":")" + std::string(1'000'000, 'x') + "\"}");
  EXPECT_LT(message.size(), 2000U);
  EXPECT_NE(message.find("xxx...' at 'name'"), std::string::npos);
}

}  // namespace
}  // namespace stator::service
