#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "capacity/resource.h"
#include "capacity/timeline.h"

namespace stator::capacity {

// What one request wants of one table or index.
struct Charge {
  Resource* resource = nullptr;
  Direction direction = Direction::read;
  HalfUnits cost = 0;
  Place place = 0;
  // The sort key in an encoding that orders as the service orders, where the caller has it: tells keys that ascend
  // from those that come in no order. Read during the call only.
  std::string_view sort_key;
};

struct Decision {
  bool allowed = true;                 // false in mode enforce alone
  bool throttled = false;              // a limit stands against it; in mode observe the request goes on all the same
  Reason reason;                       // when throttled
  const Resource* resource = nullptr;  // whose limit it is, when throttled
};

// Lets all of the charges in, or none: the first whose limit is reached decides. A write that changes indexes brings
// one charge for the table and one for each index, so an index without capacity throttles the writes of its table,
// and the reason names the index. Meters and buckets are updated as the mode says (Resource::Outcome). No lock, no
// allocation; may be called by many threads at once.
[[nodiscard]] Decision admit(std::span<const Charge> charges, Mode mode, Ticks now) noexcept;

// Whether the charge would be let in now; changes nothing. For pages that stop early.
[[nodiscard]] bool would_admit(const Charge& charge, Ticks now) noexcept;

// The error of a refused request: throughput_exceeded for a provisioned table, throttled for an on-demand one, with
// the service's text, and a ThrottleDetail.
struct ThrottleDetail final : ErrorDetail {
  struct Entry {
    std::string_view reason;  // static
    std::string resource;     // ARN
  };
  std::vector<Entry> reasons;
  bool account_limit = false;  // the wire name is RequestLimitExceeded
};
[[nodiscard]] Error throttle_error(const Decision& decision, std::string_view table_arn, std::string_view index_name);

}  // namespace stator::capacity
