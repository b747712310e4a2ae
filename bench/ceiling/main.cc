// stator_ceiling: a constant-answer HTTP server.
#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <exception>

#include "bench/ceiling/ceiling_server.h"
#include "bench/common/flags.h"

namespace stator::bench {
namespace {

constexpr const char* kUsage =
    "stator_ceiling [--host 127.0.0.1] [--port 0] [--body-bytes 2]\n"
    "\n"
    "Answers every HTTP request with 200 and a body of that many bytes.\n";

[[noreturn]] void Serve(int argc, const char* const* argv) {
  const Flags flags(argc, argv, {"host", "port", "body-bytes"});
  const Endpoint endpoint{flags.Text("host", "127.0.0.1"),
                          static_cast<std::uint16_t>(flags.Integer("port", 0, 0, 65535))};
  CeilingServer server(endpoint, flags.Integer("body-bytes", 2, 0, 64 << 20));
  fmt::print("listening on http://{}:{}\n", endpoint.host, server.port());
  std::fflush(stdout);
  server.Run();
}

}  // namespace
}  // namespace stator::bench

int main(int argc, char** argv) {
  using namespace stator::bench;
  try {
    Serve(argc, argv);
  } catch (const UsageError& error) {
    fmt::print(stderr, "stator_ceiling: {}\n\n{}", error.what(), kUsage);
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "stator_ceiling: {}\n", error.what());
    return 1;
  }
}
