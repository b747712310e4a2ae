#include <fmt/format.h>

#include <algorithm>

#include "base/markup.h"
#include "design/heat/heat.h"
#include "design/report/text_table.h"

namespace stator::design {

namespace {

using base::escape_markup;

constexpr int kTop = 92;
constexpr int kRow = 46;
constexpr int kLabelLeft = 24;
constexpr int kBarLeftMin = 330;
constexpr int kBarLeftMax = 620;  // labels that would go further are cut
constexpr int kBarWidth = 240;    // of each of the two bars, up to the ceiling
constexpr int kGap = 40;
constexpr int kRightMargin = 70;
// Generous widths of a character: nothing measures text here, and fonts differ.
constexpr double kKeyCharacter = 8.0;
constexpr double kLoadCharacter = 6.4;

std::string_view colour(double share, double warm) {
  if (share > 1) return "#d6453d";
  return share >= warm ? "#e9a23b" : "#3f8f6b";
}

std::string entities_label(const KeyHeat& key) {
  std::string out = key.index == nullptr ? "table" : key.index->name;
  for (std::size_t i = 0; i < key.entities.size(); ++i)
    out += (i == 0 ? ": " : ", ") + key.entities[i];
  return out;
}

// Where the bars begin: right of the longest label.
int bar_left(const HeatReport& report) {
  double widest = 0;
  for (const KeyHeat& key : report.keys) {
    widest = std::max({widest, kKeyCharacter * static_cast<double>(key.key.size()),
                       kLoadCharacter * static_cast<double>(entities_label(key).size())});
  }
  return std::clamp(kLabelLeft + static_cast<int>(widest) + kLabelLeft, kBarLeftMin, kBarLeftMax);
}

std::string cut_to(const std::string& text, double character, int width) {
  const auto room = static_cast<std::size_t>(width / character);
  return escape_markup(text.size() <= room ? text : text.substr(0, room - 1)) +
         (text.size() <= room ? "" : "\u2026");
}

// One bar with its ceiling; what goes past the ceiling is cut and marked.
std::string bar(int x, int y, double load, double ceiling, double warm, std::string_view unit) {
  const double share = ceiling > 0 ? load / ceiling : 0;
  const double width = std::max(load > 0 ? 1.5 : 0.0, std::min(share, 1.0) * kBarWidth);
  std::string out =
      fmt::format(R"(  <rect class="track" x="{}" y="{}" width="{}" height="16" rx="3"/>)", x, y,
                  kBarWidth) +
      "\n";
  if (load > 0) {
    out += fmt::format(R"(  <rect x="{}" y="{}" width="{:.1f}" height="16" rx="3" fill="{}"/>)", x,
                       y, width, colour(share, warm)) +
           "\n";
  }
  if (share > 1) {
    out += fmt::format(R"(  <path d="M{} {} l10 8 l-10 8 z" fill="{}"/>)", x + kBarWidth + 2, y,
                       colour(share, warm)) +
           "\n";
  }
  out += fmt::format(R"(  <text class="load" x="{}" y="{}">{} {}/s, {}</text>)", x, y + 30,
                     rounded(load), unit, escape_markup(percent(share))) +
         "\n";
  return out;
}

}  // namespace

std::string heat_svg(const Model& model, const HeatReport& report, const HeatOptions& options) {
  const int height = kTop + static_cast<int>(report.keys.size()) * kRow + 40;
  const int writes = bar_left(report);
  const int reads = writes + kBarWidth + kGap;
  const int label_width = writes - 2 * kLabelLeft;
  std::string out = fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" role="img">)",
      reads + kBarWidth + kRightMargin, height);
  out += fmt::format("\n  <title>{}: load on the busiest partition keys</title>\n",
                     escape_markup(model.name));
  out += R"(  <style>
    text { font: 13px system-ui, sans-serif; fill: #1f2733; }
    .title { font-size: 18px; font-weight: 600; }
    .head { font-size: 12px; fill: #5b6675; }
    .key { font-family: ui-monospace, monospace; }
    .load { font-size: 11px; fill: #5b6675; }
    .track { fill: #e8ecf1; }
  </style>
  <rect width="100%" height="100%" fill="#ffffff"/>
)";
  out += fmt::format(
             R"(  <text class="title" x="24" y="36">{}: busiest partition keys at peak</text>)",
             escape_markup(model.name)) +
         "\n";
  out += fmt::format(R"(  <text class="head" x="24" y="72">partition key</text>)") + "\n";
  out += fmt::format(R"(  <text class="head" x="{}" y="72">writes, ceiling {} WCU/s</text>)",
                     writes, figure(options.write_ceiling)) +
         "\n";
  out += fmt::format(R"(  <text class="head" x="{}" y="72">reads, ceiling {} RCU/s</text>)", reads,
                     figure(options.read_ceiling)) +
         "\n";
  int y = kTop;
  for (const KeyHeat& key : report.keys) {
    out += fmt::format(R"(  <text class="key" x="{}" y="{}">{}</text>)", kLabelLeft, y + 13,
                       cut_to(key.key, kKeyCharacter, label_width)) +
           "\n";
    out += fmt::format(R"(  <text class="load" x="{}" y="{}">{}</text>)", kLabelLeft, y + 30,
                       cut_to(entities_label(key), kLoadCharacter, label_width)) +
           "\n";
    out += bar(writes, y, key.write_peak, options.write_ceiling, options.warm, "WCU");
    out += bar(reads, y, key.read_peak, options.read_ceiling, options.warm, "RCU");
    y += kRow;
  }
  out +=
      fmt::format(
          R"(  <text class="head" x="24" y="{}">green: below {}   amber: up to the ceiling   red: throttled at peak</text>)",
          y + 20, percent(options.warm)) +
      "\n";
  return out + "</svg>\n";
}

}  // namespace stator::design
