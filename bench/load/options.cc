#include "bench/load/options.h"

#include <fmt/format.h>

#include "bench/common/flags.h"
#include "bench/load/item.h"
#include "bench/load/workload.h"

namespace stator::bench {
namespace {

Clock::duration FromSeconds(double seconds) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

}  // namespace

Options ParseOptions(int argc, const char* const* argv) {
  const Flags flags(
      argc, argv,
      {"workload", "host", "port", "connections", "pipeline", "duration", "warmup", "items",
       "prepared", "seed", "index", "rate", "table", "expires", "access-key", "secret-key"});
  Options options;
  options.workload = flags.Text("workload", "");
  options.loop.endpoint.host = flags.Text("host", "127.0.0.1");
  options.loop.endpoint.port = static_cast<std::uint16_t>(flags.Integer("port", 8000, 1, 65535));
  options.loop.connections = flags.Integer("connections", 64, 1, 100000);
  options.loop.pipeline = flags.Integer("pipeline", 1, 1, 1000);
  options.loop.duration = FromSeconds(flags.Seconds("duration", 5));
  options.loop.warmup = FromSeconds(flags.Seconds("warmup", 0));
  options.items = flags.Integer("items", 10000, 1, 1000000000000);
  options.prepared = flags.Integer("prepared", 100000, 1, 100000000);
  options.seed = flags.Integer("seed", 1, 0, UINT64_MAX);
  options.index = flags.Integer("index", 0, 0, 1000000000000);
  options.loop.rate = flags.Integer("rate", 0, 0, 10000000);
  options.table = flags.Text("table", std::string(kItemTable));
  options.expires = flags.Integer("expires", 0, 0, 9999999999);
  options.credentials = {flags.Text("access-key", "benchaccess"),
                         flags.Text("secret-key", "benchsecret")};
  return options;
}

std::string UsageText() {
  return fmt::format(
      "stator_load --workload NAME --port PORT [flags]\n"
      "\n"
      "Sends one kind of request over many connections and prints one line of JSON.\n"
      "\n"
      "  --workload      one of: {}\n"
      "  --host          IPv4 address of the server (127.0.0.1)\n"
      "  --port          port of the server (8000)\n"
      "  --connections   keep-alive connections (64)\n"
      "  --pipeline      requests under way on each connection (1)\n"
      "  --duration      measured seconds; for the fill workloads the most they may take (5)\n"
      "  --warmup        seconds before the measured ones (0)\n"
      "  --items         items in the table; keys are drawn from these (10000)\n"
      "  --prepared      requests made and signed beforehand, then sent in turn (100000)\n"
      "  --seed          of the random keys (1)\n"
      "  --index         of the item that a print workload prints (0)\n"
      "  --rate          requests per second at most; 0 for as many as are answered (0)\n"
      "  --table         the item table (bench_items)\n"
      "  --expires       time in seconds that fill_expiring writes into its items\n"
      "  --access-key, --secret-key   what the requests are signed with\n",
      WorkloadNames());
}

}  // namespace stator::bench
