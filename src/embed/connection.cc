// A Connection to a Database of this process.
#include "stator/connection.h"

#include "stator/database.h"

namespace stator {
namespace {

template <class T>
Outcome<void> without_answer(const Outcome<T>& outcome) {
  if (!outcome) return outcome.error();
  return {};
}

class DatabaseConnection final : public Connection {
 public:
  explicit DatabaseConnection(Database& database) : database_(database) {}

  Outcome<void> create_table(const CreateTableRequest& request) override {
    return without_answer(database_.create_table(request));
  }
  Outcome<void> delete_table(const DeleteTableRequest& request) override {
    return without_answer(database_.delete_table(request));
  }
  Outcome<PutItemResponse> put_item(const PutItemRequest& request) override {
    return database_.put_item(request);
  }
  Outcome<GetItemResponse> get_item(const GetItemRequest& request) override {
    return database_.get_item(request);
  }
  Outcome<UpdateItemResponse> update_item(const UpdateItemRequest& request) override {
    return database_.update_item(request);
  }
  Outcome<DeleteItemResponse> delete_item(const DeleteItemRequest& request) override {
    return database_.delete_item(request);
  }
  Outcome<QueryResponse> query(const QueryRequest& request) override {
    return database_.query(request);
  }
  Outcome<TransactWriteItemsResponse> transact_write_items(
      const TransactWriteItemsRequest& request) override {
    return database_.transact_write_items(request);
  }
  Outcome<TransactGetItemsResponse> transact_get_items(
      const TransactGetItemsRequest& request) override {
    return database_.transact_get_items(request);
  }

 private:
  Database& database_;
};

}  // namespace

std::unique_ptr<Connection> connect(Database& database) {
  return std::make_unique<DatabaseConnection>(database);
}

}  // namespace stator
