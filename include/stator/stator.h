#pragma once

// libstator: a DynamoDB-compatible database inside a C++ program.
//
//   auto db = stator::Database::open({.directory = "data"}).value();
//   db.create_table({.table_name = "app", .key = {.partition = {"PK"}, .sort = {"SK"}}}).value();
//
//   const auto put = db.put_item({.table_name = "app",
//                                 .item = {{"PK", "CUST#1"}, {"SK", "ORDER#7"}, {"total",
//                                 Number("149.00")}}, .condition = "attribute_not_exists(PK)"});
//   if (!put && put.error().kind == stator::ErrorKind::conditional_check_failed) { ... }
//
// No header under stator/ includes anything but the standard library. docs/embedding.md tells the
// rest.

#include "stator/attribute_value.h"  // IWYU pragma: export
#include "stator/connection.h"       // IWYU pragma: export
#include "stator/database.h"         // IWYU pragma: export
#include "stator/items.h"            // IWYU pragma: export
#include "stator/outcome.h"          // IWYU pragma: export
#include "stator/tables.h"           // IWYU pragma: export
#include "stator/transactions.h"     // IWYU pragma: export
