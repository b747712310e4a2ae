#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "engine/admission.h"

namespace stator::server {

// Writes what requests consume to a file that `stator simulate --trace` plays (docs/formats/trace.md). A request appends its
// lines to memory of its own thread; a thread of the recorder's writes them out several times a second. When the disk does not
// keep up, lines are left out and counted rather than requests held up.
class TraceRecorder {
 public:
  struct Options {
    std::string path;
    bool hash_keys = false;  // keys are written as hashes
  };
  // Makes the file, or empties it.
  [[nodiscard]] static Result<std::unique_ptr<TraceRecorder>> open(const Options& options, const base::Clock& clock,
                                                                   const engine::Catalog& catalog);
  // Writes what there is. No request may come any more.
  ~TraceRecorder();
  TraceRecorder(const TraceRecorder&) = delete;
  TraceRecorder& operator=(const TraceRecorder&) = delete;

  // One item or page, and what it changed in indexes. Called by every reactor at once.
  void record(std::span<const engine::Access> accesses);

 private:
  struct Local {
    std::mutex mutex;  // of one thread and the writer, so hardly ever waited for
    std::string lines;
    std::uint64_t lost = 0;
  };

  TraceRecorder(const Options& options, const base::Clock& clock, std::FILE* file);
  [[nodiscard]] Local& local();
  void run();
  void write_out();

  static inline std::atomic<std::uint64_t> last_identity_{0};
  // Tells this recorder from one that was at its address before, which a thread may still remember.
  const std::uint64_t identity_ = ++last_identity_;
  const Options options_;
  const base::Clock& clock_;
  std::FILE* const file_;
  std::uint64_t lost_ = 0;
  bool failed_ = false;
  std::mutex mutex_;
  std::condition_variable stopped_;
  bool stopping_ = false;                      // guarded by mutex_
  std::vector<std::unique_ptr<Local>> locals_;  // guarded by mutex_
  std::thread thread_;
};

}  // namespace stator::server
