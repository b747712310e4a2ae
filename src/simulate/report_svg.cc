#include <fmt/format.h>

#include <algorithm>

#include "base/markup.h"
#include "design/report/text_table.h"
#include "simulate/report.h"

namespace stator::simulate {
namespace {

using capacity::Direction;
using capacity::HalfUnits;
using base::escape_markup;
using design::figure;

constexpr int kWidth = 920;
constexpr int kLeft = 76;
constexpr int kPlotWidth = 820;
constexpr int kPlotHeight = 130;
constexpr int kPanel = 210;
constexpr int kTop = 76;
constexpr std::size_t kColumns = 410;  // of a plot; each stands for as many seconds as needed

constexpr std::string_view kStyle = R"(  <style>
    text { font: 13px system-ui, sans-serif; fill: #1f2733; }
    .title { font-size: 18px; font-weight: 600; }
    .name { font-weight: 600; }
    .note { font-size: 11px; fill: #5b6675; }
    .axis { stroke: #b6c0cc; stroke-width: 1; fill: none; }
    .consumed { fill: #6fae92; }
    .refused { fill: #d6453d; }
    .peak { stroke: #24505f; stroke-width: 1; fill: none; }
    .limit { stroke: #6c4fb3; stroke-width: 1.5; stroke-dasharray: 6 4; }
    .bar { fill: #d6453d; }
    .none { fill: #3f8f6b; }
  </style>
  <rect width="100%" height="100%" fill="#ffffff"/>
)";

// One column: averages over its seconds, and the highest second, in units per second.
struct Column {
  double demand = 0;
  double consumed = 0;
  double peak = 0;
};

std::vector<Column> columns_of(const Series& series) {
  const std::size_t width = std::max<std::size_t>(1, (series.demand.size() + kColumns - 1) / kColumns);
  std::vector<Column> columns;
  for (std::size_t start = 0; start < series.demand.size(); start += width) {
    const std::size_t end = std::min(start + width, series.demand.size());
    Column column;
    for (std::size_t i = start; i < end; ++i) {
      column.demand += static_cast<double>(series.demand[i]) / 2;
      column.consumed += static_cast<double>(series.consumed[i]) / 2;
      column.peak = std::max(column.peak, static_cast<double>(series.demand[i]) / 2);
    }
    column.demand /= static_cast<double>(end - start);
    column.consumed /= static_cast<double>(end - start);
    columns.push_back(column);
  }
  return columns;
}

// A round figure at or above the value: 1, 2 or 5 times a power of ten.
double round_up(double value) {
  double step = 1;
  for (;;) {
    for (const double factor : {1.0, 2.0, 5.0})
      if (factor * step >= value) return factor * step;
    step *= 10;
  }
}

class Plot {
 public:
  Plot(std::vector<Column> columns, double limit, int top) : columns_(std::move(columns)), limit_(limit), top_(top) {
    for (const Column& column : columns_) most_ = std::max(most_, column.peak);
    // A limit far above the traffic would flatten it; then it is only named.
    shows_limit_ = limit > 0 && limit <= 3 * most_;
    most_ = round_up(std::max({most_, shows_limit_ ? limit : 0.0, 1.0}));
  }

  [[nodiscard]] std::string text(double seconds) const {
    std::string out = area([](const Column& c) { return c.demand; }, "refused");
    out += area([](const Column& c) { return c.consumed; }, "consumed");
    out += "  <polyline class=\"peak\" points=\"";
    for (std::size_t i = 0; i < columns_.size(); ++i) out += fmt::format("{:.1f},{:.1f} ", x(i), y(columns_[i].peak));
    out += "\"/>\n";
    if (shows_limit_)
      out += fmt::format("  <line class=\"limit\" x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>\n", kLeft,
                         kLeft + kPlotWidth, y(limit_));
    out += fmt::format("  <path class=\"axis\" d=\"M{0} {1} V{2} H{3}\"/>\n", kLeft, top_, top_ + kPlotHeight,
                       kLeft + kPlotWidth);
    for (const double level : {0.0, most_ / 2, most_})
      out += fmt::format("  <text class=\"note\" x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", kLeft - 6,
                         y(level) + 4, figure(level, level < 10 ? 1 : 0));
    for (int i = 0; i <= 4; ++i)
      out += fmt::format("  <text class=\"note\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                         kLeft + kPlotWidth * i / 4, top_ + kPlotHeight + 16, time_text(seconds * i / 4, seconds));
    return out;
  }

 private:
  [[nodiscard]] double x(std::size_t column) const {
    return kLeft + (static_cast<double>(column) + 0.5) * kPlotWidth / static_cast<double>(columns_.size());
  }
  [[nodiscard]] double y(double value) const { return top_ + kPlotHeight * (1 - std::min(value / most_, 1.0)); }

  template <class Value>
  [[nodiscard]] std::string area(Value value, std::string_view style) const {
    std::string out = fmt::format("  <path class=\"{}\" d=\"M{:.1f} {}", style, x(0), top_ + kPlotHeight);
    for (std::size_t i = 0; i < columns_.size(); ++i)
      out += fmt::format(" L{:.1f} {:.1f}", x(i), y(value(columns_[i])));
    return out + fmt::format(" L{:.1f} {} Z\"/>\n", x(columns_.size() - 1), top_ + kPlotHeight);
  }

  static std::string time_text(double seconds, double all) {
    const auto whole = static_cast<std::int64_t>(seconds);
    if (all < 7200) return fmt::format("{}:{:02}", whole / 60, whole % 60);
    return fmt::format("{}:{:02} h", whole / 3600, whole / 60 % 60);
  }

  std::vector<Column> columns_;
  double limit_;
  int top_;
  double most_ = 0;
  bool shows_limit_ = false;
};

std::string panel(const TargetOutcome& target, Direction direction, double seconds, int top) {
  const bool read = direction == Direction::read;
  const bool provisioned = target.end.billing == capacity::BillingMode::provisioned;
  const double limit = static_cast<double>((provisioned ? target.end.provisioned : target.end.warm).of(direction));
  std::uint64_t throttled = target.end.side(direction).throttles();
  std::string out = fmt::format(
      "  <text class=\"name\" x=\"{}\" y=\"{}\">{} {}</text>\n  <text class=\"note\" x=\"{}\" y=\"{}\" "
      "text-anchor=\"end\">{} per second; {} {}; {} requests throttled</text>\n",
      24, top - 14, escape_markup(target.target.name()), direction_text(direction), kLeft + kPlotWidth, top - 14,
      read ? "RCU" : "WCU", provisioned ? "provisioned" : "on-demand, warm", figure(limit),
      figure(static_cast<double>(throttled)));
  return out + Plot(columns_of(target.of(direction)), limit, top).text(seconds);
}

std::string shard_panel(const Report& report, int top) {
  std::string out = fmt::format(
      "  <text class=\"name\" x=\"24\" y=\"{}\">Throttled requests by number of write shards</text>\n", top - 14);
  double most = 1;
  for (const ShardResult& each : report.shards) most = std::max(most, static_cast<double>(each.throttled));
  int y = top;
  for (const ShardResult& each : report.shards) {
    const double width = 520 * static_cast<double>(each.throttled) / most;
    out += fmt::format("  <text x=\"24\" y=\"{}\">{} {}</text>\n", y + 13, each.shards,
                       each.shards == 1 ? "shard" : "shards");
    out += fmt::format("  <rect class=\"{}\" x=\"110\" y=\"{}\" width=\"{:.1f}\" height=\"16\" rx=\"2\"/>\n",
                       each.throttled > 0 ? "bar" : "none", y, std::max(width, 2.0));
    out += fmt::format("  <text class=\"note\" x=\"{:.1f}\" y=\"{}\">{}</text>\n", 120 + width, y + 13,
                       figure(static_cast<double>(each.throttled)));
    y += 24;
  }
  return out;
}

}  // namespace

std::string report_svg(const Report& report) {
  const Outcome& outcome = report.outcome;
  std::string panels;
  int top = kTop + 44;
  for (const TargetOutcome& target : outcome.targets)
    for (const Direction direction : {Direction::write, Direction::read}) {
      const std::vector<HalfUnits>& demand = target.of(direction).demand;
      if (std::all_of(demand.begin(), demand.end(), [](HalfUnits each) { return each == 0; })) continue;
      panels += panel(target, direction, outcome.seconds(), top);
      top += kPanel;
    }
  if (!report.shards.empty()) {
    panels += shard_panel(report, top);
    top += static_cast<int>(report.shards.size()) * 24 + 30;
  }
  const int height = top - 20;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\">\n"
      "  <title>{2}: simulated capacity</title>\n",
      kWidth, height, escape_markup(report.title));
  out += kStyle;
  out += fmt::format("  <text class=\"title\" x=\"24\" y=\"36\">{}</text>\n", escape_markup(report.title));
  out += fmt::format(
      "  <text class=\"note\" x=\"24\" y=\"58\">{} requests, {} throttled. Green: let in; red: refused; line: the "
      "highest second; dashed: the limit.</text>\n",
      figure(static_cast<double>(outcome.requests)), figure(static_cast<double>(outcome.throttled)));
  return out + panels + "</svg>\n";
}

}  // namespace stator::simulate
