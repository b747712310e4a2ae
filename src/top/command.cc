#include "top/command.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <memory>
#include <thread>

#include "client/client.h"
#include "client/command_line.h"
#include "top/frame.h"

namespace stator::top {
namespace {

constexpr std::size_t kHotKeys = 8;
constexpr std::string_view kHome = "\x1b[H\x1b[2J";  // clears the screen and goes to its first line

struct Options {
  client::Options connection;
  double interval_s = 1;
  bool once = false;
};

struct Look {
  std::vector<Sample> samples;
  std::chrono::steady_clock::time_point at;
};

Result<Look> look_at(client::HttpConnection& connection) {
  TRY(const client::HttpAnswer answer, connection.get("/metrics", {}));
  if (answer.status != 200 || answer.body.find("stator_") == std::string::npos) {
    // A server that nobody has used yet has an empty page.
    if (answer.status != 200 || !answer.body.empty()) {
      return fail(ErrorCode::unavailable, "the endpoint has no page /metrics: stator top needs a stator server");
    }
  }
  return Look{parse_samples(answer.body), std::chrono::steady_clock::now()};
}

std::string time_text() { return fmt::format("{:%H:%M:%S}", fmt::localtime(std::time(nullptr))); }

Result<void> run(const Options& options) {
  TRY(const std::unique_ptr<client::Client> service, client::Client::create(options.connection));
  TRY(const client::Url url, client::parse_url(service->options().endpoint));
  client::HttpConnection connection(url, service->options().timeouts);
  TRY(Look before, look_at(connection));
  const bool terminal = isatty(STDOUT_FILENO) == 1;
  for (;;) {
    std::this_thread::sleep_for(std::chrono::duration<double>(options.interval_s));
    TRY(Look now, look_at(connection));
    TRY(const std::vector<HotKey> keys, find_hot_keys(*service, kHotKeys));
    const double seconds = std::chrono::duration<double>(now.at - before.at).count();
    const std::string frame = draw_frame(activity_between(before.samples, now.samples, seconds), keys,
                                         {.endpoint = service->options().endpoint, .time = time_text()});
    if (terminal && !options.once) std::fwrite(kHome.data(), 1, kHome.size(), stdout);
    if (std::fwrite(frame.data(), 1, frame.size(), stdout) != frame.size() || std::fflush(stdout) != 0) return {};
    if (options.once) return {};
    before = std::move(now);
  }
}

}  // namespace

void add_top_command(CLI::App& app) {
  CLI::App* top = app.add_subcommand("top", "Watch a running server: tables, rates, latencies, throttles, hot keys");
  auto options = std::make_shared<Options>();
  client::add_connection_options(*top, options->connection);
  top->add_option("--interval", options->interval_s, "Seconds between two looks")
      ->check(CLI::Range(0.1, 3600.0))
      ->capture_default_str();
  top->add_flag("--once", options->once, "Print one frame and end");
  top->footer("Ctrl-C ends it. Example:\n  stator top --endpoint http://127.0.0.1:8000");
  top->callback([options] {
    const Result<void> done = run(*options);
    if (done) return;
    fmt::print(stderr, "stator: {}\n", done.error().message);
    throw CLI::RuntimeError(1);
  });
}

}  // namespace stator::top
