// Runs every *.test file of this folder on a database in memory. See README.md.

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <sstream>

#include "engine/test_support.h"
#include "json_layout.h"
#include "script.h"

namespace stator::scripts {
namespace {

bool rewrite = false;  // set by main: write what is answered into the scripts

std::string read_file(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::vector<std::filesystem::path> script_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(STATOR_SCRIPTS)) {
    if (entry.path().extension() == ".test") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

class Scripts : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(Scripts, AreAnsweredAsTheySay) {
  Result<Script> script = parse_script(read_file(GetParam()));
  ASSERT_TRUE(script.has_value()) << GetParam() << " " << script.error().message;
  EXPECT_FALSE(script->cases.empty());
  engine::testing::Database database;
  api::testing::Client client(database.engine);
  for (Case& test : script->cases) {
    const api::testing::Answer answer = client.call(test.operation, test.request);
    if (fits_expected(answer, test.expected)) continue;
    if (rewrite) {
      test.expected = show_answer(answer);
    } else {
      EXPECT_EQ(show_answer(answer), normalize_expected(test.expected))
          << GetParam().filename().string() << ":" << test.line << " " << test.operation;
    }
  }
  if (rewrite) std::ofstream(GetParam(), std::ios::binary) << format_script(*script);
}

INSTANTIATE_TEST_SUITE_P(Files, Scripts, ::testing::ValuesIn(script_files()),
                         [](const auto& file) { return file.param.stem().string(); });

TEST(Script, IsFormattedAsItWasRead) {
  const std::string text =
      "# About this.\n\nPutItem\n{\"a\":\n1}\n----\n{}\n\n# Next.\nGetItem\n{}\n----\nError: "
      "x\n{\"Item\":{}}\n\n";
  const Result<Script> script = parse_script(text);
  ASSERT_TRUE(script.has_value()) << script.error().message;
  ASSERT_EQ(script->cases.size(), 2u);
  EXPECT_EQ(script->cases[0].request, "{\"a\":\n1}\n");
  EXPECT_EQ(script->cases[1].line, 9 + 1);
  EXPECT_EQ(script->cases[1].expected, "Error: x\n{\"Item\":{}}\n");
  EXPECT_EQ(format_script(*script), text);
  EXPECT_FALSE(parse_script("PutItem\n{}\n").has_value());
}

TEST(Script, ShowsAnErrorByNameAndText) {
  EXPECT_EQ(show_answer({400, R"({"__type":"a#NoException","message":"te\"xt","Item":{"a":1}})"}),
            "NoException: te\\\"xt\n{\"Item\":{\"a\":1}}\n");
  EXPECT_EQ(show_answer({400, R"({"__type":"a#NoException"})"}), "NoException\n");
}

TEST(Script, ExpectsAnAnswerInAnyLayoutOrAnySuccess) {
  const api::testing::Answer answer = {200, R"({"a":[1,2]})"};
  EXPECT_TRUE(fits_expected(answer, "{ \"a\":\n [1, 2] }\n"));
  EXPECT_FALSE(fits_expected(answer, "{\"a\": [2, 1]}\n"));
  EXPECT_FALSE(fits_expected(answer, ""));
  EXPECT_TRUE(fits_expected(answer, "ok\n"));
  EXPECT_FALSE(fits_expected({400, R"({"__type":"a#NoException"})"}, "ok\n"));
}

TEST(JsonLayout, BreaksWhatDoesNotFitIntoALine) {
  EXPECT_EQ(lay_out_json(R"({"a":[1,2]})"), R"({"a":[1,2]})");
  const std::string text(90, 'x');
  EXPECT_EQ(lay_out_json(R"({"a":{},"b":[")" + text + R"(","{,"],"c":1.0})"),
            "{\n  \"a\":{},\n  \"b\":[\n    \"" + text + "\",\n    \"{,\"\n  ],\n  \"c\":1.0\n}");
  EXPECT_EQ(compact_json("{ \"a b\" :\n[ 1 , \"\\\" \" ] }"), R"({"a b":[1,"\" "]})");
}

}  // namespace
}  // namespace stator::scripts

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--rewrite") == 0) {
      stator::scripts::rewrite = true;
    } else {
      std::fprintf(stderr, "usage: script_tests [--rewrite] [gtest flags]\n");
      return 2;
    }
  }
  return RUN_ALL_TESTS();
}
