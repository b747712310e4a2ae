#pragma once

#include <string>
#include <string_view>
#include <vector>

// Tables and figures for a terminal and for Markdown: aligned, the same on every machine.
namespace stator::design {

enum class Align : unsigned char { left, right };

class TextTable {
 public:
  struct Column {
    std::string title;
    Align align = Align::left;
  };
  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // As many cells as there are columns; fewer are filled up with empty ones.
  void add(std::vector<std::string> cells);
  // A line of dashes, before a sum.
  void add_rule() { rows_.emplace_back(); }

  // Two blanks between columns, `indent` in front of each line, no blanks at the ends of lines.
  [[nodiscard]] std::string text(std::string_view indent = "") const;
  [[nodiscard]] std::string markdown() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;  // an empty one is a rule
};

// Columns that a terminal uses for UTF-8 text: one for each code point.
[[nodiscard]] std::size_t display_width(std::string_view text);

// 1234567.25 with 2 decimals: "1,234,567.25"; zeros behind the point are left out unless `exact`.
[[nodiscard]] std::string figure(double value, int decimals = 0, bool exact = false);
// Three significant digits or all before the point: 0.0123, 1.5, 12.3, 1,234.
[[nodiscard]] std::string rounded(double value);
[[nodiscard]] std::string percent(double share);     // 0.143: "14.3 %"
[[nodiscard]] std::string bytes_text(double bytes);  // "812 B", "2.5 KB", "14.2 GB" (1 KB = 1,024 B)
[[nodiscard]] std::string money(double amount);      // "1,234.50"


}  // namespace stator::design
