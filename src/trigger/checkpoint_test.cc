#include "trigger/checkpoint.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/temporary_directory.h"

namespace stator::trigger {
namespace {

class CheckpointTest : public testing::Test {
 protected:
  [[nodiscard]] std::string path() const { return folder_ / "position.json"; }

  const base::TemporaryDirectory temporary_;
  const std::filesystem::path& folder_ = temporary_.path();
};

TEST_F(CheckpointTest, KeepsPositions) {
  const Position after{.kind = Position::Kind::after, .sequence_number = "100"};
  const Position latest{.kind = Position::Kind::latest, .since_ms = 1'700'000'000'123};
  const Position ended{.kind = Position::Kind::ended};
  {
    const auto checkpoint = Checkpoint::open(path(), "table");
    ASSERT_TRUE(checkpoint) << checkpoint.error().message;
    EXPECT_EQ("", (*checkpoint)->stream());
    (*checkpoint)->begin_stream("2026");
    (*checkpoint)->set("a", after);
    (*checkpoint)->set("b", latest);
    (*checkpoint)->set("c", ended);
    (*checkpoint)->set("d", {});
    ASSERT_TRUE((*checkpoint)->save());
    (*checkpoint)->set("a", ended);  // not saved
  }
  const auto checkpoint = Checkpoint::open(path(), "table");
  ASSERT_TRUE(checkpoint) << checkpoint.error().message;
  EXPECT_EQ("2026", (*checkpoint)->stream());
  EXPECT_EQ(after, (*checkpoint)->position("a"));
  EXPECT_EQ(latest, (*checkpoint)->position("b"));
  EXPECT_EQ(ended, (*checkpoint)->position("c"));
  EXPECT_EQ(Position{}, (*checkpoint)->position("d"));
  EXPECT_EQ(Position{}, (*checkpoint)->position("never seen"));
  EXPECT_FALSE((*checkpoint)->ended("a"));
  EXPECT_TRUE((*checkpoint)->ended("c"));
  (*checkpoint)->keep_only({"a"});
  EXPECT_FALSE((*checkpoint)->ended("c"));
  (*checkpoint)->begin_stream("2027");
  EXPECT_EQ(Position{}, (*checkpoint)->position("a"));
}

TEST_F(CheckpointTest, BelongsToOneTriggerAtATime) {
  const auto first = Checkpoint::open(path(), "table");
  ASSERT_TRUE(first);
  const auto second = Checkpoint::open(path(), "table");
  ASSERT_FALSE(second);
  EXPECT_NE(std::string::npos, second.error().message.find("--checkpoint")) << second.error().message;
}

TEST_F(CheckpointTest, BelongsToOneTable) {
  {
    const auto checkpoint = Checkpoint::open(path(), "table");
    (*checkpoint)->begin_stream("2026");
    ASSERT_TRUE((*checkpoint)->save());
  }
  const auto other = Checkpoint::open(path(), "other");
  ASSERT_FALSE(other);
  EXPECT_NE(std::string::npos, other.error().message.find("of table table")) << other.error().message;
}

TEST_F(CheckpointTest, RefusesFilesThatAreNotItsOwn) {
  for (const char* text : {"", "x", "[]", "{}", R"({"format":2,"table":"table","stream":"","shards":{}})",
                           R"({"format":1,"table":"table","stream":"","shards":{"a":5}})",
                           R"({"format":1,"table":"table","stream":"","shards":{"a":{"after":5}}})",
                           R"({"format":1,"table":"table","stream":"","shards":{"a":{"since_ms":"x"}}})"}) {
    std::ofstream(path(), std::ios::trunc) << text;
    EXPECT_FALSE(Checkpoint::open(path(), "table")) << text;
  }
}

TEST_F(CheckpointTest, SaysWhereItCannotBeWritten) {
  const auto checkpoint = Checkpoint::open(folder_ / "missing" / "position.json", "table");
  ASSERT_FALSE(checkpoint);
  EXPECT_NE(std::string::npos, checkpoint.error().message.find("No such file")) << checkpoint.error().message;
}

}  // namespace
}  // namespace stator::trigger
