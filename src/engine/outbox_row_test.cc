#include "engine/outbox_row.h"

#include <gtest/gtest.h>

#include "engine/row_key.h"
#include "engine/test_support.h"

namespace stator::engine {
namespace {

using testing::B;
using testing::N;
using testing::S;

TEST(OutboxRow, KeepsWhatItWasGiven) {
  base::Arena arena;
  const std::vector<OutboxEntry> entries = {{1, "left"}, {200, ""}, {3, std::string_view("\0\xff", 2)}};
  const Result<OutboxRow> row = decode_outbox(encode_outbox(1'700'000'000'123, entries, arena));
  ASSERT_TRUE(row.has_value());
  EXPECT_EQ(row->time_ms, 1'700'000'000'123);
  ASSERT_EQ(row->entries.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(row->entries[i].index, entries[i].index);
    EXPECT_EQ(row->entries[i].left_key, entries[i].left_key);
  }
}

TEST(OutboxRow, IsRefusedWhereItIsCutShort) {
  base::Arena arena;
  const std::vector<OutboxEntry> entries = {{1, "left"}};
  const std::string_view whole = encode_outbox(1, entries, arena);
  EXPECT_TRUE(decode_outbox(whole.substr(0, 8)).has_value());  // of no index
  for (std::size_t size = 0; size < whole.size(); ++size) {
    if (size == 8) continue;
    EXPECT_FALSE(decode_outbox(whole.substr(0, size)).has_value()) << size;
  }
}

// Sort key values whose encodings end in every way there is, among them many that end with bytes FF before the terminator.
std::vector<item::Value> sort_values(item::Type type, base::Arena& arena) {
  std::vector<item::Value> values;
  for (int i = 0; i < 1000; ++i) {
    if (type == item::Type::number) {
      const std::string text = std::to_string(i % 2 == 0 ? i : -i);
      values.push_back(N(arena.copy(std::string_view(text))));
      if (i % 10 != 0) values.push_back(N(arena.copy(std::string_view("0." + std::to_string(i)))));
      continue;
    }
    std::string bytes(static_cast<std::size_t>(i % 12), '\xff');
    bytes += static_cast<char>(i);
    bytes.append(static_cast<std::size_t>(i % 7), i % 3 == 0 ? '\0' : '\xff');
    values.push_back(B(arena.copy(std::string_view(bytes))));
  }
  return values;
}

TEST(OutboxRow, IsNeverMistakenForAnItemAndLiesRightBehindItsOwn) {
  for (const item::Type type : {item::Type::number, item::Type::binary}) {
    const Table table =
        testing::table_of(testing::table_request("t", {{"pk", item::Type::string}, {"sk", type}}, {"pk", "sk"}));
    base::Arena arena;
    const std::vector<item::Value> partition = {S("p")};
    std::vector<std::string> keys;
    for (const item::Value& value : sort_values(type, arena)) {
      const std::vector<item::Value> sort = {value};
      keys.emplace_back(table_row_key(table, {partition, sort}, arena));
    }
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    ASSERT_GT(keys.size(), 300u);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      EXPECT_FALSE(is_outbox_key(keys[i])) << testing::hex(keys[i]);
      for (const std::uint64_t number : {std::uint64_t{0}, std::uint64_t{77}, UINT64_MAX}) {
        const std::string_view key = outbox_key(keys[i], number, arena);
        EXPECT_TRUE(is_outbox_key(key));
        EXPECT_EQ(outbox_item_key(key), keys[i]);
        EXPECT_GT(key, keys[i]);
        if (i + 1 < keys.size()) {
          EXPECT_LT(key, keys[i + 1]);
        }
      }
    }
  }
}

TEST(OutboxRow, IsInTheSpaceOfItemsAlone) {
  base::Arena arena;
  std::string key(kSpaceBytes + 4, '\1');
  key += "abc";
  key[kSpaceBytes - 1] = '\0';
  EXPECT_TRUE(is_outbox_key(outbox_key(key, 1, arena)));
  key[kSpaceBytes - 1] = '\1';  // an index
  EXPECT_FALSE(is_outbox_key(outbox_key(key, 1, arena)));
  std::fill_n(key.begin(), kSpaceBytes, '\0');  // the system's
  EXPECT_FALSE(is_outbox_key(outbox_key(key, 1, arena)));
}

}  // namespace
}  // namespace stator::engine
