#include "store/rocksdb/manifest_recorder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/temporary_directory.h"
#include "store/rocksdb/fault_file_system.h"

namespace stator::store {
namespace {

namespace fs = std::filesystem;

class ManifestRecorderTest : public testing::Test {
 protected:
  std::unique_ptr<rocksdb::FSWritableFile> create(const std::string& name) {
    std::unique_ptr<rocksdb::FSWritableFile> file;
    EXPECT_TRUE(recorder_->NewWritableFile(data_ / name, {}, &file, nullptr).ok());
    return file;
  }
  static bool append(rocksdb::FSWritableFile& file, const std::string& bytes) {
    return file.Append(bytes, {}, nullptr).ok();
  }
  static bool sync(rocksdb::FSWritableFile& file) { return file.Sync({}, nullptr).ok(); }
  [[nodiscard]] ManifestStates states() const {
    const Result<ManifestStates> states = read_states(data_);
    EXPECT_TRUE(states) << states.error().message;
    return states ? *states : ManifestStates();
  }
  static ManifestState state_of(const std::string& bytes) {
    return {bytes.size(), add_to_checksum(0, bytes)};
  }

  const base::TemporaryDirectory temporary_;
  const fs::path& data_ = temporary_.path();
  const std::shared_ptr<FaultFileSystem> disk_ = std::make_shared<FaultFileSystem>();
  std::unique_ptr<ManifestRecorder> recorder_ = std::make_unique<ManifestRecorder>(disk_, data_);
};

TEST_F(ManifestRecorderTest, RecordsWhatWasSynced) {
  const auto manifest = create("MANIFEST-000001");
  ASSERT_TRUE(append(*manifest, "one"));
  EXPECT_FALSE(fs::exists(data_ / "STATE"));
  ASSERT_TRUE(sync(*manifest));
  EXPECT_EQ(states(), (ManifestStates{{"MANIFEST-000001", state_of("one")}}));
  ASSERT_TRUE(append(*manifest, "two"));
  ASSERT_TRUE(append(*manifest, "three"));
  EXPECT_EQ(states(), (ManifestStates{{"MANIFEST-000001", state_of("one")}}));
  ASSERT_TRUE(manifest->Fsync({}, nullptr).ok());
  EXPECT_EQ(states(), (ManifestStates{{"MANIFEST-000001", state_of("onetwothree")}}));
}

TEST_F(ManifestRecorderTest, KnowsTheOldManifestUntilItIsDeleted) {
  const auto old = create("MANIFEST-000001");
  ASSERT_TRUE(append(*old, "old") && sync(*old));
  // Another process goes on, which knows what is on the disk.
  recorder_ = std::make_unique<ManifestRecorder>(disk_, data_);
  const auto manifest = create("MANIFEST-000005");
  ASSERT_TRUE(append(*manifest, "new") && sync(*manifest));
  EXPECT_EQ(states(), (ManifestStates{{"MANIFEST-000001", state_of("old")},
                                      {"MANIFEST-000005", state_of("new")}}));
  ASSERT_TRUE(recorder_->DeleteFile(data_ / "MANIFEST-000001", {}, nullptr).ok());
  ASSERT_TRUE(append(*manifest, "er") && sync(*manifest));
  EXPECT_EQ(states(), (ManifestStates{{"MANIFEST-000005", state_of("newer")}}));
}

TEST_F(ManifestRecorderTest, ForgetsManifestsThatWereDeletedAfterTheLastRecord) {
  const auto old = create("MANIFEST-000001");
  ASSERT_TRUE(append(*old, "old") && sync(*old));
  ASSERT_TRUE(recorder_->DeleteFile(data_ / "MANIFEST-000001", {}, nullptr).ok());
  EXPECT_EQ(states(), (ManifestStates{{"MANIFEST-000001", state_of("old")}}));
  recorder_ = std::make_unique<ManifestRecorder>(disk_, data_);
  const auto manifest = create("MANIFEST-000005");
  ASSERT_TRUE(append(*manifest, "new") && sync(*manifest));
  EXPECT_EQ(states(), (ManifestStates{{"MANIFEST-000005", state_of("new")}}));
}

TEST_F(ManifestRecorderTest, KnowsTheManifestOfADirectoryThatHadNoState) {
  std::ofstream(data_ / "MANIFEST-000001") << "old";
  std::ofstream(data_ / "CURRENT") << "MANIFEST-000001\n";
  const auto manifest = create("MANIFEST-000005");
  ASSERT_TRUE(append(*manifest, "new") && sync(*manifest));
  EXPECT_EQ(states(), (ManifestStates{{"MANIFEST-000001", state_of("old")},
                                      {"MANIFEST-000005", state_of("new")}}));
}

TEST_F(ManifestRecorderTest, LeavesOtherFilesAlone) {
  const auto table = create("000004.sst");
  ASSERT_TRUE(append(*table, "rows") && sync(*table));
  EXPECT_FALSE(fs::exists(data_ / "STATE"));
}

TEST_F(ManifestRecorderTest, DoesNotSyncAManifestThatCannotBeRecorded) {
  const auto manifest = create("MANIFEST-000001");
  ASSERT_TRUE(append(*manifest, "one") && sync(*manifest));
  disk_->fail_appends(".new");
  ASSERT_TRUE(append(*manifest, "two"));
  EXPECT_FALSE(sync(*manifest));
  EXPECT_EQ(states(), (ManifestStates{{"MANIFEST-000001", state_of("one")}}));
  disk_->fail_appends("none");
  EXPECT_TRUE(sync(*manifest));
  EXPECT_EQ(states(), (ManifestStates{{"MANIFEST-000001", state_of("onetwo")}}));
}

TEST_F(ManifestRecorderTest, WritesNothingBehindAFailure) {
  const auto manifest = create("MANIFEST-000001");
  ASSERT_TRUE(append(*manifest, "one") && sync(*manifest));
  disk_->fail_appends("");
  EXPECT_FALSE(append(*manifest, "two"));
  disk_->fail_appends("none");
  EXPECT_FALSE(append(*manifest, "three"));
  EXPECT_EQ(fs::file_size(data_ / "MANIFEST-000001"), 3u);
}

}  // namespace
}  // namespace stator::store
