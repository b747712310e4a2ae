// The store contract, point by point (S1 to S6 in store/store.h), over every backend: rows, commits and guards.

#include <array>

#include "contract.h"

namespace stator::store {
namespace {

using namespace std::string_literals;

INSTANTIATE_TEST_SUITE_P(Backends, StoreContract, testing::ValuesIn(all_backends()),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST_P(StoreContract, AbsentRowHasNoValue) {
  const Row row = get(*store_, "nothing");
  EXPECT_FALSE(row.exists);
  EXPECT_EQ(row.value.view(), "");
}

TEST_P(StoreContract, ReturnsWhatWasPut) {
  const std::string all_bytes = [] {
    std::string bytes;
    for (int i = 0; i < 256; ++i) bytes.push_back(static_cast<char>(i));
    return bytes;
  }();
  const Rows cases = {
      {"k", "v"},
      {"empty value", ""},
      {"\0with zero\0"s, "\0\0"s},
      {all_bytes, "bytes"},
      {"bytes", all_bytes},
      {std::string(2048, 'k'), "long key"},
      {"k2", "v"},
      {"large", std::string(1 << 20, 'v')},
  };
  for (const auto& [key, value] : cases) {
    ASSERT_OK(put(*store_, key, value));
    for (const ReadMode mode : {ReadMode::committed, ReadMode::latest}) {
      const Row row = get(*store_, key, mode);
      EXPECT_TRUE(row.exists);
      EXPECT_EQ(row.value.view(), value);
    }
  }
}

TEST_P(StoreContract, PutReplacesAndEraseRemoves) {
  ASSERT_OK(put(*store_, "k", "first"));
  ASSERT_OK(put(*store_, "k", "second"));
  EXPECT_EQ(value_of(*store_, "k"), "second");
  Batch batch;
  batch.erases.push_back("k");
  batch.erases.push_back("was never there");
  ASSERT_OK(commit(*store_, batch));
  EXPECT_EQ(value_of(*store_, "k"), "<absent>");
  EXPECT_EQ(value_of(*store_, "k", ReadMode::latest), "<absent>");
}

TEST_P(StoreContract, BytesStayWhenTheRowChanges) {
  ASSERT_OK(put(*store_, "k", "before"));
  const Row row = get(*store_, "k");
  ASSERT_OK(put(*store_, "k", "after"));
  EXPECT_EQ(row.value.view(), "before");
}

TEST_P(StoreContract, GetManyAnswersInTheOrderOfTheKeys) {
  put_rows({{"a", "1"}, {"b", "2"}, {"c", "3"}});
  const std::array<std::string_view, 5> keys = {"c", "absent", "a", "c", "b"};
  const auto rows = base::sync_wait(store_->get_many(keys, ReadMode::committed));
  ASSERT_OK(rows);
  std::vector<std::string> values;
  for (const Row& row : *rows) values.push_back(row.exists ? std::string(row.value.view()) : "-");
  EXPECT_EQ(values, (std::vector<std::string>{"3", "-", "1", "3", "2"}));
  EXPECT_EQ((*rows)[2].version, get(*store_, "a").version);
}

TEST_P(StoreContract, GetManyOfNothingIsEmpty) {
  const auto rows = base::sync_wait(store_->get_many({}, ReadMode::committed));
  ASSERT_OK(rows);
  EXPECT_TRUE(rows->empty());
}

// S1

TEST_P(StoreContract, S1CommitAppliesAllOfManyKeys) {
  ASSERT_OK(put(*store_, "z/old", "x"));
  std::vector<std::string> keys;
  for (int i = 0; i < 100; ++i) keys.push_back("table " + std::to_string(i) + "/row");
  Batch batch;
  for (const std::string& key : keys) batch.puts.push_back({key, key});
  batch.erases.push_back("z/old");
  const std::array<std::int64_t, 2> deltas = {1, -1};
  batch.adds.push_back({"count", deltas});
  ASSERT_OK(commit(*store_, batch));
  for (const std::string& key : keys) EXPECT_EQ(value_of(*store_, key), key);
  EXPECT_EQ(value_of(*store_, "z/old"), "<absent>");
  EXPECT_EQ(counters(*store_, "count", 2), (std::vector<std::int64_t>{1, -1}));
}

TEST_P(StoreContract, S1CommitAppliesNothingWhenOneGuardFails) {
  put_rows({{"a", "1"}, {"b", "1"}, {"c", "1"}});
  const Version a = get(*store_, "a").version;
  const Version b = get(*store_, "b").version;
  ASSERT_OK(put(*store_, "b", "2"));
  Batch batch;
  batch.guards = {{"a", a}, {"b", b}};
  batch.puts = {{"a", "changed"}, {"new", "changed"}};
  batch.erases = {"c"};
  const std::array<std::int64_t, 1> deltas = {1};
  batch.adds = {{"count", deltas}};
  EXPECT_ERROR(commit(*store_, batch), ErrorCode::conflict);
  EXPECT_EQ(scan(*store_, {}), (Rows{{"a", "1"}, {"b", "2"}, {"c", "1"}}));
  EXPECT_EQ(counters(*store_, "count", 1), (std::vector<std::int64_t>{0}));
}

TEST_P(StoreContract, EmptyCommitSucceeds) { EXPECT_OK(commit(*store_, Batch())); }

// S3

struct GuardCase {
  const char* name;
  std::string_view written_between;  // by another commit, between the read and the guarded commit
  bool erase;
  bool holds;
};

TEST_P(StoreContract, S3GuardHoldsUnlessTheKeyWasWritten) {
  const GuardCase cases[] = {
      {"nothing happened", "", false, true},
      {"another key was written", "other", false, true},
      {"the key was written", "k", false, false},
      {"the key was written with the same value", "k", false, false},
      {"the key was erased", "k", true, false},
  };
  for (const GuardCase& tested : cases) {
    for (const ReadMode mode : {ReadMode::committed, ReadMode::latest}) {
      SCOPED_TRACE(tested.name);
      ASSERT_OK(put(*store_, "k", "v"));
      const Version version = get(*store_, "k", mode).version;
      if (!tested.written_between.empty()) {
        Batch between;
        if (tested.erase) {
          between.erases.push_back(tested.written_between);
        } else {
          between.puts.push_back({tested.written_between, "v"});
        }
        ASSERT_OK(commit(*store_, between));
      }
      Batch batch;
      batch.guards = {{"k", version}};
      batch.puts = {{"k", "decided"}};
      const Result<void> done = commit(*store_, batch);
      EXPECT_EQ(done.has_value(), tested.holds);
      if (!tested.holds) {
        EXPECT_EQ(done.error().code, ErrorCode::conflict);
      }
    }
  }
}

TEST_P(StoreContract, S3GuardOnAnAbsentRowMeansStillAbsent) {
  const Version absent = get(*store_, "k").version;
  Batch create;
  create.guards = {{"k", absent}};
  create.puts = {{"k", "v"}};
  EXPECT_OK(commit(*store_, create));
  EXPECT_ERROR(commit(*store_, create), ErrorCode::conflict);
}

TEST_P(StoreContract, S3GuardNoticesThatARowCameAndWent) {
  const Version absent = get(*store_, "k").version;
  ASSERT_OK(put(*store_, "k", "v"));
  Batch erase;
  erase.erases = {"k"};
  ASSERT_OK(commit(*store_, erase));
  Batch batch;
  batch.guards = {{"k", absent}};
  batch.puts = {{"k", "v"}};
  EXPECT_ERROR(commit(*store_, batch), ErrorCode::conflict);
}

TEST_P(StoreContract, S3VersionIsTheSameWhileNothingIsWritten) {
  ASSERT_OK(put(*store_, "k", "v"));
  const Version version = get(*store_, "k").version;
  EXPECT_EQ(get(*store_, "k").version, version);
  EXPECT_EQ(get(*store_, "k", ReadMode::latest).version, version);
  ASSERT_OK(put(*store_, "k", "v"));
  EXPECT_NE(get(*store_, "k").version, version);
}

TEST_P(StoreContract, S3GuardsWithoutWritesValidateReads) {
  put_rows({{"a", "1"}, {"b", "1"}});
  Batch batch;
  batch.guards = {{"a", get(*store_, "a").version}, {"b", get(*store_, "b").version}};
  EXPECT_OK(commit(*store_, batch));
  ASSERT_OK(put(*store_, "b", "2"));
  EXPECT_ERROR(commit(*store_, batch), ErrorCode::conflict);
}

TEST_P(StoreContract, S3ManyGuardsAndWritesInOneCommit) {
  std::vector<std::string> keys;
  for (int i = 0; i < 100; ++i) keys.push_back("k" + std::to_string(i));
  Batch batch;
  for (const std::string& key : keys) {
    batch.guards.push_back({key, get(*store_, key, ReadMode::latest).version});
    batch.puts.push_back({key, "v"});
  }
  EXPECT_OK(commit(*store_, batch));
  EXPECT_ERROR(commit(*store_, batch), ErrorCode::conflict);
  EXPECT_EQ(scan(*store_, {}).size(), 100u);
}

}  // namespace
}  // namespace stator::store
