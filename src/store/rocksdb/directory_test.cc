#include "store/rocksdb/directory.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/temporary_directory.h"

namespace stator::store {
namespace {

namespace fs = std::filesystem;

class Directory : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(data_ / name) << text;
  }
  [[nodiscard]] std::string refusal() const {
    const Result<void> prepared = prepare_directory(data_);
    return prepared ? "<accepted>" : prepared.error().message;
  }
  [[nodiscard]] std::string sentence(const std::string& end) const {
    return "the data directory '" + data_.string() + "' " + end;
  }

  const base::TemporaryDirectory root_;
  fs::path data_ = root_.path() / "data";
};

TEST_F(Directory, IsCreatedWithItsFormat) {
  EXPECT_EQ(refusal(), "<accepted>");
  std::string line;
  std::getline(std::ifstream(data_ / "FORMAT"), line);
  EXPECT_EQ(line, "stator 1");
  EXPECT_EQ(refusal(), "<accepted>") << "the second time";
}

TEST_F(Directory, NeedsItsParent) {
  data_ = root_.path() / "absent" / "data";
  EXPECT_EQ(refusal(), sentence("cannot be created: No such file or directory"));
}

TEST_F(Directory, MustBeADirectory) {
  std::ofstream(data_) << "text";
  EXPECT_EQ(refusal(), sentence("is not a directory"));
}

TEST_F(Directory, OfSomebodyElseIsLeftAlone) {
  fs::create_directory(data_);
  write("thesis.txt", "years of work");
  EXPECT_EQ(refusal(), sentence("is not empty and holds no data of this program"));
  EXPECT_FALSE(fs::exists(data_ / "FORMAT"));
}

TEST_F(Directory, OfACreationThatWasInterruptedIsAccepted) {
  fs::create_directory(data_);
  write("FORMAT.new", "sta");
  EXPECT_EQ(refusal(), "<accepted>");
  write("MANIFEST-000001", "");
  EXPECT_EQ(refusal(), "<accepted>");
}

TEST_F(Directory, OfANewerVersionIsRefused) {
  ASSERT_EQ(refusal(), "<accepted>");
  write("FORMAT", "stator 2\n");
  EXPECT_EQ(
      refusal(),
      sentence("was written by a newer version: it has format 2, this program reads up to 1"));
}

TEST_F(Directory, WithAnUnreadableFormatIsDamaged) {
  ASSERT_EQ(refusal(), "<accepted>");
  for (const char* text : {"", "stator", "stator x", "stator -1", "other 1"}) {
    write("FORMAT", text);
    EXPECT_TRUE(refusal().starts_with(sentence("is damaged: FORMAT"))) << refusal();
  }
}

TEST_F(Directory, WithoutCurrentIsDamaged) {
  ASSERT_EQ(refusal(), "<accepted>");
  write("000007.sst", "rows");
  EXPECT_EQ(refusal(), sentence("is damaged: the file CURRENT is missing; nothing was changed"));
  write("CURRENT", "MANIFEST-000005\n");
  EXPECT_EQ(refusal(), "<accepted>");
}

}  // namespace
}  // namespace stator::store
