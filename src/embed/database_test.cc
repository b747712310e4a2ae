#include <fstream>

#include "embed/test_support.h"

namespace stator {
namespace {

TEST(Database, KeepsItsDirectory) {
  const TemporaryDirectory directory;
  const Item item = {{"PK", "a"}, {"SK", "1"}, {"list", List{1, Item{{"deep", StringSet{"x"}}}}}};
  {
    Database db = Database::open(on_disk(directory)).value();
    db.create_table(app_table()).value();
    db.put_item({.table_name = "app", .item = item}).value();
    EXPECT_TRUE(db.close());
  }
  for (const Durability durability : {Durability::full, Durability::relaxed}) {
    Options options = on_disk(directory);
    options.durability = durability;
    Database db = Database::open(options).value();  // closed by its destructor
    EXPECT_EQ(db.list_tables().value().table_names, std::vector<std::string>{"app"});
    EXPECT_EQ(db.get_item({.table_name = "app", .key = {{"PK", "a"}, {"SK", "1"}}}).value().item,
              item);
    EXPECT_EQ(db.describe_table({.table_name = "app"}).value().item_count, 1);
  }
}

// Databases that follow each other in a program may lie at the same address; nothing of the first
// may shine through.
TEST(Database, KnowsItsOwnTablesOnly) {
  for (int i = 0; i < 20; ++i) {
    const std::string name = "table-" + std::to_string(i);
    Database db = Database::open({.in_memory = true}).value();
    db.create_table({.table_name = name, .key = {.partition = {{"id", ScalarType::number}}}})
        .value();
    const auto put = db.put_item({.table_name = name, .item = {{"id", i}}});
    ASSERT_TRUE(put) << put.error().text();
    ASSERT_EQ(db.list_tables().value().table_names, std::vector<std::string>{name});
  }
}

TEST(Database, IsForOneProcessAtATime) {
  const TemporaryDirectory directory;
  Database db = Database::open(on_disk(directory)).value();
  const auto second = Database::open(on_disk(directory));
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, ErrorKind::unavailable);
  EXPECT_EQ(second.error().message,
            "the data directory '" + data_in(directory) + "' is in use by another process");
  EXPECT_TRUE(db.close());
  EXPECT_TRUE(Database::open(on_disk(directory)));
}

TEST(Database, AnswersUnavailableAfterClosing) {
  Database db = Database::open({.in_memory = true}).value();
  EXPECT_TRUE(db.close());
  EXPECT_TRUE(db.close());
  const auto tables = db.list_tables();
  ASSERT_FALSE(tables);
  EXPECT_EQ(tables.error().kind, ErrorKind::unavailable);
  EXPECT_EQ(tables.error().text(), "ServiceUnavailable: the database is closed");
  const Database moved = std::move(db);
  EXPECT_EQ(error_text(db.list_tables()), "ServiceUnavailable: the database is closed");
}

TEST(Database, CanBeMoved) {
  Database first = Database::open({.in_memory = true}).value();
  first.create_table(app_table()).value();
  Database second = std::move(first);
  EXPECT_EQ(second.list_tables().value().table_names.size(), 1U);
  second = Database::open({.in_memory = true}).value();
  EXPECT_TRUE(second.list_tables().value().table_names.empty());
}

TEST(Database, IsNotOpenedWithoutKnowingWhere) {
  EXPECT_EQ(error_text(Database::open({})),
            "ValidationException: Options: directory is required, unless in_memory is set");
  EXPECT_EQ(error_text(Database::open({.directory = "data", .in_memory = true})),
            "ValidationException: Options: a database in memory has no directory");
}

TEST(Database, RefusesADirectoryOfSomethingElse) {
  const TemporaryDirectory directory;
  std::filesystem::create_directory(data_in(directory));
  std::ofstream(data_in(directory) + "/letter.txt") << "Dear Sir";
  const auto opened = Database::open(on_disk(directory));
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().message.find(data_in(directory)), std::string::npos)
      << opened.error().text();
  EXPECT_TRUE(std::filesystem::exists(data_in(directory) + "/letter.txt"));
}

}  // namespace
}  // namespace stator
