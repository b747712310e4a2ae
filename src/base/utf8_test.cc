#include "base/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace stator::base {
namespace {

TEST(IsUtf8, TakesWellFormedTextAndNothingElse) {
  const struct {
    std::string name;
    std::string text;
    bool valid;
  } cases[] = {
      {"empty", "", true},
      {"ASCII", "plain text of more than eight bytes", true},
      {"NUL", std::string("\0", 1), true},
      {"two bytes", "\xc2\x80\xdf\xbf", true},
      {"three bytes", "\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf", true},
      {"four bytes", "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", true},
      {"lone continuation", "\x80", false},
      {"overlong slash", "\xc0\xaf", false},
      {"overlong in three", "\xe0\x9f\xbf", false},
      {"overlong in four", "\xf0\x8f\xbf\xbf", false},
      {"surrogate", "\xed\xa0\x80", false},
      {"beyond the last", "\xf4\x90\x80\x80", false},
      {"no first byte", "\xf5\x80\x80\x80", false},
      {"cut short", "\xe2\x82", false},
      {"wrong second", "\xe2\x28\xa1", false},
      {"wrong third", "\xe2\x82\x28", false},
      {"wrong fourth", "\xf0\x90\x80\x28", false},
  };
  for (const auto& [name, text, valid] : cases) {
    EXPECT_EQ(is_utf8(text), valid) << name;
    EXPECT_EQ(is_utf8("12345678" + text + "12345678"), valid) << name << ", in the middle";
  }
}

}  // namespace
}  // namespace stator::base
