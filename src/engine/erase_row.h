#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "base/task.h"
#include "store/store.h"

namespace stator::engine {

// Erases one row in a commit of its own: whatever it is, or, with a version, only while it is what was read. Then
// `conflict` means that it is something else by now.
inline base::Task<Result<void>> erase_row(store::Store& store, std::string key,
                                          std::optional<store::Version> version = std::nullopt) {
  store::Batch batch;
  if (version) batch.guards.push_back({key, *version});
  batch.erases.push_back(key);
  const Result<void> erased = co_await store.commit(batch);
  co_return erased;
}

}  // namespace stator::engine
