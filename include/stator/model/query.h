#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "stator/connection.h"
#include "stator/model/merged_read.h"
#include "stator/model/record.h"

namespace stator::model {

// Lambdas as one visitor: std::visit(Overloaded{[](Order&) {...}, [](LineItem&) {...}}, item).
template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

namespace detail {

template <class... Records>
struct Returned {
  using Type = std::variant<Records...>;
};
template <class Record>
struct Returned<Record> {
  using Type = Record;
};

template <class Record, FixedText Index, bool Has>
struct KeyOnIndex {
  static_assert(Has, "the entity has no template for the partition key of this index");
};

}  // namespace detail

// A query by Session::query. The first of Records gives the key templates, the object that was
// given the values; what comes back is that struct, or a std::variant of several. Items of other
// entities are left out.
//
// One struct: its items in the collection (the sort key begins with the fixed text of its
// template). Several: the whole collection. Where the partition key has a shard, all shards are
// read at once and merged in the order of the sort key.
//
// For one use by one thread; the connection must live longer. A value that a key cannot take is
// the error of the call that reads.
template <class TableType, FixedText IndexName, class First, class... Rest>
class Query {
  using IndexType = typename TableType::template IndexNamed<IndexName>;
  using FirstEntity = typename TableType::template EntityOf<First>;
  static constexpr std::size_t kPartition = FirstEntity::key_index(IndexType::KeyType::kPartition);
  static_assert(
      (static_cast<void>(detail::KeyOnIndex<First, IndexName, kPartition != detail::kNowhere>()),
       true));
  using PartitionKey = std::tuple_element_t<kPartition, typename FirstEntity::Keys>;
  static constexpr int kShards = PartitionKey::kTemplate.shard_count();
  static constexpr bool kProjected =
      IndexType::ProjectionType::kKind != stator::ProjectionType::all;

 public:
  using Returned = typename detail::Returned<First, Rest...>::Type;
  struct Page {
    std::vector<Returned> items = {};
    std::optional<Item> next = {};  // for the next page; nothing: this was the last
  };

  Query(Connection& connection, First from) : connection_(connection), from_(std::move(from)) {
    request_.table_name = std::string(TableType::kName);
    if (!IndexName.view().empty()) request_.index_name = std::string(IndexName.view());
    if constexpr (sizeof...(Rest) == 0) own_items();
  }

  // The sort key begins with its template up to this field, with the values of the object: the
  // orders of a month, the lines of an order.
  template <FixedText Field>
  Query&& up_to() && {
    constexpr std::size_t kEnd = end_of(Field.view());
    static_assert(kEnd > 0, "the sort key's template does not have this field");
    using SortKey = typename SortKeyOf<>::Type;
    auto text = detail::evaluate<FirstEntity, SortKey>(from_, {.parts = kEnd});
    sort_text(begins_with_, std::move(text));
    return std::move(*this);
  }
  // The sort key begins with a text; an empty one stands for everything.
  Query&& begins_with(std::string text) && {
    set_sort(begins_with_, AttributeValue(std::move(text)), std::nullopt);
    return std::move(*this);
  }
  // Both ends included.
  Query&& between(AttributeValue low, AttributeValue high) && {
    set_sort("#stator_s BETWEEN :stator_s AND :stator_t", std::move(low), std::move(high));
    return std::move(*this);
  }
  // The sort keys of these two objects and all between.
  Query&& between(const First& low, const First& high) && {
    using SortKey = typename SortKeyOf<>::Type;
    auto from = detail::evaluate<FirstEntity, SortKey>(low);
    auto to = detail::evaluate<FirstEntity, SortKey>(high);
    sort_text("#stator_s BETWEEN :stator_s AND :stator_t", std::move(from));
    if (!to) {
      problem_ = to.error();
    } else if (*to) {
      sort_upper_ = detail::key_value<SortKey>(std::move(**to));
    }
    return std::move(*this);
  }
  Query&& descending() && {
    request_.scan_index_forward = false;
    return std::move(*this);
  }
  // So many objects at most.
  Query&& limit(std::int64_t count) && {
    limit_ = count;
    return std::move(*this);
  }
  Query&& consistent() && {
    request_.consistent_read = true;
    return std::move(*this);
  }
  // In DynamoDB's words; what it takes out has been read and is paid for.
  Query&& filter(std::string expression, Item values = {}, Names names = {}) && {
    request_.filter = std::move(expression);
    request_.values.merge(values);
    request_.names.merge(names);
    return std::move(*this);
  }

  // Every object, page after page.
  [[nodiscard]] Outcome<std::vector<Returned>> all() && {
    std::vector<Returned> found;
    Outcome<void> read = std::move(*this).run([&](Returned&& one) {
      found.push_back(std::move(one));
      return true;
    });
    if (!read) return read.error();
    return found;
  }
  [[nodiscard]] Outcome<std::optional<Returned>> first() && {
    std::optional<Returned> found;
    limit_ = 1;
    Outcome<void> read = std::move(*this).run([&](Returned&& one) {
      found = std::move(one);
      return false;
    });
    if (!read) return read.error();
    return found;
  }
  // Calls the function for the struct of each object: one function for each of Records.
  template <class... Functions>
  Outcome<void> each(Functions&&... functions) && {
    if constexpr (sizeof...(Rest) == 0) {
      static_assert(sizeof...(Functions) == 1, "one struct is visited by one function");
      return std::move(*this).run([&](Returned&& one) {
        (static_cast<void>(std::invoke(functions, one)), ...);
        return true;
      });
    } else {
      Overloaded visitor{std::forward<Functions>(functions)...};
      return std::move(*this).run([&](Returned&& one) {
        std::visit(visitor, one);
        return true;
      });
    }
  }
  // One page of `limit` rows; `start` is `next` of the page before.
  [[nodiscard]] Outcome<Page> page(std::optional<Item> start = {}) && {
    static_assert(kShards == 0, "a read over shards has no pages: use limit(), all() or each()");
    auto requests = make_requests();
    if (!requests) return requests.error();
    QueryRequest& request = requests->front();
    request.exclusive_start_key = std::move(start);
    auto answer = connection_.query(request);
    if (!answer) return answer.error();
    Page page{.next = std::move(answer->last_evaluated_key)};
    for (const Item& item : answer->items) {
      Outcome<std::optional<Returned>> one = decode<First, Rest...>(item);
      if (!one) return one.error();
      if (*one) page.items.push_back(std::move(**one));
    }
    return page;
  }

 private:
  static constexpr const char* begins_with_ = "begins_with(#stator_s, :stator_s)";

  // Only named where a sort condition is asked for, so that keys without a sort part can be
  // queried.
  template <class OneIndex = IndexType>
  struct SortKeyOf {
    static constexpr std::size_t kAt = FirstEntity::key_index(OneIndex::KeyType::kSort);
    static_assert(kAt != detail::kNowhere, "the entity has no template for this sort key");
    using Type = std::tuple_element_t<kAt, typename FirstEntity::Keys>;
  };

  static constexpr std::size_t end_of(std::string_view field) {
    using SortKey = typename SortKeyOf<>::Type;
    for (std::size_t i = 0; i < SortKey::kTemplate.count; ++i) {
      const TemplatePart& part = SortKey::kTemplate.parts[i];
      if (part.kind != PartKind::field || part.text != field) continue;
      const bool delimited = i + 1 < SortKey::kTemplate.count &&
                             SortKey::kTemplate.parts[i + 1].kind == PartKind::literal;
      return delimited ? i + 2 : i + 1;
    }
    return 0;
  }

  void own_items() {
    constexpr std::size_t kAt = FirstEntity::key_index(IndexType::KeyType::kSort);
    if constexpr (kAt != detail::kNowhere) {
      using SortKey = std::tuple_element_t<kAt, typename FirstEntity::Keys>;
      constexpr TemplatePart kPart = SortKey::kTemplate.parts[0];
      if constexpr (kPart.kind == PartKind::literal && !SortKey::kNumber) {
        set_sort(begins_with_, AttributeValue(kPart.text), std::nullopt);
      }
    }
  }
  void set_sort(const char* condition, AttributeValue value, std::optional<AttributeValue> upper) {
    sort_condition_ = condition;
    sort_value_ = std::move(value);
    sort_upper_ = std::move(upper);
  }
  void sort_text(const char* condition, Outcome<std::optional<std::string>> text) {
    if (!text) {
      problem_ = text.error();
    } else if (!*text) {
      problem_ = detail::invalid("a field of the sort key has no value");
    } else {
      using SortKey = typename SortKeyOf<>::Type;
      set_sort(condition, detail::key_value<SortKey>(std::move(**text)), std::nullopt);
    }
  }

  // One request, or one for each shard.
  Outcome<std::vector<QueryRequest>> make_requests() {
    if (problem_) return *problem_;
    if (limit_ && *limit_ < 1) return detail::invalid("a limit is 1 at least");
    QueryRequest request = request_;
    request.key_condition = "#stator_p = :stator_p";
    request.names["#stator_p"] = IndexType::KeyType::kPartition;
    const bool everything = sort_condition_ == begins_with_ &&
                            sort_value_.is(AttributeType::string) &&
                            sort_value_.as_string().empty();
    if (sort_condition_ != nullptr && !everything) {
      *request.key_condition += std::string(" AND ") + sort_condition_;
      request.names["#stator_s"] = IndexType::KeyType::kSort;
      request.values[":stator_s"] = sort_value_;
      if (sort_upper_) request.values[":stator_t"] = *sort_upper_;
    }
    request.limit = limit_;
    std::vector<QueryRequest> requests;
    for (int shard = 0; shard < (kShards == 0 ? 1 : kShards); ++shard) {
      auto text =
          detail::evaluate<FirstEntity, PartitionKey>(from_, {.shard = kShards == 0 ? -1 : shard});
      if (!text) return text.error();
      if (!*text) return detail::invalid("a field of the partition key has no value");
      request.values[":stator_p"] = detail::key_value<PartitionKey>(std::move(**text));
      requests.push_back(request);
    }
    return requests;
  }

  // The object that an item is; nothing where it is of another entity.
  template <class One, class... Others>
  static Outcome<std::optional<Returned>> decode(const Item& item) {
    using EntityType = typename TableType::template EntityOf<One>;
    if (detail::is_of<TableType, EntityType>(item)) {
      auto record = detail::from_item<TableType, EntityType>(item, kProjected);
      if (!record) return record.error();
      return std::optional<Returned>(std::move(*record));
    }
    if constexpr (sizeof...(Others) > 0) {
      return decode<Others...>(item);
    } else {
      return std::optional<Returned>();
    }
  }

  // Until visit returns false or the limit is reached.
  template <class Visit>
  Outcome<void> run(Visit&& visit) && {
    auto requests = make_requests();
    if (!requests) return requests.error();
    MergedRead read(connection_, std::move(*requests), std::string(IndexType::KeyType::kSort));
    std::int64_t count = 0;
    while (!limit_ || count < *limit_) {
      Outcome<std::optional<Item>> item = read.next();
      if (!item) return item.error();
      if (!*item) return {};
      Outcome<std::optional<Returned>> one = decode<First, Rest...>(**item);
      if (!one) return one.error();
      if (!*one) continue;
      ++count;
      if (!visit(std::move(**one))) return {};
    }
    return {};
  }

  Connection& connection_;
  First from_;
  QueryRequest request_;
  const char* sort_condition_ = nullptr;
  AttributeValue sort_value_;
  std::optional<AttributeValue> sort_upper_;
  std::optional<std::int64_t> limit_;
  std::optional<DatabaseError> problem_;
};

}  // namespace stator::model
