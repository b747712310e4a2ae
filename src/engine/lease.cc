#include "engine/lease.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "engine/erase_row.h"
#include "engine/row_key.h"
#include "item/key_encoding.h"
#include "store/collect_rows.h"

namespace stator::engine {
namespace {

using Moment = Leases::Moment;

// A node that has not been heard of for so long is forgotten: its row goes.
constexpr std::chrono::minutes kForgetAfter{1};
// An owner stops some time before others may take over.
constexpr std::chrono::milliseconds kMargin{1000};

std::int64_t milliseconds(Moment moment) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(moment.time_since_epoch()).count();
}

// Conflicts and the like are left to the next tick.
Result<void> unless_conflict(const Result<void>& committed) {
  if (committed || committed.error().code == ErrorCode::conflict) return {};
  return committed;
}

}  // namespace

std::string random_node_name() {
  std::random_device device;
  return fmt::format("{:08x}{:08x}", device(), device());
}

Leases::Leases(store::Store& store, std::string node)
    : store_(store), shared_(store.shared()), node_(node.empty() ? random_node_name() : std::move(node)) {}

bool Leases::holds_share(std::size_t share) const {
  if (!shared_) return true;
  return held_[share].load() && milliseconds(std::chrono::steady_clock::now()) < valid_until_ms_.load();
}

std::size_t Leases::held() const {
  if (!shared_) return kShares;
  return static_cast<std::size_t>(
      std::count_if(held_.begin(), held_.end(), [](const auto& held) { return held.load(); }));
}

base::Task<Result<void>> Leases::tick(Moment now) {
  if (!shared_) co_return Result<void>();
  const std::string key = node_key(node_);
  const std::string beat = std::to_string(++beats_);
  store::Batch batch;
  batch.puts.push_back({key, beat});
  const Result<void> beaten = co_await store_.commit(batch);
  CO_TRY_VOID(beaten);
  valid_until_ms_.store(milliseconds(now + kLength - kMargin));
  const Result<void> read = co_await read_rows(now);
  CO_TRY_VOID(read);
  for (std::size_t share = 0; share < kShares; ++share) {
    const std::string& owner = owners_[share];
    const bool mine = owner == node_;
    const bool should_be_mine = preferred(share, now) == node_;
    held_[share].store(mine);
    Result<void> done;
    if (mine && !should_be_mine) {
      done = co_await give_back(share);
    } else if (!mine && should_be_mine && (owner.empty() || !alive(owner, now))) {
      done = co_await take(share);
    }
    CO_TRY_VOID(done);
  }
  const Result<void> forgotten = co_await forget_dead(now);
  co_return forgotten;
}

base::Task<Result<void>> Leases::read_rows(Moment now) {
  const std::string from = node_key("");
  std::string to = lease_key(0);
  to[kSpaceBytes - 1] = static_cast<char>(to[kSpaceBytes - 1] + 1);
  to.resize(kSpaceBytes);
  store::CollectRows found;
  const Result<void> scanned = co_await store_.scan({from, to}, store::Direction::ascending, found);
  CO_TRY_VOID(scanned);
  for (std::string& owner : owners_) owner.clear();
  std::map<std::string, Seen, std::less<>> others;
  for (const auto& [key, value] : found.rows) {
    if (!key.starts_with(from)) {
      const auto share = static_cast<unsigned char>(key.back());
      if (share < kShares) owners_[share] = value;
      continue;
    }
    const std::string node = key.substr(kSpaceBytes);
    if (node == node_) continue;
    const auto known = others_.find(node);
    const bool changed = known == others_.end() || known->second.beat != value;
    others.emplace(node, Seen{value, changed ? now : known->second.changed});
  }
  others_.swap(others);
  std::set<std::string, std::less<>> living;
  for (const auto& [node, seen] : others_) {
    if (alive(node, now)) living.insert(node);
  }
  nodes_.store(1 + living.size());
  const std::lock_guard lock(mutex_);
  alive_.swap(living);
  co_return Result<void>();
}

bool Leases::is_alive(std::string_view node) const {
  if (node == node_) return true;
  const std::lock_guard lock(mutex_);
  return alive_.contains(node);
}

bool Leases::alive(std::string_view node, Moment now) const {
  if (node == node_) return true;
  const auto found = others_.find(node);
  return found != others_.end() && now - found->second.changed < kLength;
}

std::string_view Leases::preferred(std::size_t share, Moment now) const {
  const auto weight = [&](std::string_view node) {
    return item::partition_hash(fmt::format("{}/{}", node, share));
  };
  std::pair<std::uint32_t, std::string_view> best{weight(node_), node_};
  for (const auto& [node, seen] : others_) {
    if (!alive(node, now)) continue;
    best = std::max(best, {weight(node), node});
  }
  return best.second;
}

// Under guards on what was seen: the lease as it is and, where it has an owner, a heartbeat that is still the old one.
base::Task<Result<void>> Leases::take(std::size_t share) {
  const std::string key = lease_key(static_cast<std::uint8_t>(share));
  const std::string& owner = owners_[share];
  Result<store::Row> lease = co_await store_.get(key, store::ReadMode::latest);
  CO_TRY_VOID(lease);
  if ((lease->exists ? lease->value.view() : std::string_view()) != owner) co_return Result<void>();
  store::Batch batch;
  batch.guards.push_back({key, lease->version});
  const std::string owner_key = node_key(owner);
  if (!owner.empty()) {
    Result<store::Row> beat = co_await store_.get(owner_key, store::ReadMode::latest);
    CO_TRY_VOID(beat);
    const auto seen = others_.find(owner);
    const std::string_view expected = seen != others_.end() ? std::string_view(seen->second.beat) : std::string_view();
    if ((beat->exists ? beat->value.view() : std::string_view()) != expected) co_return Result<void>();
    batch.guards.push_back({owner_key, beat->version});
  }
  batch.puts.push_back({key, node_});
  const Result<void> committed = co_await store_.commit(batch);
  if (committed) {
    owners_[share] = node_;
    held_[share].store(true);
  }
  co_return unless_conflict(committed);
}

base::Task<Result<void>> Leases::give_back(std::size_t share) {
  held_[share].store(false);
  const std::string key = lease_key(static_cast<std::uint8_t>(share));
  Result<store::Row> lease = co_await store_.get(key, store::ReadMode::latest);
  CO_TRY_VOID(lease);
  if (!lease->exists || lease->value.view() != node_) co_return Result<void>();
  const Result<void> erased = co_await erase_row(store_, key, lease->version);
  co_return unless_conflict(erased);
}

base::Task<Result<void>> Leases::forget_dead(Moment now) {
  for (const auto& [node, seen] : others_) {
    if (now - seen.changed < kForgetAfter) continue;
    const std::string key = node_key(node);
    Result<store::Row> beat = co_await store_.get(key, store::ReadMode::latest);
    CO_TRY_VOID(beat);
    if (!beat->exists || beat->value.view() != seen.beat) continue;
    const Result<void> erased = co_await erase_row(store_, key, beat->version);
    CO_TRY_VOID(unless_conflict(erased));
  }
  co_return Result<void>();
}

base::Task<Result<void>> Leases::release() {
  if (!shared_) co_return Result<void>();
  for (std::size_t share = 0; share < kShares; ++share) {
    if (!held_[share].load()) continue;
    const Result<void> given = co_await give_back(share);
    CO_TRY_VOID(given);
  }
  const Result<void> gone = co_await erase_row(store_, node_key(node_));
  co_return gone;
}

}  // namespace stator::engine
