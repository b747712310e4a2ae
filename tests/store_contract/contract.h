#pragma once

#include "backends.h"

namespace stator::store {

// One store of each backend, empty at first. contract_test.cc says which backends there are.
class StoreContract : public testing::TestWithParam<BackendKind> {
 protected:
  void SetUp() override {
    Result<std::unique_ptr<Store>> opened = backend_->open();
    ASSERT_TRUE(opened.has_value()) << opened.error().message;
    store_ = std::move(*opened);
  }
  void TearDown() override {
    if (store_) EXPECT_OK(store_->close());
  }
  void put_rows(const Rows& rows) {
    Batch batch;
    for (const auto& [key, value] : rows) batch.puts.push_back({key, value});
    ASSERT_OK(commit(*store_, batch));
  }

  std::unique_ptr<Backend> backend_ = GetParam().make();
  std::unique_ptr<Store> store_;
};

}  // namespace stator::store
