#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace stator::trigger {

// Where to go on in a shard. A shard without an entry is read from its beginning.
struct Position {
  enum class Kind {
    beginning,
    after,   // the record `sequence_number`
    latest,  // what was written since `since_ms`; no record has been dealt with yet
    ended,   // all of the shard has been dealt with
  };
  Kind kind = Kind::beginning;
  std::string sequence_number;
  std::int64_t since_ms = 0;

  bool operator==(const Position&) const = default;
};

// The positions in the shards of one stream of one table, stored in a file. The file always holds a state that once
// was, complete: a new one is written beside it, flushed, and put in its place.
//
//   {"format": 1, "table": name, "stream": label,
//    "shards": {shard id: {} | {"after": sequence number} | {"since_ms": time} | {"ended": true}, ...}}
//
// May be used by many threads. The file belongs to one process, which a lock beside it (FILE.lock) makes sure of.
class Checkpoint {
 public:
  // Reads the file, or begins with nothing where there is none. Errors: the file is in use, of another table, or not
  // ours.
  [[nodiscard]] static Result<std::unique_ptr<Checkpoint>> open(std::string path, std::string table);
  ~Checkpoint();
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;

  [[nodiscard]] std::string stream() const;  // its label; empty where nothing is stored
  [[nodiscard]] Position position(const std::string& shard) const;
  [[nodiscard]] bool ended(const std::string& shard) const;

  // Changes are in memory until `save`.
  void begin_stream(const std::string& label);  // forgets the shards of the one before
  void set(const std::string& shard, Position position);
  void keep_only(const std::vector<std::string>& shards);  // forgets what the stream no longer has

  // Returns when all changes made before are on disk.
  [[nodiscard]] Result<void> save();

 private:
  Checkpoint(std::string path, std::string table) : path_(std::move(path)), table_(std::move(table)) {}
  [[nodiscard]] Result<void> load();
  [[nodiscard]] std::string text() const;  // with mutex_ held

  const std::string path_;
  const std::string table_;
  int lock_ = -1;
  mutable std::mutex mutex_;
  std::string stream_;                      // guarded by mutex_
  std::map<std::string, Position> shards_;  // guarded by mutex_
  std::uint64_t changes_ = 0;               // guarded by mutex_
  std::mutex file_;                         // held while the file is written, before mutex_
  std::uint64_t saved_ = 0;                 // of `changes_`; guarded by file_
};

}  // namespace stator::trigger
