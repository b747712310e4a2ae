// Outbox rows and an index that is being built or taken away at the same time.

#include "engine/builder.h"
#include "engine/propagate_test_support.h"
#include "engine/update_table.h"

namespace stator::engine {
namespace {

using base::sync_wait;
using testing::error_of;
using testing::S;

class PropagateWithNewIndex : public Propagate {
 protected:
  void create_index() {
    UpdateTableRequest request;
    request.name = "t";
    request.definitions = {{"n", item::Type::string}};
    request.index_creations = {testing::index_input("new", {"n"})};
    const auto updated = sync_wait(update_table(database_.engine, request));
    ASSERT_TRUE(updated.has_value()) << error_of(updated);
  }
  void delete_index() {
    UpdateTableRequest request;
    request.name = "t";
    request.index_deletions = {"new"};
    ASSERT_TRUE(sync_wait(update_table(database_.engine, request)).has_value());
  }
  void build() {
    const Result<bool> left = sync_wait(advance_building(database_.engine, table()));
    ASSERT_TRUE(left.has_value()) << error_of(left);
    ASSERT_FALSE(*left);
  }
};

TEST_F(PropagateWithNewIndex, CountsEachRowOnceWhateverTheBuilderHasDone) {
  for (const char* sort : {"1", "2", "3", "4"}) put(sort, {{"n", S("old")}});
  create_index();
  put("1", {{"n", S("changed")}});  // before the builder, and applied
  ASSERT_TRUE(apply().has_value());
  put("2", {{"n", S("changed")}});  // before the builder, applied after it
  put("3", {});
  build();
  ASSERT_TRUE(apply().has_value());
  expect_equal();
}

TEST_F(PropagateWithNewIndex, AndTheBuilderDoNotBothCountARow) {
  put("1", {{"n", S("old")}});
  create_index();
  put("1", {{"n", S("changed")}});
  bool applied = false;
  hooked().before_commit = [&](const store::Batch& batch) {
    if (batch.puts.empty() || std::exchange(applied, true)) return;
    EXPECT_TRUE(apply().has_value());
  };
  build();
  hooked().before_commit = nullptr;
  expect_equal();
}

TEST_F(PropagateWithNewIndex, WaitsForWritesThatDoNotKnowOfIt) {
  std::optional<WriteTable> older(*database_.engine.catalog.begin_write("t"));
  create_index();
  put("1", {{"n", S("x")}});
  EXPECT_EQ(error_of(apply()), "older writes are under way");
  EXPECT_TRUE(testing::rows_of_space(*database_.store, table()->id, table()->find_index("new")->id).empty());
  older.reset();
  build();
  ASSERT_TRUE(apply().has_value());
  expect_equal();
}

TEST_F(PropagateWithNewIndex, PutsNothingIntoAnIndexThatIsGone) {
  create_index();
  build();
  put("1", {{"n", S("x")}});
  const IndexId id = table()->find_index("new")->id;
  delete_index();
  ASSERT_TRUE(apply().has_value());
  build();
  put("1", {{"n", S("y")}, {"g", S("x")}});
  ASSERT_TRUE(apply().has_value());
  EXPECT_TRUE(testing::rows_of_space(*database_.store, table()->id, id).empty());
  expect_equal();
}

}  // namespace
}  // namespace stator::engine
