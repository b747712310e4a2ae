// stator_load: a load generator for DynamoDB-type servers, plain HTTP servers and Redis.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <string_view>

#include "bench/common/flags.h"
#include "bench/load/load_loop.h"
#include "bench/load/options.h"
#include "bench/load/report.h"
#include "bench/load/workload.h"

namespace stator::bench {
namespace {

// 0: every request had a right answer. 1: there was an error. 2: the command line is wrong.
constexpr int kExitValid = 0;
constexpr int kExitInvalid = 1;
constexpr int kExitUsage = 2;

int Run(const Options& options) {
  if (const auto item = PrintedItem(options)) {
    fmt::print("{}\n", *item);
    return kExitValid;
  }
  const Workload workload = MakeWorkload(options);
  LoadLoop loop(options.loop, *workload.source, workload.make_parser);
  const LoopResult result = loop.Run();
  fmt::print("{}\n", ReportJson(options.workload, result));
  if (workload.fills && workload.source->Next()) {
    fmt::print(stderr, "stator_load: time ran out before everything was written\n");
    return kExitInvalid;
  }
  return IsValid(result) ? kExitValid : kExitInvalid;
}

}  // namespace
}  // namespace stator::bench

int main(int argc, char** argv) {
  using namespace stator::bench;
  if (argc == 2 && std::string_view(argv[1]) == "--help") {
    fmt::print("{}", UsageText());
    return kExitValid;
  }
  try {
    return Run(ParseOptions(argc, argv));
  } catch (const UsageError& error) {
    fmt::print(stderr, "stator_load: {}\n\n{}", error.what(), UsageText());
    return kExitUsage;
  } catch (const std::exception& error) {
    fmt::print(stderr, "stator_load: {}\n", error.what());
    return kExitInvalid;
  }
}
