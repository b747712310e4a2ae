#include "server/process_limits.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

#include "net/server.h"

namespace stator::server {
namespace {

constexpr std::size_t kLimitMin = 256;
constexpr std::size_t kLimitMax = std::size_t{1} << 20;  // where there is none
// Logs of the store, files that are being written, the catalog, the recording.
constexpr std::size_t kOwnFiles = 64;
constexpr std::size_t kFilesOfAReactor = 4;  // its listener, its epoll, its way to be woken, a spare connection
// So many files of the data (64 MB each) are opened only when connections leave that much room anyway.
constexpr std::size_t kStoreFilesPlenty = 8192;
constexpr int kMallocMmapBytes = 2 << 20;
constexpr int kMallocTrimBytes = 16 << 20;

std::size_t raise_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return kLimitMin;
  if (limit.rlim_cur != limit.rlim_max) {
    rlimit raised = limit;
    raised.rlim_cur = limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
  }
  return std::min<std::size_t>(limit.rlim_cur, kLimitMax);
}

}  // namespace

void prepare_process() {
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // The lowest number that is free is the one that is missing.
    if (fcntl(standard, F_GETFD) < 0 && errno == EBADF && open("/dev/null", O_RDWR) < 0) return;
  }
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  // Large answers get memory of their own, which goes back to the system with them. By itself malloc would take the first of
  // them for a sign to keep such memory.
  mallopt(M_MMAP_THRESHOLD, kMallocMmapBytes);
  mallopt(M_TRIM_THRESHOLD, kMallocTrimBytes);
}

Result<DescriptorPlan> plan_descriptors(std::size_t connections_wanted, unsigned threads) {
  return plan_descriptors(raise_limit(), connections_wanted, threads);
}

Result<DescriptorPlan> plan_descriptors(std::size_t limit, std::size_t connections_wanted, unsigned threads) {
  const std::size_t taken = kOwnFiles + net::kSpareConnectionsMax + kFilesOfAReactor * threads;
  if (limit < kLimitMin || limit < taken * 2) {
    return fail(ErrorCode::unavailable, fmt::format("this process may open {} files, and needs {} (see ulimit -n)", limit,
                                                    std::max(kLimitMin, taken * 2)));
  }
  const std::size_t rest = limit - taken;
  DescriptorPlan plan;
  plan.connections_max = std::min(connections_wanted, rest - rest / 4);
  const std::size_t store_files = rest - plan.connections_max;
  if (store_files < kStoreFilesPlenty) plan.store_files_max = static_cast<int>(store_files);
  return plan;
}

}  // namespace stator::server
