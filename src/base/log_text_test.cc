#include "base/log_text.h"

#include <gtest/gtest.h>

namespace stator::base {
namespace {

TEST(LogText, StaysOnOneLineOfPrintableCharacters) {
  EXPECT_EQ(log_text("http://a/b?c=d e"), "http://a/b?c=d e");
  EXPECT_EQ(log_text("x\r\nstator: forged\t\\"), "x\\r\\nstator: forged\\t\\\\");
  EXPECT_EQ(log_text(std::string_view("\0\x1b[31m\x7f\xc2\x9b", 9)), "\\x00\\x1b[31m\\x7f\\xc2\\x9b");
}

TEST(LogText, IsCutWhereItIsLong) {
  EXPECT_EQ(log_text(std::string(1001, 'a')), std::string(1000, 'a') + "... (1001 bytes)");
}

}  // namespace
}  // namespace stator::base
