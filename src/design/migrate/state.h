#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "base/result.h"
#include "client/client.h"

namespace stator::design {

// One JSON document on disk, for one process at a time (a lock beside it, FILE.lock). The file always holds a state
// that once was, complete: after kill -9 a step goes on from there. May be used by many threads.
class StateFile {
 public:
  // Reads the file, or begins with an empty object. Errors: another process has it, or it holds something else.
  [[nodiscard]] static Result<std::unique_ptr<StateFile>> open(const std::string& path);
  ~StateFile();
  StateFile(const StateFile&) = delete;
  StateFile& operator=(const StateFile&) = delete;

  [[nodiscard]] client::Json read() const;
  // Changes the document by `change`, and returns when it is on disk.
  template <class Change>
  [[nodiscard]] Result<void> update(Change&& change) {
    const std::lock_guard lock(mutex_);
    change(document_);
    return save();
  }

 private:
  explicit StateFile(std::string path) : path_(std::move(path)) {}
  [[nodiscard]] Result<void> save() const;  // with mutex_ held

  const std::string path_;
  int lock_ = -1;
  mutable std::mutex mutex_;
  client::Json document_ = client::Json::object();  // guarded by mutex_
};

// The document of a file that another process may have open: as it was last saved. An empty object where there is none.
[[nodiscard]] Result<client::Json> peek_state(const std::string& path);

}  // namespace stator::design
