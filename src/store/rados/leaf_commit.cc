#include "store/rados/leaf.h"

namespace stator::store::rados {

void LeafCommit::guard(std::string_view key, Version version) {
  must_be_unlocked(key);
  const Stamp seen = stamp_of(version);
  std::string row = row_key(key);
  if (kind_of(version) == VersionOf::row) {
    // The value is longer than the mark and below the next one: it begins with it. So values are
    // not sent to be compared.
    checks.push_back({{row, Compare::greater, row_mark(seen)}, Reason::guard, key});
    checks.push_back({{std::move(row), Compare::less, row_mark(seen + 1)}, Reason::guard, key});
    return;
  }
  checks.push_back({{std::move(row), Compare::equal, ""}, Reason::guard, key});
  const bool tombstone = kind_of(version) == VersionOf::tombstone;
  checks.push_back(
      {{tombstone_key(key), Compare::equal, tombstone ? encode_number(seen) : std::string()},
       Reason::guard,
       key});
  if (!tombstone)
    checks.push_back({{kFloorKey, Compare::equal, encode_number(seen)}, Reason::guard, key});
}

void LeafCommit::must_be_unlocked(std::string_view key) {
  checks.push_back({{intent_key(key), Compare::equal, ""}, Reason::unlocked, key});
}

void LeafCommit::respect(const Fence& fence) {
  checks.push_back({{space_key(fence.space), Compare::less, encode_ordered(fence.number + 1)}, Reason::space, {}});
}

void LeafCommit::set_row(std::string_view key, const StoredRow& row) {
  std::string entry = encode_row(row);
  std::string size;
  for (int shift = 24; shift >= 0; shift -= 8)
    size.push_back(static_cast<char>((entry.size() + key.size()) >> shift));
  sets.emplace_back(twin_key(key), std::move(size));
  sets.emplace_back(row_key(key), std::move(entry));
}

void LeafCommit::set_intent(std::string_view key, const Intent& intent) {
  sets.emplace_back(intent_key(key), encode_intent(intent));
}

void LeafCommit::put(std::string_view key, std::string_view value) {
  set_row(key, {stamp, value});
  in_line.push_back({key, value});
}

void LeafCommit::erase(std::string_view key) {
  removes.push_back(row_key(key));
  removes.push_back(twin_key(key));
  sets.emplace_back(tombstone_key(key), encode_number(stamp));
  in_line.push_back({key, std::nullopt});
}

}  // namespace stator::store::rados
