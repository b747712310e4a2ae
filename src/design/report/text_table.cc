#include "design/report/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace stator::design {

namespace {

void append_padded(std::string& line, const std::string& cell, std::size_t width, Align align) {
  const std::size_t missing = width - std::min(width, display_width(cell));
  if (align == Align::right) line.append(missing, ' ');
  line += cell;
  if (align == Align::left) line.append(missing, ' ');
}

void end_line(std::string& out, std::string line) {
  while (!line.empty() && line.back() == ' ') line.pop_back();
  out += line;
  out += '\n';
}

}  // namespace

void TextTable::add(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  rows_.push_back(std::move(cells));
}

std::string TextTable::text(std::string_view indent) const {
  std::vector<std::size_t> widths;
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    std::size_t width = display_width(columns_[column].title);
    for (const auto& row : rows_)
      if (!row.empty()) width = std::max(width, display_width(row[column]));
    widths.push_back(width);
  }
  std::string out;
  const auto add_line = [&](const auto& cell_of) {
    std::string line(indent);
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      if (column > 0) line += "  ";
      append_padded(line, cell_of(column), widths[column], columns_[column].align);
    }
    end_line(out, std::move(line));
  };
  add_line([&](std::size_t column) { return columns_[column].title; });
  for (const auto& row : rows_) {
    if (row.empty()) {
      add_line([&](std::size_t column) { return std::string(widths[column], '-'); });
    } else {
      add_line([&](std::size_t column) { return row[column]; });
    }
  }
  return out;
}

std::string TextTable::markdown() const {
  std::string out = "|";
  for (const Column& column : columns_) out += fmt::format(" {} |", column.title);
  out += "\n|";
  for (const Column& column : columns_) out += column.align == Align::right ? "---:|" : "---|";
  out += '\n';
  for (const auto& row : rows_) {
    if (row.empty()) continue;
    out += '|';
    for (const std::string& cell : row) {
      std::string safe;
      for (const char c : cell) safe += c == '|' ? std::string("\\|") : std::string(1, c);
      out += fmt::format(" {} |", safe);
    }
    out += '\n';
  }
  return out;
}

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string figure(double value, int decimals, bool exact) {
  std::string digits = fmt::format("{:.{}f}", std::abs(value), decimals);
  std::string fraction;
  if (const std::size_t point = digits.find('.'); point != std::string::npos) {
    fraction = digits.substr(point);
    digits.resize(point);
    if (!exact) {
      while (fraction.back() == '0') fraction.pop_back();
      if (fraction == ".") fraction.clear();
    }
  }
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  const bool zero = (digits + fraction).find_first_not_of("0.,") == std::string::npos;
  return (value < 0 && !zero ? "-" : "") + digits + fraction;
}

std::string rounded(double value) {
  const double magnitude = std::abs(value);
  if (magnitude == 0) return "0";
  if (magnitude >= 100) return figure(value, 0);
  const int before = static_cast<int>(std::floor(std::log10(magnitude))) + 1;  // digits before the point
  return figure(value, std::min(3 - before, 6));
}

std::string percent(double share) {
  const double value = share * 100;
  if (value > 0 && value < 0.1) return "< 0.1 %";
  return figure(value, value < 10 ? 1 : value < 100 ? 1 : 0) + " %";
}

std::string bytes_text(double bytes) {
  if (bytes < 1024) return figure(bytes) + " B";
  constexpr std::string_view kUnits[] = {"KB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  double value = bytes / 1024;
  while (value >= 1024 && unit + 1 < std::size(kUnits)) {
    value /= 1024;
    ++unit;
  }
  return fmt::format("{} {}", rounded(value), kUnits[unit]);
}

std::string money(double amount) { return figure(amount, 2, true); }

}  // namespace stator::design
