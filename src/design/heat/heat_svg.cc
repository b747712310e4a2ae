#include <fmt/format.h>

#include <algorithm>

#include "base/markup.h"
#include "design/heat/heat.h"
#include "design/report/text_table.h"

namespace stator::design {

namespace {

using base::escape_markup;

constexpr int kWidth = 920;
constexpr int kTop = 92;
constexpr int kRow = 46;
constexpr int kBarLeft = 330;
constexpr int kBarWidth = 240;  // of each of the two bars, up to the ceiling
constexpr int kGap = 40;

std::string_view colour(double share, double warm) {
  if (share > 1) return "#d6453d";
  return share >= warm ? "#e9a23b" : "#3f8f6b";
}

// One bar with its ceiling; what goes past the ceiling is cut and marked.
std::string bar(int x, int y, double load, double ceiling, double warm, std::string_view unit) {
  const double share = ceiling > 0 ? load / ceiling : 0;
  const double width = std::max(load > 0 ? 1.5 : 0.0, std::min(share, 1.0) * kBarWidth);
  std::string out =
      fmt::format(R"(  <rect class="track" x="{}" y="{}" width="{}" height="16" rx="3"/>)", x, y, kBarWidth) + "\n";
  if (load > 0) {
    out += fmt::format(R"(  <rect x="{}" y="{}" width="{:.1f}" height="16" rx="3" fill="{}"/>)", x, y, width,
                       colour(share, warm)) +
           "\n";
  }
  if (share > 1) {
    out += fmt::format(R"(  <path d="M{} {} l10 8 l-10 8 z" fill="{}"/>)", x + kBarWidth + 2, y, colour(share, warm)) +
           "\n";
  }
  out += fmt::format(R"(  <text class="load" x="{}" y="{}">{} {}/s, {}</text>)", x, y + 30, rounded(load), unit,
                     escape_markup(percent(share))) +
         "\n";
  return out;
}

}  // namespace

std::string heat_svg(const Model& model, const HeatReport& report, const HeatOptions& options) {
  const int height = kTop + static_cast<int>(report.keys.size()) * kRow + 40;
  const int reads = kBarLeft + kBarWidth + kGap;
  std::string out = fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" role="img">)", kWidth,
      height);
  out += fmt::format("\n  <title>{}: load on the busiest partition keys</title>\n", escape_markup(model.name));
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
  out += fmt::format(R"(  <text class="title" x="24" y="36">{}: busiest partition keys at peak</text>)",
                     escape_markup(model.name)) +
         "\n";
  out += fmt::format(R"(  <text class="head" x="24" y="72">partition key</text>)") + "\n";
  out += fmt::format(R"(  <text class="head" x="{}" y="72">writes, ceiling {} WCU/s</text>)", kBarLeft,
                     figure(options.write_ceiling)) +
         "\n";
  out += fmt::format(R"(  <text class="head" x="{}" y="72">reads, ceiling {} RCU/s</text>)", reads,
                     figure(options.read_ceiling)) +
         "\n";
  int y = kTop;
  for (const KeyHeat& key : report.keys) {
    std::string entities;
    for (const std::string& entity : key.entities) entities += (entities.empty() ? "" : ", ") + entity;
    out += fmt::format(R"(  <text class="key" x="24" y="{}">{}</text>)", y + 13, escape_markup(key.key)) + "\n";
    out += fmt::format(R"(  <text class="load" x="24" y="{}">{}: {}</text>)", y + 30,
                       escape_markup(key.index == nullptr ? "table" : key.index->name), escape_markup(entities)) +
           "\n";
    out += bar(kBarLeft, y, key.write_peak, options.write_ceiling, options.warm, "WCU");
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
