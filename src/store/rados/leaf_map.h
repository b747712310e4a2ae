#pragma once

#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <unordered_map>

#include "store/rados/leaf.h"

namespace stator::store::rados {

// Format, number of the last instance; and what nodes watch.
inline const std::string kRootObject = "stator";

inline const std::string kMapObject = "map";
inline constexpr LeafNumber kFirstLeaf = 1;
[[nodiscard]] std::string map_key(std::string_view from);
[[nodiscard]] std::string_view from_of_map_key(std::string_view map_key);

// Which leaf has which keys, as far as this node knows. A hint: a leaf's own header is the truth,
// and a leaf that has lost a key to its right neighbour says so. May be used from many threads.
class LeafMap {
 public:
  LeafMap(Cluster& cluster, Worker& worker, Instance instance, std::chrono::milliseconds timeout)
      : cluster_(cluster), worker_(worker), instance_(instance), timeout_(timeout) {}

  // Reads the map object.
  [[nodiscard]] base::Task<Result<void>> load();

  // The leaf that covers the key, by what is known. Follows neighbours.
  [[nodiscard]] std::shared_ptr<Leaf> find(std::string_view key);
  // The leaf that covers what is just below the key, and the one at the end of the map.
  [[nodiscard]] std::shared_ptr<Leaf> find_below(std::string_view key);
  [[nodiscard]] std::shared_ptr<Leaf> find_last();
  // A leaf by its number, whatever its range.
  [[nodiscard]] std::shared_ptr<Leaf> leaf(LeafNumber number);
  void add(const std::string& from, LeafNumber number);

 private:
  std::shared_ptr<Leaf> leaf_locked(LeafNumber number);

  Cluster& cluster_;
  Worker& worker_;
  const Instance instance_;
  const std::chrono::milliseconds timeout_;
  std::shared_mutex mutex_;
  // Guarded by mutex_:
  std::map<std::string, std::shared_ptr<Leaf>, std::less<>> by_first_key_;
  std::unordered_map<LeafNumber, std::shared_ptr<Leaf>> by_number_;
};

}  // namespace stator::store::rados
