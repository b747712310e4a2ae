#include "trigger/command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>

#include "base/stop_signals.h"
#include "client/command_line.h"
#include "trigger/follower.h"

namespace stator::trigger {
namespace {

int refuse(const Error& error) {
  fmt::print(stderr, "stator: {}\n", error.message);
  return 1;
}

// What an SDK inside the function needs to reach the same server, as far as the environment does not say it already.
std::vector<std::string> environment_of(const client::Options& connection) {
  std::vector<std::string> variables;
  const auto add = [&](const char* name, const std::string& value) {
    if (std::getenv(name) == nullptr && !value.empty()) variables.push_back(fmt::format("{}={}", name, value));
  };
  if (std::getenv("AWS_ENDPOINT_URL_DYNAMODB") == nullptr) add("AWS_ENDPOINT_URL", connection.endpoint);
  add("AWS_REGION", connection.region);
  add("AWS_DEFAULT_REGION", connection.region);
  if (std::getenv("AWS_ACCESS_KEY_ID") == nullptr) {
    add("AWS_ACCESS_KEY_ID", connection.credentials.access_key_id);
    add("AWS_SECRET_ACCESS_KEY", connection.credentials.secret_access_key);
    add("AWS_SESSION_TOKEN", connection.credentials.session_token);
  }
  return variables;
}

Result<MakeHandler> handler_maker(const Options& options, const client::Options& connection) {
  const auto timeout_ms = static_cast<std::int64_t>(options.timeout_s * 1000);
  if (!options.url.empty()) {
    TRY(const client::Url url, client::parse_url(options.url));
    return MakeHandler([url, timeout_ms] { return make_http_handler(url, timeout_ms); });
  }
  const ProgramOptions program{.command = options.program,
                               .timeout_ms = timeout_ms,
                               .read_response = options.retry.report_failures,
                               .environment = environment_of(connection)};
  return MakeHandler([program] { return make_program_handler(program); });
}

Result<void> follow(const Options& options) {
  Filters filters;
  for (const std::string& filter : options.filters) TRY_VOID(filters.add(filter));
  TRY(std::unique_ptr<StreamSource> source, StreamSource::create(options.connection));
  const std::string path =
      options.checkpoint.empty() ? fmt::format("stator-trigger-{}.json", options.table) : options.checkpoint;
  TRY(const std::unique_ptr<Checkpoint> checkpoint, Checkpoint::open(path, options.table));
  TRY(MakeHandler make_handler, handler_maker(options, source->options()));

  Stop stop;
  const base::StopSignals signals(stop);
  const base::SystemClock clock;
  FailureFile failures(options.on_failure);
  Progress progress(options.table, options.quiet);
  if (filters.compares_number_attributes()) {
    progress.say("a filter compares an N attribute with numeric, which never holds: streams carry numbers as strings");
  }
  Shared shared{options, filters, std::move(make_handler), *checkpoint, failures, clock, stop, progress, {}, {}};
  Follower follower(shared, std::move(source));
  TRY_VOID(follower.run());
  progress.show(clock.now_ms(), true);
  if (shared.error) return tl::unexpected(*shared.error);
  return {};
}

}  // namespace

CLI::App* add_trigger_command(CLI::App& app, Options& options) {
  CLI::App* trigger = app.add_subcommand("trigger", "Run a function on the changes of a table, as Lambda would");
  client::add_connection_options(*trigger, options.connection);
  trigger->add_option("--table", options.table, "Table whose stream is followed")->required();
  auto* target = trigger->add_option_group("function", "What is run; one of the two");
  target
      ->add_option("--program", options.program,
                   "Command that gets each event as JSON on stdin; exit code 0 is success")
      ->type_name("COMMAND");
  target
      ->add_option("--url", options.url,
                   "Address that takes events as Lambda's Invoke does, such as a runtime emulator's")
      ->type_name("URL");
  target->require_option(1);
  trigger->add_option("--starting-position", options.starting_position, "Where to begin the first time")
      ->check(CLI::IsMember({"TRIM_HORIZON", "LATEST"}))
      ->capture_default_str();
  trigger->add_option("--batch-size", options.batch_size, "Records of one invocation at most")
      ->check(CLI::Range(1, 10'000))
      ->capture_default_str();
  trigger->add_option("--batching-window", options.batching_window_s, "Seconds to wait for a batch to fill")
      ->check(CLI::Range(0.0, 300.0))
      ->capture_default_str();
  trigger
      ->add_option("--filter", options.filters,
                   "Pattern (JSON) of the records that the function wants; may be given several times, one must match")
      ->type_name("JSON")
      ->allow_extra_args(false);
  trigger->add_option("--maximum-retry-attempts", options.retry.retries_max, "Retries of a failed batch; -1: no limit")
      ->check(CLI::Range(-1, 10'000))
      ->capture_default_str();
  trigger
      ->add_option("--maximum-record-age", options.retry.record_age_max_s,
                   "Seconds after which a record is given up; -1: a day, as streams keep them")
      ->check(CLI::Range(-1, 604'800))
      ->capture_default_str();
  trigger->add_flag("--bisect-on-error", options.retry.bisect, "Try the halves of a failed batch separately");
  trigger->add_flag("--report-batch-item-failures", options.retry.report_failures,
                    "Read {\"batchItemFailures\": ...} from the response (of a program: stdout)");
  trigger->add_option("--parallelization-factor", options.parallelization_factor, "Batches of one shard at a time")
      ->check(CLI::Range(1, 10))
      ->capture_default_str();
  trigger
      ->add_option("--on-failure", options.on_failure, "File that gets a line of JSON for each batch that is given up")
      ->type_name("FILE");
  trigger->add_option("--checkpoint", options.checkpoint, "File of the position (default: stator-trigger-TABLE.json)")
      ->type_name("FILE");
  trigger->add_option("--timeout", options.timeout_s, "Seconds that one invocation may take")
      ->check(CLI::Range(0.1, 3600.0))
      ->capture_default_str();
  trigger->add_option("--poll-ms", options.poll_ms, "Pause before an empty shard is looked at again")
      ->check(CLI::Range(1, 60'000))
      ->capture_default_str();
  trigger->add_flag("--quiet", options.quiet, "No progress line");
  trigger->footer(
      "Examples:\n"
      "  stator trigger --table orders --program ./handler.py\n"
      "  stator trigger --table orders --url http://127.0.0.1:9001 --batch-size 10 --bisect-on-error\n"
      "  stator trigger --table orders --program ./handler.py --filter '{\"eventName\": [\"INSERT\"]}'");
  return trigger;
}

int run(const Options& options) {
  const Result<void> followed = follow(options);
  return followed ? 0 : refuse(followed.error());
}

}  // namespace stator::trigger
