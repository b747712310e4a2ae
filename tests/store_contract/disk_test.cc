// Disks that are full or may not be written: a clear error, and nothing that was acknowledged is lost.

#include <fmt/format.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cstring>
#include <fstream>

#include "damage.h"

namespace stator::store {
namespace {

// A file system of its own, so that a test can fill it or make it read-only.
class Mount {
 public:
  explicit Mount(fs::path at) : at_(std::move(at)) {
    fs::create_directories(at_);
    mounted_ = ::mount("tmpfs", at_.c_str(), "tmpfs", 0, "size=40m") == 0;
  }
  ~Mount() {
    if (mounted_) ::umount2(at_.c_str(), MNT_DETACH);
  }
  Mount(const Mount&) = delete;
  Mount& operator=(const Mount&) = delete;
  [[nodiscard]] bool mounted() const { return mounted_; }
  [[nodiscard]] bool make_read_only() const {
    return ::mount("tmpfs", at_.c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, "size=40m") == 0;
  }

 private:
  fs::path at_;
  bool mounted_ = false;
};

class Disk : public Damage {};

TEST_F(Disk, AReadOnlyDiskIsRefused) {
  const fs::path at = temporary_.path() / "mount";
  const Mount mount(at);
  if (!mount.mounted()) GTEST_SKIP() << "mounting a tmpfs needs root: " << std::strerror(errno);
  auto store = open(at / "data");
  ASSERT_TRUE(store.has_value()) << store.error().message;
  ASSERT_OK((*store)->close());
  store->reset();
  ASSERT_TRUE(mount.make_read_only());
  for (const char* name : {"data", "new"}) {
    const auto again = open(at / name);
    ASSERT_FALSE(again.has_value());
    EXPECT_EQ(again.error().code, ErrorCode::out_of_space);
    EXPECT_NE(again.error().message.find("Read-only file system"), std::string::npos)
        << again.error().message;
  }
}

TEST_F(Disk, ADirectoryWithoutPermissionIsRefused) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  fs::create_directory(data_);
  fs::permissions(data_, fs::perms::owner_read | fs::perms::owner_exec);
  const auto store = open(data_);
  ASSERT_FALSE(store.has_value());
  EXPECT_EQ(store.error().code, ErrorCode::out_of_space);
}

TEST_F(Disk, AFullDiskLosesNothingAndWorksAgainWhenThereIsRoom) {
  const fs::path at = temporary_.path() / "mount";
  const Mount mount(at);
  if (!mount.mounted()) GTEST_SKIP() << "mounting a tmpfs needs root: " << std::strerror(errno);
  // Something that can be removed later.
  std::ofstream(at / "ballast") << std::string(28 << 20, 'x');
  auto opened = open(at / "data");
  ASSERT_TRUE(opened.has_value()) << opened.error().message;
  std::unique_ptr<Store> store = std::move(*opened);

  std::string value(16 << 10, '\0');
  std::vector<std::string> acknowledged;
  Result<void> done;
  for (int i = 0; done && i < 10000; ++i) {
    for (std::size_t at_byte = 0; at_byte < value.size(); ++at_byte) {
      value[at_byte] =
          static_cast<char>((at_byte * 2654435761u + static_cast<unsigned>(i) * 40503u) >> 8);
    }
    std::string key = fmt::format("k{:05}", i);
    done = put(*store, key, value);
    if (done) acknowledged.push_back(std::move(key));
  }
  EXPECT_ERROR(done, ErrorCode::out_of_space);
  ASSERT_GT(acknowledged.size(), 100u);
  for (const std::string& key : acknowledged) ASSERT_TRUE(get(*store, key).exists) << key;

  fs::remove(at / "ballast");
  do {
    done = put(*store, "after", "there is room again");
  } while (!done && done.error().code == ErrorCode::out_of_space);
  ASSERT_OK(done);
  acknowledged.push_back("after");
  ASSERT_OK(store->close());
  opened = open(at / "data");
  ASSERT_TRUE(opened.has_value()) << opened.error().message;
  store = std::move(*opened);
  for (const std::string& key : acknowledged) ASSERT_TRUE(get(*store, key).exists) << key;
  ASSERT_OK(store->close());
}

TEST_F(Disk, AStartOnAFullDiskIsRefusedUntilThereIsRoom) {
  const fs::path at = temporary_.path() / "mount";
  const Mount mount(at);
  if (!mount.mounted()) GTEST_SKIP() << "mounting a tmpfs needs root: " << std::strerror(errno);
  make_crashed(100, 52'000);
  fs::copy(data_, at / "data", fs::copy_options::recursive);
  const auto taken = (40 << 20) - fs::space(at).available;
  std::ofstream(at / "ballast") << std::string((38 << 20) - taken, 'x');
  for (int attempt = 0; attempt < 2; ++attempt) {
    const auto refused = open(at / "data");
    EXPECT_ERROR(refused, ErrorCode::out_of_space);
    EXPECT_EQ(
        refused.error().message,
        fmt::format("the disk of the data directory '{}' is full: 10 MB are needed to open it",
                    (at / "data").string()));
  }
  fs::remove(at / "ballast");
  auto store = open(at / "data");
  ASSERT_TRUE(store.has_value()) << store.error().message;
  EXPECT_EQ(scan(**store, {}).size(), 100u);
  ASSERT_OK((*store)->close());
}

TEST_F(Disk, AFullDiskIsReadableAfterAReopen) {
  const fs::path at = temporary_.path() / "mount";
  const Mount mount(at);
  if (!mount.mounted()) GTEST_SKIP() << "mounting a tmpfs needs root: " << std::strerror(errno);
  std::ofstream(at / "ballast") << std::string(28 << 20, 'x');
  std::vector<std::string> acknowledged;
  {
    auto store = open(at / "data");
    ASSERT_TRUE(store.has_value()) << store.error().message;
    const std::string value(16 << 10, 'v');
    Result<void> done;
    for (int i = 0; done && i < 10000; ++i) {
      std::string key = fmt::format("k{:05}", i);
      done = put(**store, key, value);
      if (done) acknowledged.push_back(std::move(key));
    }
    EXPECT_ERROR(done, ErrorCode::out_of_space);
  }  // destroyed, not closed: whatever the flush of a close could do fails
  fs::remove(at / "ballast");
  auto store = open(at / "data");
  ASSERT_TRUE(store.has_value()) << store.error().message;
  for (const std::string& key : acknowledged) ASSERT_TRUE(get(**store, key).exists) << key;
  ASSERT_OK((*store)->close());
}

}  // namespace
}  // namespace stator::store
