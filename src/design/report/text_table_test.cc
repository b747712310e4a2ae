#include "design/report/text_table.h"

#include <gtest/gtest.h>

namespace stator::design {
namespace {

TEST(TextTable, AlignsColumnsAndLeavesNoBlanksAtLineEnds) {
  TextTable table({{"name"}, {"units", Align::right}, {"note"}});
  table.add({"short", "1"});
  table.add_rule();
  table.add({"rather long", "1,000", "größer"});
  EXPECT_EQ(table.text("  "),
            "  name         units  note\n"
            "  short            1\n"
            "  -----------  -----  ------\n"
            "  rather long  1,000  größer\n");
}

TEST(TextTable, WritesMarkdownWithBarsEscaped) {
  TextTable table({{"a"}, {"b", Align::right}});
  table.add({"x|y", "2"});
  EXPECT_EQ(table.markdown(), "| a | b |\n|---|---:|\n| x\\|y | 2 |\n");
}

TEST(Figures, AreGroupedAndRounded) {
  EXPECT_EQ(figure(1234567.25, 2), "1,234,567.25");
  EXPECT_EQ(figure(1500), "1,500");
  EXPECT_EQ(figure(0.5, 1), "0.5");
  EXPECT_EQ(figure(2.0, 2), "2");
  EXPECT_EQ(figure(2.0, 2, true), "2.00");
  EXPECT_EQ(figure(-0.001, 1), "0");
  EXPECT_EQ(figure(-1234), "-1,234");
  EXPECT_EQ(rounded(0.01234), "0.0123");
  EXPECT_EQ(rounded(12.34), "12.3");
  EXPECT_EQ(rounded(999), "999");
  EXPECT_EQ(rounded(0), "0");
  EXPECT_EQ(percent(0.1444), "14.4 %");
  EXPECT_EQ(percent(0.00001), "< 0.1 %");
  EXPECT_EQ(bytes_text(812), "812 B");
  EXPECT_EQ(bytes_text(2560), "2.5 KB");
  EXPECT_EQ(bytes_text(400.0 * 1024), "400 KB");
  EXPECT_EQ(money(1234.5), "1,234.50");
}

}  // namespace
}  // namespace stator::design
