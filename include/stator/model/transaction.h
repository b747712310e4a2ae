#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "stator/connection.h"
#include "stator/model/versions.h"

namespace stator::model {

// Writes of up to 100 objects, all or nothing, by Session::transaction. Objects are borrowed until
// commit(), which then gives them their new versions. For one use by one thread; the connection
// must live longer. An object that cannot be written is the error of commit().
template <class TableType>
class Transaction {
 public:
  explicit Transaction(Connection& connection) : connection_(connection) {}

  // As Session::put: under its version where the entity has one.
  template <class Record>
  Transaction&& put(Record& record) && {
    using EntityType = typename TableType::template EntityOf<std::remove_const_t<Record>>;
    if constexpr (EntityType::kVersioned) {
      static_assert(!std::is_const_v<Record>, "a versioned object is changed by a write");
      const std::int64_t version = detail::version_of<EntityType>(record);
      add_put<EntityType>(record, [&](TransactPut& put) {
        detail::require_version<TableType, EntityType>(put, version);
      });
      versioned_.back() = true;
    } else {
      add_put<EntityType>(record, [](TransactPut&) {});
    }
    return std::move(*this);
  }
  // Cancels the transaction where there is such an item already.
  template <class Record>
  Transaction&& create(Record& record) && {
    using EntityType = typename TableType::template EntityOf<std::remove_const_t<Record>>;
    add_put<EntityType>(record, [](TransactPut& put) {
      put.condition = "attribute_not_exists(#partition)";
      put.names["#partition"] = TableType::KeyType::kPartition;
    });
    return std::move(*this);
  }
  template <class Record>
  Transaction&& erase(const Record& record) && {
    using EntityType = typename TableType::template EntityOf<Record>;
    TransactDelete action{.table_name = std::string(TableType::kName)};
    bool versioned = false;
    if constexpr (EntityType::kVersioned) {
      if (const std::int64_t version = detail::version_of<EntityType>(record); version > 0) {
        detail::require_version<TableType, EntityType>(action, version);
        versioned = true;
      }
    }
    add_keyed<EntityType>(record, std::move(action), versioned);
    return std::move(*this);
  }
  // Cancels the transaction where the object's item does not meet the condition.
  template <class Record>
  Transaction&& check(const Record& record, std::string condition, Item values = {},
                      Names names = {}) && {
    using EntityType = typename TableType::template EntityOf<Record>;
    add_keyed<EntityType>(record,
                          TransactCheck{.table_name = std::string(TableType::kName),
                                        .condition = std::move(condition),
                                        .names = std::move(names),
                                        .values = std::move(values)},
                          false);
    return std::move(*this);
  }

  // ErrorKind::version_conflict where versions alone were the reason, else transaction_canceled
  // with the reason of each item.
  Outcome<void> commit() && {
    if (problem_) return *problem_;
    auto answer = connection_.transact_write_items(request_);
    if (!answer) {
      if (conflict(answer.error())) return version_conflict(answer.error(), "transaction", -1);
      return answer.error();
    }
    for (const auto& note : written_) note();
    return {};
  }

 private:
  template <class EntityType, class Record, class Condition>
  void add_put(Record& record, Condition&& condition) {
    static_assert(!std::is_const_v<Record> || !EntityType::kHasShardNumber,
                  "the number of the object's shard is chosen by a write: give a variable");
    if constexpr (EntityType::kHasShardNumber) detail::choose_shard<EntityType>(record);
    auto item = detail::to_item<TableType, EntityType>(record);
    if (!item) {
      problem_ = item.error();
      return;
    }
    TransactPut put{.table_name = std::string(TableType::kName), .item = std::move(*item)};
    if constexpr (EntityType::kVersioned) {
      const std::int64_t next = detail::version_of<EntityType>(record) + 1;
      put.item.insert_or_assign(std::string(detail::VersionField<EntityType>::kName),
                                AttributeValue(next));
      static_assert(!std::is_const_v<Record>, "a versioned object is changed by a write");
      written_.push_back([&record] { ++(record.*detail::VersionField<EntityType>::kMember); });
    }
    condition(put);
    request_.items.emplace_back(std::move(put));
    versioned_.push_back(false);
  }
  template <class EntityType, class Action>
  void add_keyed(const typename EntityType::Record& record, Action action, bool versioned) {
    auto key = detail::keys_of<TableType, EntityType>(record, true);
    if (!key) {
      problem_ = key.error();
      return;
    }
    action.key = std::move(*key);
    request_.items.emplace_back(std::move(action));
    versioned_.push_back(versioned);
  }
  [[nodiscard]] bool conflict(const DatabaseError& error) const {
    if (error.kind != ErrorKind::transaction_canceled || error.reasons.size() != versioned_.size())
      return false;
    bool found = false;
    for (std::size_t i = 0; i < versioned_.size(); ++i) {
      if (error.reasons[i].code == "None") continue;
      if (error.reasons[i].code != "ConditionalCheckFailed" || !versioned_[i]) return false;
      found = true;
    }
    return found;
  }

  Connection& connection_;
  TransactWriteItemsRequest request_;
  std::vector<bool> versioned_;  // by item: whether its condition is its version
  std::vector<std::function<void()>> written_;
  std::optional<DatabaseError> problem_;
};

}  // namespace stator::model
