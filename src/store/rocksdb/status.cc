#include "store/rocksdb/status.h"

#include <fmt/format.h>

namespace stator::store {
namespace {

bool mentions(const std::string& text, const char* words) {
  return text.find(words) != std::string::npos;
}

}  // namespace

Error to_error(const rocksdb::Status& status) {
  const std::string text = status.ToString();
  if (status.IsCorruption())
    return {ErrorCode::corruption, fmt::format("the data is damaged: {}", text)};
  if (status.IsNoSpace() || mentions(text, "No space left") ||
      mentions(text, "Disk quota exceeded")) {
    return {ErrorCode::out_of_space, fmt::format("the disk is full: {}", text)};
  }
  if (mentions(text, "Read-only file system")) {
    return {ErrorCode::out_of_space, fmt::format("the disk is not writable: {}", text)};
  }
  if (status.IsShutdownInProgress() || status.IsAborted()) {
    return {ErrorCode::unavailable, "the store is closed"};
  }
  return {ErrorCode::unavailable, fmt::format("the disk does not work: {}", text)};
}

}  // namespace stator::store
