#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace stator::store {

// The file ENDS: up to where each log has commits that were acknowledged.
//
// A log that was cut, emptied or removed looks like one whose end a crash has torn. ENDS tells the two apart. It is written after
// each group, without a flush of its own: what the operating system has survives the end of the process, and a power loss
// leaves an older state, which asks for less (docs/design/log-end.md).
struct AcknowledgedEnd {
  std::uint64_t log = 0;  // number of the file; zero: no log
  std::uint64_t bytes = 0;
  std::uint64_t groups = 0;
  std::uint64_t commits = 0;
  std::int64_t time_ms = 0;    // when the last of them was acknowledged
  std::uint64_t manifest = 0;  // number of the manifest that was in use
  std::uint64_t boot = 0;      // of the machine, where commits are not synced and a power loss may take them; otherwise zero
  friend bool operator==(const AcknowledgedEnd&, const AcknowledgedEnd&) = default;
};

inline constexpr const char* kEndsFile = "ENDS";

[[nodiscard]] std::string log_path(const std::string& directory, std::uint64_t log);

// Stands for the time since this machine was started. Never zero.
[[nodiscard]] std::uint64_t boot_number();

// A place of ENDS holds one log, in two copies that are written in turn: while one is being written the other one is whole.
inline constexpr std::size_t kEndCopyBytes = 64;
using EndCopy = std::array<char, kEndCopyBytes>;
[[nodiscard]] EndCopy encode_end(const AcknowledgedEnd& end);

// All places, free ones included. Empty where there is no such file (the directory is new, or was made before there was one).
[[nodiscard]] Result<std::vector<AcknowledgedEnd>> read_ends(const std::string& directory);

// ENDS for writing. Not to be used by many threads at once, but for sync().
class EndsFile {
 public:
  EndsFile() = default;
  ~EndsFile();
  EndsFile(const EndsFile&) = delete;
  EndsFile& operator=(const EndsFile&) = delete;

  // Makes the file where it is missing. Gives what stands in it.
  [[nodiscard]] Result<std::vector<AcknowledgedEnd>> open(const std::string& directory);
  [[nodiscard]] bool is_open() const noexcept { return file_ >= 0; }
  bool write(std::size_t place, bool second_copy, const AcknowledgedEnd& end) const noexcept;
  bool clear(std::size_t place) const noexcept;
  [[nodiscard]] bool sync() const noexcept;

 private:
  int file_ = -1;
};

}  // namespace stator::store
