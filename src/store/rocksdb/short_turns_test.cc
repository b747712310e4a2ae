#include "store/rocksdb/short_turns.h"

#include <gtest/gtest.h>
#include <rocksdb/db.h>

#include "base/sync_wait.h"
#include "base/temporary_directory.h"
#include "store/rocksdb/open_internal.h"
#include "store/rocksdb/rocks_store.h"

namespace stator::store {
namespace {

// The names of those that were called for the files of a database, which each file tells of itself.
std::vector<std::string> collectors_of_files(const std::string& directory) {
  std::vector<std::string> names;
  rocksdb::DB* opened = nullptr;
  const rocksdb::Status status = rocksdb::DB::OpenForReadOnly({}, directory, &opened);
  EXPECT_TRUE(status.ok()) << status.ToString();
  if (!status.ok()) return names;
  const std::unique_ptr<rocksdb::DB> db(opened);
  rocksdb::TablePropertiesCollection files;
  EXPECT_TRUE(db->GetPropertiesOfAllTables(&files).ok());
  for (const auto& [path, properties] : files) names.push_back(properties->property_collectors_names);
  return names;
}

TEST(ShortTurnsTest, EveryFileOfAStoreIsWrittenInThem) {
  const base::TemporaryDirectory directory;
  RocksOptions options;
  options.directory = directory.path() / "data";
  for (const std::string_view value : {"first", "second"}) {  // opening writes what the log had into a file
    Result<std::unique_ptr<RocksStore>> store = open_rocks_store(options, nullptr);
    ASSERT_TRUE(store.has_value()) << store.error().message;
    Batch batch;
    batch.puts.push_back({"key", value});
    ASSERT_TRUE(base::sync_wait((*store)->commit(batch)).has_value());
  }
  const std::vector<std::string> names = collectors_of_files(options.directory);
  ASSERT_FALSE(names.empty());
  for (const std::string& name : names) EXPECT_NE(name.find("ShortTurns"), std::string::npos) << name;
}

}  // namespace
}  // namespace stator::store
