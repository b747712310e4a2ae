#pragma once

// Of leaf.cc and leaf_plan.cc alone.
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "store/rados/leaf.h"

namespace stator::store::rados {

// One operation for a group: what it compares in RADOS, and what it leaves behind.
struct Leaf::Plan {
  std::shared_ptr<const Header> header;
  WriteRequest request;
  std::map<std::string, std::string> changes;  // what the group has written so far; empty: removed
  std::map<std::string, std::vector<std::int64_t>> sums;  // by counter, after the operation
  std::uint64_t position = 0;
};

}  // namespace stator::store::rados
