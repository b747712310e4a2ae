#include "store/rocksdb/log_zeros.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace stator::store {
namespace {

// Written and synced at once: a commit that comes meanwhile waits for no more than this.
constexpr std::uint64_t kPieceBytes = 128 * 1024;
// Room grows with the log, so that a store that is hardly written to takes none that is worth a word.
constexpr std::uint64_t kRoomBytesMin = kPieceBytes;
constexpr std::uint64_t kRoomBytesMax = 2 * 1024 * 1024;
constexpr std::array<char, kPieceBytes> kZeros{};

std::uint64_t wanted_room(std::uint64_t log_bytes) noexcept {
  return std::clamp(log_bytes, kRoomBytesMin, kRoomBytesMax);
}

bool write_all(int file, std::uint64_t from, std::uint64_t to) noexcept {
  while (from < to) {
    const ssize_t written = ::pwrite(file, kZeros.data(), to - from, static_cast<off_t>(from));
    if (written <= 0) return false;
    from += static_cast<std::uint64_t>(written);
  }
  return true;
}

}  // namespace

LogZeros::LogZeros(const std::string& path) : file_(::open(path.c_str(), O_WRONLY | O_CLOEXEC)) {
  if (file_ < 0) stopped_ = true;
}

LogZeros::~LogZeros() {
  if (file_ >= 0) ::close(file_);
}

bool LogZeros::wants_more() const noexcept {
  const std::uint64_t log_bytes = size();
  const std::uint64_t room = zeros_end_.load(std::memory_order_relaxed) - log_bytes;
  return !stopped_.load(std::memory_order_relaxed) && room <= wanted_room(log_bytes) / 2;
}

void LogZeros::grow() {
  std::uint64_t from = 0;
  while (begin_piece(from)) {
    const std::uint64_t to = (from / kPieceBytes + 1) * kPieceBytes;
    const bool written = write_all(file_, from, to) && ::fdatasync(file_) == 0;
    // A disk without room for zeros may have some for records.
    if (!written) stopped_ = true;
    end_piece(written ? to : from);
  }
}

// False when there is enough.
bool LogZeros::begin_piece(std::uint64_t& from) {
  const std::lock_guard lock(mutex_);
  from = zeros_end_.load(std::memory_order_relaxed);
  const std::uint64_t log_bytes = size();
  growing_ = !stopped_ && from - log_bytes < wanted_room(log_bytes);
  return growing_;
}

void LogZeros::end_piece(std::uint64_t to) {
  {
    const std::lock_guard lock(mutex_);
    growing_ = false;
    zeros_end_.store(to, std::memory_order_release);
  }
  rested_.notify_all();
}

void LogZeros::stop() {
  stopped_ = true;
  std::unique_lock lock(mutex_);
  rested_.wait(lock, [&] { return !growing_; });
}

}  // namespace stator::store
