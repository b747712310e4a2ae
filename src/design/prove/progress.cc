#include "design/prove/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "design/report/text_table.h"

namespace stator::design {

ProgressBar::ProgressBar(std::string what, bool quiet)
    : what_(std::move(what)), quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0) {}

void ProgressBar::show(std::uint64_t done, std::uint64_t total) {
  if (quiet_ || total == 0) return;
  const std::uint64_t step = done * (terminal_ ? 1000 : 10) / total;
  if (step == shown_) return;
  shown_ = step;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  const double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  const double left = rate > 0 ? static_cast<double>(total - done) / rate : 0;
  const std::string figures =
      fmt::format("{} of {} items, {} a second, {:.0f} s left", figure(static_cast<double>(done)),
                  figure(static_cast<double>(total)), figure(rate), left);
  if (terminal_) {
    constexpr std::uint64_t kCells = 30;
    const std::uint64_t full = done * kCells / total;
    std::string bar;
    for (std::uint64_t cell = 0; cell < kCells; ++cell) bar += cell < full ? "█" : "░";
    fmt::print(stderr, "\r{} {} {}\033[K{}", what_, bar, figures, done == total ? "\n" : "");
  } else {
    fmt::print(stderr, "{} {}\n", what_, figures);
  }
  std::fflush(stderr);
}

}  // namespace stator::design
