#include "store/rados/leaf_map.h"

#include <mutex>

namespace stator::store::rados {

std::string map_key(std::string_view from) {
  std::string key = "m";
  key.append(from);
  return key;
}
std::string_view from_of_map_key(std::string_view map_key) { return map_key.substr(1); }

base::Task<Result<void>> LeafMap::load() {
  std::string after;
  for (bool more = true; more;) {
    ReadRequest request;
    request.ranges.push_back({after, "m", 1000});
    auto operation = cluster_.read(kMapObject, request);
    const Reply reply = co_await operation;
    if (reply.status < 0) co_return tl::unexpected<Error>(to_error(reply.status, kMapObject));
    for (const auto& [key, number] : reply.ranges[0].entries) {
      add(std::string(from_of_map_key(key)), decode_number(number));
      after = key;
    }
    more = reply.ranges[0].more;
  }
  co_return Result<void>();
}

std::shared_ptr<Leaf> LeafMap::leaf_locked(LeafNumber number) {
  std::shared_ptr<Leaf>& leaf = by_number_[number];
  if (leaf == nullptr)
    leaf = std::make_shared<Leaf>(number, cluster_, worker_, instance_, timeout_);
  return leaf;
}

std::shared_ptr<Leaf> LeafMap::leaf(LeafNumber number) {
  const std::unique_lock lock(mutex_);
  return leaf_locked(number);
}

void LeafMap::add(const std::string& from, LeafNumber number) {
  const std::unique_lock lock(mutex_);
  by_first_key_.try_emplace(from, leaf_locked(number));
}

std::shared_ptr<Leaf> LeafMap::find(std::string_view key) {
  for (;;) {
    std::shared_ptr<Leaf> leaf;
    {
      const std::shared_lock lock(mutex_);
      leaf = std::prev(by_first_key_.upper_bound(key))->second;  // the empty key is always there
    }
    const std::shared_ptr<const Header> header = leaf->header();
    if (header == nullptr || header->to.empty() || key < header->to) return leaf;
    add(header->to, header->right);
  }
}

std::shared_ptr<Leaf> LeafMap::find_below(std::string_view key) {
  for (;;) {
    std::shared_ptr<Leaf> leaf;
    {
      const std::shared_lock lock(mutex_);
      auto at = by_first_key_.lower_bound(key);
      if (at != by_first_key_.begin()) --at;
      leaf = at->second;
    }
    const std::shared_ptr<const Header> header = leaf->header();
    if (header == nullptr || header->to.empty() || key <= header->to) return leaf;
    add(header->to, header->right);
  }
}

std::shared_ptr<Leaf> LeafMap::find_last() {
  for (;;) {
    std::shared_ptr<Leaf> leaf;
    {
      const std::shared_lock lock(mutex_);
      leaf = by_first_key_.rbegin()->second;
    }
    const std::shared_ptr<const Header> header = leaf->header();
    if (header == nullptr || header->to.empty()) return leaf;
    add(header->to, header->right);
  }
}

}  // namespace stator::store::rados
