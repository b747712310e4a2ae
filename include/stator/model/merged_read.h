#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "stator/connection.h"

namespace stator::model {

// Several queries that are each in order, as one that is in order: how keys that are spread over
// write shards are read. A page of each is asked for at once, the next page of one when its items
// are used up. With one query it is that query, page by page. One thread at a time; the connection
// must live longer.
class MergedRead {
 public:
  // `sort_attribute` is the sort key of the table or index; empty: one query after the other.
  MergedRead(Connection& connection, std::vector<QueryRequest> requests,
             std::string sort_attribute);

  // The next item; nothing at the end. Items with equal sort keys come in the order of the queries.
  [[nodiscard]] Outcome<std::optional<Item>> next();

 private:
  struct Source {
    QueryRequest request;
    std::vector<Item> items;
    std::size_t used = 0;
    bool last_page = false;
  };

  void take(Source& source, QueryResponse page);
  Outcome<void> fill();
  [[nodiscard]] bool before(const Item& a, const Item& b) const;

  Connection& connection_;
  std::vector<Source> sources_;
  std::string sort_attribute_;
  bool descending_ = false;
  bool started_ = false;
};

}  // namespace stator::model
