#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "stator/items.h"
#include "stator/model/record.h"
#include "stator/outcome.h"

// Optimistic locking.
namespace stator::model {

// What a refused write is where it was refused for its version.
[[nodiscard]] DatabaseError version_conflict(DatabaseError refused, std::string_view type,
                                             std::int64_t expected);
// Sleeps a little, longer with each attempt (counted from 1) and never the same time, so that
// writers who collided do not collide again.
void wait_before_attempt(int number);

// Calls `body`, which reads, changes and writes, until it ends otherwise than with
// ErrorKind::version_conflict; so often at most. Its outcome is returned.
template <class Body>
auto retry_on_conflict(Body&& body, int attempts = 10) -> std::invoke_result_t<Body&> {
  for (int number = 1;; ++number) {
    auto outcome = body();
    if (outcome.ok() || outcome.error().kind != ErrorKind::version_conflict || number >= attempts)
      return outcome;
    wait_before_attempt(number);
  }
}

namespace detail {

template <class EntityType>
using VersionField = std::tuple_element_t<EntityType::version_index(), typename EntityType::Fields>;

template <class EntityType>
std::int64_t version_of(const typename EntityType::Record& record) {
  return static_cast<std::int64_t>(record.*VersionField<EntityType>::kMember);
}

// Adds the condition that the item is still the one that was read: of this version, or not there.
template <class TableType, class EntityType, class Request>
void require_version(Request& request, std::int64_t version) {
  if (version == 0) {
    request.condition = "attribute_not_exists(#partition)";
    request.names["#partition"] = TableType::KeyType::kPartition;
  } else {
    request.condition = "#version = :version";
    request.names["#version"] = VersionField<EntityType>::kName;
    request.values[":version"] = AttributeValue(version);
  }
  request.return_item_on_failure = true;
}

template <class EntityType>
void choose_shard(typename EntityType::Record& record) {
  if constexpr (EntityType::kHasShardNumber) {
    int count = 0;
    EntityType::each_key([&]<class OneKey>() {
      if (OneKey::kTemplate.has_random_shard()) count = OneKey::kTemplate.shard_count();
    });
    int& number = record.*std::tuple_element_t<0, typename EntityType::ShardNumbers>::kMember;
    if (count > 0 && number < 0) number = random_shard(count);
  }
}

}  // namespace detail

}  // namespace stator::model
