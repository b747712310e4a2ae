// S7: rows that are appended to logs.

#include <thread>

#include "backends.h"

namespace stator::store {
namespace {

class LogContract : public testing::TestWithParam<BackendKind> {
 protected:
  void SetUp() override { open(); }
  void TearDown() override {
    if (store_) EXPECT_OK(store_->close());
  }
  void open() {
    Result<std::unique_ptr<Store>> opened = backend_->open();
    ASSERT_TRUE(opened.has_value()) << opened.error().message;
    store_ = std::move(*opened);
  }

  std::unique_ptr<Backend> backend_ = GetParam().make();
  std::unique_ptr<Store> store_;
};
INSTANTIATE_TEST_SUITE_P(Backends, LogContract, testing::ValuesIn(all_backends()),
                         [](const auto& tested) { return std::string(tested.param.name); });

void append(Store& store, std::vector<Append> appends) {
  Batch batch;
  batch.appends = std::move(appends);
  ASSERT_OK(commit(store, batch));
}

std::vector<std::string> values(Store& store, std::string_view from, std::string_view to) {
  std::vector<std::string> result;
  for (const auto& [key, value] : scan(store, {from, to})) result.push_back(value);
  return result;
}

TEST_P(LogContract, RowsComeInTheOrderOfTheirCommits) {
  for (int i = 0; i < 10; ++i) append(*store_, {{"log", std::to_string(i)}});
  EXPECT_EQ(values(*store_, "log", "loh"),
            (std::vector<std::string>{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}));
}

TEST_P(LogContract, OneCommitKeepsTheOrderOfItsAppends) {
  append(*store_, {{"log", "a"}, {"log", "b"}, {"log", "c"}});
  EXPECT_EQ(values(*store_, "log", "loh"), (std::vector<std::string>{"a", "b", "c"}));
}

TEST_P(LogContract, LogsOfDifferentPrefixesAreApart) {
  append(*store_, {{"log1", "a"}, {"log2", "b"}});
  append(*store_, {{"log1", "c"}});
  EXPECT_EQ(values(*store_, "log1", "log2"), (std::vector<std::string>{"a", "c"}));
  EXPECT_EQ(values(*store_, "log2", "log3"), (std::vector<std::string>{"b"}));
}

TEST_P(LogContract, NothingIsAppendedWhenAGuardFails) {
  const Version version = get(*store_, "k").version;
  ASSERT_OK(put(*store_, "k", "v"));
  Batch batch;
  batch.guards = {{"k", version}};
  batch.appends = {{"log", "lost"}};
  EXPECT_ERROR(commit(*store_, batch), ErrorCode::conflict);
  EXPECT_TRUE(values(*store_, "log", "loh").empty());
}

TEST_P(LogContract, WhoeverSeesARowSeesAllBeforeIt) {
  constexpr int kRows = 2000;
  std::thread writer([&] {
    for (int i = 0; i < kRows; ++i) append(*store_, {{"log", std::to_string(i)}});
  });
  std::size_t seen = 0;
  while (seen < kRows) {
    const std::vector<std::string> rows = values(*store_, "log", "loh");
    ASSERT_GE(rows.size(), seen);
    for (std::size_t i = 0; i < rows.size(); ++i) ASSERT_EQ(rows[i], std::to_string(i));
    seen = rows.size();
  }
  writer.join();
}

TEST_P(LogContract, PositionsGrowAcrossReopening) {
  if (!GetParam().keeps_data) GTEST_SKIP() << "this backend keeps nothing";
  std::uint64_t last = 0;
  for (int round = 0; round < 3; ++round) {
    append(*store_, {{"log", std::to_string(round)}});
    const Rows rows = scan(*store_, {"log", "loh"});
    ASSERT_EQ(rows.size(), static_cast<std::size_t>(round) + 1);
    const std::uint64_t position = read_position(rows.back().first);
    EXPECT_GT(position, last);
    last = position;
    ASSERT_OK(store_->close());
    store_.reset();
    open();
  }
}

TEST(LogKey, PositionsKeepTheirOrderInKeys) {
  EXPECT_EQ(read_position(log_key("p", 0x0102030405060708)), 0x0102030405060708U);
  EXPECT_LT(log_key("p", 255), log_key("p", 256));
}

}  // namespace
}  // namespace stator::store
