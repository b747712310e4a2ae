#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/store.h"

// What is in the omap of a leaf; docs/design/rados.md has the table. All numbers are big-endian, so
// that they compare as bytes.
//
//   row    := 01 ordered(version) value 00
//   intent := 02 ordered(transaction) home:u64 action:u8 new_value
//   header := epoch:u64 right:u64 text(from) text(to) [ text(split_at) leaf:u64 ]
//   record := text(key)*                                                        keys with intents
//   text   := length:u32 bytes
//   ordered := ten bytes of seven bits: RADOS compares values by *signed* bytes
namespace stator::store::rados {

// Unique for ever: the number of an instance (22 bits) and its counter (40 bits).
using Stamp = std::uint64_t;
using LeafNumber = std::uint64_t;
using Instance = std::uint32_t;

inline constexpr int kInstanceShift = 40;
inline constexpr Stamp kStampMask = (Stamp{1} << 62) - 1;
[[nodiscard]] inline Instance instance_of(Stamp stamp) {
  return static_cast<Instance>(stamp >> kInstanceShift);
}

// What a Version of the contract is the version of; kept in its upper two bits.
enum class VersionOf : std::uint8_t { row = 0, tombstone = 1, floor = 2 };
[[nodiscard]] inline Version make_version(VersionOf of, Stamp stamp) {
  return static_cast<Version>(of) << 62 | stamp;
}
[[nodiscard]] inline VersionOf kind_of(Version version) {
  return static_cast<VersionOf>(version >> 62);
}
[[nodiscard]] inline Stamp stamp_of(Version version) { return version & kStampMask; }

[[nodiscard]] std::string encode_number(std::uint64_t number);
[[nodiscard]] std::uint64_t decode_number(
    std::string_view bytes);  // zero for an absent (empty) value

// For what is compared by "less" and "greater" in RADOS.
[[nodiscard]] std::string encode_ordered(std::uint64_t number);
[[nodiscard]] std::uint64_t decode_ordered(
    std::string_view bytes);  // zero for an absent (empty) value

inline const std::string kEpochKey = "e";
inline const std::string kHeaderKey = "h";
inline const std::string kFloorKey = "v";
inline const std::string kPositionKey = "n";
inline const std::string kClosedEpoch = encode_number(0);  // of a leaf that a split is filling

// A row's key ends in a zero byte, which keeps the order and lets a range read, which begins
// strictly after a key, begin at one.
[[nodiscard]] std::string row_key(std::string_view key);
[[nodiscard]] std::string row_before(std::string_view key);  // just below row_key(key)
[[nodiscard]] std::string_view key_of_row(
    std::string_view row_key);  // of an intent's or tombstone's key too
[[nodiscard]] std::string twin_key(std::string_view key);
[[nodiscard]] std::string key_of_twin(std::string_view twin_key);
[[nodiscard]] std::string tombstone_key(std::string_view key);
[[nodiscard]] std::string intent_key(std::string_view key);
[[nodiscard]] std::string intent_before(std::string_view key);
// Counters: every entry of one counter begins with its prefix, which is the beginning of no other
// one's.
[[nodiscard]] std::string sum_prefix(std::string_view counter);
[[nodiscard]] std::string sum_key(std::string_view counter, Instance instance);
[[nodiscard]] std::string part_prefix(std::string_view counter);
[[nodiscard]] std::string part_key(std::string_view counter, LeafNumber leaf);
// Below every entry, sums or parts by `kind` ('c' or 'p'), of counters from `from` on.
[[nodiscard]] std::string counters_from(char kind, std::string_view from);
[[nodiscard]] std::string counter_of(std::string_view sum_or_part_key, std::size_t suffix_bytes);
[[nodiscard]] std::string record_key(Stamp transaction);
[[nodiscard]] std::string fence_key(Instance instance);
[[nodiscard]] std::string space_key(std::string_view space);  // of a space's fence (S8)

// The least key above all of one kind.
[[nodiscard]] std::string end_of_kind(char kind);

enum class Action : std::uint8_t { put = 1, erase = 2, keep = 3, append = 4 };

struct StoredRow {
  Stamp version = 0;
  std::string_view value;
};
struct Intent {
  Stamp transaction = 0;
  LeafNumber home = 0;
  Action action = Action::keep;
  std::string_view value;
};
[[nodiscard]] std::string encode_row(const StoredRow& row);
[[nodiscard]] Result<StoredRow> decode_row(std::string_view bytes);
[[nodiscard]] std::string encode_intent(const Intent& intent);
[[nodiscard]] Result<Intent> decode_intent(std::string_view bytes);
// What every row with this version (or intent of this transaction) begins with, and is longer than.
// The mark of the next number is above all of them.
[[nodiscard]] std::string row_mark(Stamp version);
[[nodiscard]] std::string intent_mark(Stamp transaction);

struct Split {
  std::string at;
  LeafNumber leaf = 0;
};
struct Header {
  std::uint64_t epoch = 0;
  LeafNumber right = 0;  // the neighbour that begins at `to`; 0 when `to` is empty
  std::string from;
  std::string to;
  std::optional<Split> split;  // under way: nobody writes from split->at on

  [[nodiscard]] bool covers(std::string_view key) const {
    return key >= from && (to.empty() || key < to);
  }
  [[nodiscard]] bool frozen(std::string_view key) const { return split && key >= split->at; }
};
[[nodiscard]] std::string encode_header(const Header& header);
[[nodiscard]] Result<Header> decode_header(std::string_view bytes);

[[nodiscard]] std::string encode_keys(const std::vector<std::string>& keys);
[[nodiscard]] Result<std::vector<std::string>> decode_keys(std::string_view bytes);

[[nodiscard]] std::string encode_sums(const std::vector<std::int64_t>& sums);
[[nodiscard]] std::vector<std::int64_t> decode_sums(std::string_view bytes);

}  // namespace stator::store::rados
