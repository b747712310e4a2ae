#include "base/markup.h"

#include <gtest/gtest.h>

namespace stator::base {
namespace {

TEST(Markup, EscapesWhatMarkupUses) {
  EXPECT_EQ(escape_markup("<a b=\"'&\">"), "&lt;a b=&quot;&#39;&amp;&quot;&gt;");
}

TEST(Markup, LeavesOutWhatXmlCannotCarry) {
  EXPECT_EQ(escape_markup(std::string_view("a\0\x01\x1f" "b\tc\n\xc3\xbc", 10)), "ab\tc\n\xc3\xbc");
  EXPECT_EQ(escape_markup("a\xef\xbf\xbe" "b\xef\xbf\xbf\xef\xbf\xbd"), "ab\xef\xbf\xbd");
  EXPECT_EQ(escape_markup("a\r\n"), "a&#13;\n");
}

}  // namespace
}  // namespace stator::base
