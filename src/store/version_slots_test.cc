#include "store/version_slots.h"

#include <gtest/gtest.h>

#include <set>

namespace stator::store {
namespace {

using namespace std::string_literals;

TEST(VersionSlots, HashTellsKeysApartThatDifferInZerosOrLengthOnly) {
  const VersionSlots slots;
  const std::string keys[] = {"",          "\0"s,       "\0\0"s,    "a",
                              "a\0"s,      "\0a"s,      "aaaaaaaa", "aaaaaaaa\0"s,
                              "aaaaaaaaa", "baaaaaaaa", "aaaaaaaab"};
  std::set<std::uint64_t> hashes;
  for (const std::string& key : keys) hashes.insert(slots.hash(key));
  EXPECT_EQ(hashes.size(), std::size(keys));
}

TEST(VersionSlots, HashDependsOnTheBytesAlone) {
  const VersionSlots slots;
  const std::string text = "xxkey of some lengthxx";
  EXPECT_EQ(slots.hash(std::string_view(text).substr(2, 18)), slots.hash("key of some length"));
}

TEST(VersionSlots, StartAtZeroAndKeepWhatIsStored) {
  VersionSlots slots;
  const std::uint64_t hash = slots.hash("k");
  EXPECT_EQ(slots.load(hash), 0u);
  slots.store(hash, 7);
  EXPECT_EQ(slots.load(hash), 7u);
}

TEST(VersionSlots, ReplaceAboveTouchesOnlyNewerSlots) {
  VersionSlots slots;
  slots.store(1, 5);
  slots.store(2, 6);
  slots.replace_above(5, 9);
  EXPECT_EQ(slots.load(1), 5u);
  EXPECT_EQ(slots.load(2), 9u);
  slots.replace_all(10);
  EXPECT_EQ(slots.load(1), 10u);
  EXPECT_EQ(slots.load(3), 10u);
}

TEST(VersionSlots, UnmatchedVersionsAreUniqueAndNoSequenceReachesThem) {
  VersionSlots slots;
  const Version first = slots.unmatched();
  EXPECT_NE(first, slots.unmatched());
  EXPECT_GE(first, Version{1} << 63);
}

}  // namespace
}  // namespace stator::store
