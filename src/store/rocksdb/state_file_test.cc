#include "store/rocksdb/state_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/temporary_directory.h"

namespace stator::store {
namespace {

namespace fs = std::filesystem;

TEST(StateFile, IsReadAsItWasWritten) {
  const ManifestStates cases[] = {
      {},
      {{"MANIFEST-000001", {0, 0}}},
      {{"MANIFEST-000005", {371, 0x0000cafe}}, {"MANIFEST-000009", {UINT64_MAX, UINT32_MAX}}},
  };
  for (const ManifestStates& states : cases)
    EXPECT_EQ(decode_states(encode_states(states)), states);
}

TEST(StateFile, HasAFormThatStays) {
  EXPECT_EQ(encode_states({{"MANIFEST-000005", {371, 0x0000cafe}}}).substr(0, 44),
            "stator state 1\nMANIFEST-000005 371 0000cafe\n");
}

TEST(StateFile, WithAnyDamagedByteOrCutIsNotRead) {
  const std::string text = encode_states({{"MANIFEST-000005", {371, 0x0000cafe}}});
  for (std::size_t at = 0; at < text.size(); ++at) {
    EXPECT_EQ(decode_states(text.substr(0, at)), std::nullopt) << "cut at " << at;
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = text;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
      EXPECT_EQ(decode_states(damaged), std::nullopt) << "bit " << bit << " of byte " << at;
    }
  }
  EXPECT_EQ(decode_states(text + "\n"), std::nullopt);
}

TEST(StateFile, ChecksumsAreThoseOfCrc32AndGoOn) {
  EXPECT_EQ(add_to_checksum(0, "123456789"), 0xcbf43926u);
  EXPECT_EQ(add_to_checksum(add_to_checksum(add_to_checksum(0, "1234"), {}), "56789"), 0xcbf43926u);
}

class CheckManifest : public testing::Test {
 protected:
  void SetUp() override {
    write("CURRENT", "MANIFEST-000005\n");
    write("MANIFEST-000005", "first record");
    write("STATE", encode_states({{"MANIFEST-000005", {12, add_to_checksum(0, "first record")}},
                                  {"MANIFEST-000009", {4, 1}}}));
  }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(data_ / name) << text;
  }
  [[nodiscard]] std::string refusal() const {
    const Result<void> checked = check_manifest(data_);
    if (checked) return "<accepted>";
    const std::string head = "the data directory '" + data_.string() + "' is damaged: ";
    const std::string tail = "; nothing was changed";
    const std::string& message = checked.error().message;
    EXPECT_TRUE(message.starts_with(head) && message.ends_with(tail)) << message;
    return message.substr(head.size(), message.size() - head.size() - tail.size());
  }

  const base::TemporaryDirectory temporary_;
  const fs::path& data_ = temporary_.path();
};

TEST_F(CheckManifest, AcceptsWhatWasWritten) {
  EXPECT_EQ(refusal(), "<accepted>");
  write("MANIFEST-000005", "first record, and one that may be torn");
  EXPECT_EQ(refusal(), "<accepted>");
}

TEST_F(CheckManifest, RefusesAManifestThatIsNotWhatWasWritten) {
  write("MANIFEST-000005", "first rec");
  EXPECT_EQ(refusal(), "MANIFEST-000005 has only 9 of 12 bytes");
  write("MANIFEST-000005", "fIrst record");
  EXPECT_EQ(refusal(), "MANIFEST-000005 is not what was written");
  fs::remove(data_ / "MANIFEST-000005");
  EXPECT_EQ(refusal(), "MANIFEST-000005 cannot be read");
}

TEST_F(CheckManifest, RefusesACurrentFileThatNamesSomethingElse) {
  for (const char* text : {"", "MANIFEST-000005", "MANIFEST-00\n005\n", "MAN"}) {
    write("CURRENT", text);
    EXPECT_EQ(refusal(), "CURRENT does not name a manifest");
  }
  write("CURRENT", "MANIFEST-000007\n");
  EXPECT_EQ(refusal(), "CURRENT names MANIFEST-000007, which is missing or not known to STATE");
}

TEST_F(CheckManifest, RefusesADamagedState) {
  write("STATE", "stator state 1\n");
  EXPECT_EQ(refusal(), "STATE cannot be read");
}

TEST_F(CheckManifest, AcceptsADirectoryWithoutStateOrWithoutCurrent) {
  fs::remove(data_ / "CURRENT");
  EXPECT_EQ(refusal(), "<accepted>") << "a creation that was interrupted";
  write("CURRENT", "MANIFEST-000005\n");
  fs::remove(data_ / "STATE");
  EXPECT_EQ(refusal(), "<accepted>") << "a directory that never had one";
}

}  // namespace
}  // namespace stator::store
