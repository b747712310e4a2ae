#include "api/operations.h"

#include <gtest/gtest.h>

namespace stator::api {
namespace {

TEST(FindOperation, FindsByTargetHeader) {
  EXPECT_EQ(find_operation("DynamoDB_20120810.BatchGetItem"), batch_get_item);
  EXPECT_EQ(find_operation("DynamoDB_20120810.GetItem"), get_item);
  EXPECT_EQ(find_operation("DynamoDB_20120810.PutItem"), put_item);
  EXPECT_EQ(find_operation("DynamoDB_20120810.Query"), query);
  EXPECT_EQ(find_operation("DynamoDB_20120810.UpdateTable"), update_table);
}

TEST(FindOperation, KnowsNothingElse) {
  for (const char* target :
       {"", "GetItem", ".GetItem", "DynamoDB_20120810", "DynamoDB_20120810.",
        "DynamoDB_20120810.getitem", "DynamoDB_20120810.GetItem ", "DynamoDB_20120810.GetItemX",
        "DynamoDB_20120810.AAA", "DynamoDB_20120810.zzz", "DynamoDB_20111205.GetItem",
        "DynamoDB_20120810.GetItem.x", " DynamoDB_20120810.GetItem"}) {
    EXPECT_EQ(find_operation(target), nullptr) << target;
  }
}

}  // namespace
}  // namespace stator::api
