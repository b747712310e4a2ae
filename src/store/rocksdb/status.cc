#include "store/rocksdb/status.h"

#include <algorithm>
#include <array>
#include <memory>

namespace stator::store {
namespace {

// What the operating system calls a shortage, and what that means to the caller.
struct Shortage {
  const char* words;
  const char* message;
};
constexpr std::array kShortages = {
    Shortage{"No space left", "the disk is full"},
    Shortage{"Disk quota exceeded", "the disk is full"},
    Shortage{"Read-only file system", "the disk is not writable"},
    Shortage{"Too many open files", "too many files are open"},
    Shortage{"File too large", "a file has reached the size that is allowed"},
    Shortage{"Cannot allocate memory", "there is too little memory"},
};

const Shortage* find_shortage(const rocksdb::Status& status, const std::string& text) {
  if (status.IsNoSpace()) return kShortages.data();
  const auto* found = std::find_if(kShortages.begin(), kShortages.end(), [&](const Shortage& shortage) {
    return text.find(shortage.words) != std::string::npos;
  });
  return found != kShortages.end() ? found : nullptr;
}

// RocksDB's text names files, which is for the log alone.
Error fault(ErrorCode code, const char* message, const std::string& text) {
  return {code, message, std::make_shared<LogDetail>(text)};
}

}  // namespace

Error to_error(const rocksdb::Status& status) {
  const std::string text = status.ToString();
  if (status.IsCorruption()) return fault(ErrorCode::corruption, "the data is damaged", text);
  if (const Shortage* shortage = find_shortage(status, text); shortage != nullptr) {
    return fault(ErrorCode::out_of_space, shortage->message, text);
  }
  if (status.IsShutdownInProgress() || status.IsAborted()) {
    return {ErrorCode::unavailable, "the store is closed"};
  }
  return fault(ErrorCode::unavailable, "the disk does not work", text);
}

bool is_shortage(const rocksdb::Status& status) {
  return !status.IsCorruption() && find_shortage(status, status.ToString()) != nullptr;
}

}  // namespace stator::store
