#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "stator/connection.h"
#include "stator/model/query.h"
#include "stator/model/transaction.h"
#include "stator/model/update.h"
#include "stator/model/versions.h"

namespace stator::model {

// The objects of a table over a connection, which must live longer. As many threads as the
// connection takes.
template <class TableType>
class Session {
  template <class Record>
  using EntityOf = typename TableType::template EntityOf<std::remove_cvref_t<Record>>;

 public:
  explicit Session(Connection& connection) : connection_(connection) {}

  // The table and its indexes, as the declaration says.
  Outcome<void> create_table() {
    return connection_.create_table(TableType::create_table_request());
  }

  // Writes the object, whatever was there. Of a versioned entity: only if nobody has written it
  // since it was read (version 0: only if it is not there); its version then goes up.
  template <class Record>
  Outcome<void> put(Record&& record) {
    using EntityType = EntityOf<Record>;
    if constexpr (EntityType::kVersioned) {
      const std::int64_t version = detail::version_of<EntityType>(record);
      auto outcome = write<EntityType>(record, [&](PutItemRequest& request) {
        detail::require_version<TableType, EntityType>(request, version);
      });
      if (!outcome && outcome.error().kind == ErrorKind::conditional_check_failed)
        return version_conflict(outcome.error(), EntityType::kType, version);
      return outcome;
    } else {
      return write<EntityType>(record, [](PutItemRequest&) {});
    }
  }
  // Only where there is no such item: else ErrorKind::conditional_check_failed.
  template <class Record>
  Outcome<void> create(Record&& record) {
    return write<EntityOf<Record>>(record, [](PutItemRequest& request) {
      request.condition = "attribute_not_exists(#partition)";
      request.names["#partition"] = TableType::KeyType::kPartition;
    });
  }

  // The object whose key fields are those of `key`; nothing where there is none.
  template <class Record>
  Outcome<std::optional<Record>> get(const Record& key, bool consistent = false) {
    using EntityType = EntityOf<Record>;
    auto keys = detail::keys_of<TableType, EntityType>(key, true);
    if (!keys) return keys.error();
    auto answer = connection_.get_item({.table_name = std::string(TableType::kName),
                                        .key = std::move(*keys),
                                        .consistent_read = consistent});
    if (!answer) return answer.error();
    return optional_record<EntityType>(answer->item);
  }

  // Of a versioned entity with a version: only if it is still that one.
  template <class Record>
  Outcome<void> erase(const Record& record) {
    using EntityType = EntityOf<Record>;
    auto keys = detail::keys_of<TableType, EntityType>(record, true);
    if (!keys) return keys.error();
    DeleteItemRequest request{.table_name = std::string(TableType::kName), .key = std::move(*keys)};
    std::int64_t version = 0;
    if constexpr (EntityType::kVersioned) {
      version = detail::version_of<EntityType>(record);
      if (version > 0) detail::require_version<TableType, EntityType>(request, version);
    }
    auto answer = connection_.delete_item(request);
    if (answer) return {};
    if (version > 0 && answer.error().kind == ErrorKind::conditional_check_failed)
      return version_conflict(answer.error(), EntityType::kType, version);
    return answer.error();
  }

  // Reads the object, calls change(object) and puts it; again from the start where somebody else
  // came first. Nothing where there is no such object. `change` may return an Outcome<void> to give
  // up.
  template <class Record, class Change>
  Outcome<std::optional<Record>> modify(const Record& key, Change&& change, int attempts = 10) {
    static_assert(EntityOf<Record>::kVersioned, "modify needs an entity with a Version");
    return retry_on_conflict(
        [&]() -> Outcome<std::optional<Record>> {
          auto found = get(key, true);
          if (!found || !*found) return found;
          if constexpr (std::is_void_v<std::invoke_result_t<Change&, Record&>>) {
            change(**found);
          } else {
            const Outcome<void> changed = change(**found);
            if (!changed) return changed.error();
          }
          const Outcome<void> written = put(**found);
          if (!written) return written.error();
          return found;
        },
        attempts);
  }

  // session.update(Order{...key...}).set<"status">("SHIPPED").run()
  template <class Record>
  [[nodiscard]] Update<TableType, Record> update(Record key) {
    return {connection_, std::move(key)};
  }

  // session.query<Order>({.customer_id = "a1b2"}).descending().limit(50).all()
  template <class First, class... Rest>
  [[nodiscard]] Query<TableType, "", First, Rest...> query(std::type_identity_t<First> from) {
    return {connection_, std::move(from)};
  }
  // session.query_index<"GSI1", Order>({.customer_id = "a1b2", .status = "OPEN"}).all()
  template <FixedText IndexName, class First, class... Rest>
  [[nodiscard]] Query<TableType, IndexName, First, Rest...> query_index(
      std::type_identity_t<First> from) {
    return {connection_, std::move(from)};
  }

  [[nodiscard]] Transaction<TableType> transaction() { return Transaction<TableType>(connection_); }

  // Objects as they were at one moment: auto [order, header] = *session.transact_get(key,
  // other_key);
  template <class... Records>
  Outcome<std::tuple<std::optional<Records>...>> transact_get(const Records&... keys) {
    TransactGetItemsRequest request;
    std::optional<DatabaseError> problem;
    const auto add = [&]<class Record>(const Record& key) {
      auto item = detail::keys_of<TableType, EntityOf<Record>>(key, true);
      if (!item) {
        problem = item.error();
      } else {
        request.items.push_back(
            {.table_name = std::string(TableType::kName), .key = std::move(*item)});
      }
    };
    (add(keys), ...);
    if (problem) return std::move(*problem);
    auto answer = connection_.transact_get_items(request);
    if (!answer) return answer.error();
    std::tuple<std::optional<Records>...> found;
    answer->items.resize(sizeof...(Records));
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (
          [&] {
            auto one = optional_record<EntityOf<Records>>(answer->items[I]);
            if (!one) {
              problem = one.error();
            } else {
              std::get<I>(found) = std::move(*one);
            }
          }(),
          ...);
    }
    (std::index_sequence_for<Records...>());
    if (problem) return std::move(*problem);
    return found;
  }

  [[nodiscard]] Connection& connection() { return connection_; }

 private:
  template <class EntityType>
  static Outcome<std::optional<typename EntityType::Record>> optional_record(
      const std::optional<Item>& item) {
    std::optional<typename EntityType::Record> found;
    if (!item) return found;
    auto record = detail::from_item<TableType, EntityType>(*item);
    if (!record) return record.error();
    found = std::move(*record);
    return found;
  }

  template <class EntityType, class Record, class Condition>
  Outcome<void> write(Record& record, Condition&& condition) {
    constexpr bool kChanged = EntityType::kVersioned || EntityType::kHasShardNumber;
    static_assert(
        !kChanged || !std::is_const_v<Record>,
        "the object is changed by a write (version, number of its shard): give a variable");
    if constexpr (EntityType::kHasShardNumber) detail::choose_shard<EntityType>(record);
    auto item = detail::to_item<TableType, EntityType>(record);
    if (!item) return item.error();
    PutItemRequest request{.table_name = std::string(TableType::kName), .item = std::move(*item)};
    if constexpr (EntityType::kVersioned) {
      request.item.insert_or_assign(std::string(detail::VersionField<EntityType>::kName),
                                    AttributeValue(detail::version_of<EntityType>(record) + 1));
    }
    condition(request);
    auto answer = connection_.put_item(request);
    if (!answer) return answer.error();
    if constexpr (EntityType::kVersioned) ++(record.*detail::VersionField<EntityType>::kMember);
    return {};
  }

  Connection& connection_;
};

}  // namespace stator::model
