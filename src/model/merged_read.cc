#include "stator/model/merged_read.h"

#include <algorithm>

namespace stator::model {
namespace {

// Keys compare as the database sorts them: text and bytes byte by byte, numbers by value.
int compare(const AttributeValue& a, const AttributeValue& b) {
  if (a.type() != b.type()) return a.type() < b.type() ? -1 : 1;
  switch (a.type()) {
    case AttributeType::string:
      return a.as_string().compare(b.as_string());
    case AttributeType::binary:
      return a.as_binary().bytes.compare(b.as_binary().bytes);
    case AttributeType::number: {
      const auto order = a.as_number() <=> b.as_number();
      return order < 0 ? -1 : order > 0 ? 1 : 0;
    }
    default:
      return 0;
  }
}

}  // namespace

MergedRead::MergedRead(Connection& connection, std::vector<QueryRequest> requests,
                       std::string sort_attribute)
    : connection_(connection), sort_attribute_(std::move(sort_attribute)) {
  for (QueryRequest& request : requests) {
    descending_ = !request.scan_index_forward;
    sources_.push_back({.request = std::move(request), .items = {}});
  }
}

void MergedRead::take(Source& source, QueryResponse page) {
  source.items = std::move(page.items);
  source.used = 0;
  source.last_page = !page.last_evaluated_key.has_value();
  source.request.exclusive_start_key = std::move(page.last_evaluated_key);
}

// Every source gets items, unless it has none left. A page may be empty and not the last one.
Outcome<void> MergedRead::fill() {
  if (!started_) {
    started_ = true;
    std::vector<QueryRequest> requests;
    for (const Source& source : sources_) requests.push_back(source.request);
    std::vector<Outcome<QueryResponse>> pages = connection_.query_all(requests);
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      if (!pages[i]) return pages[i].error();
      take(sources_[i], std::move(*pages[i]));
    }
  }
  for (Source& source : sources_) {
    while (source.used == source.items.size() && !source.last_page) {
      Outcome<QueryResponse> page = connection_.query(source.request);
      if (!page) return page.error();
      take(source, std::move(*page));
    }
  }
  return {};
}

bool MergedRead::before(const Item& a, const Item& b) const {
  const auto left = a.find(sort_attribute_);
  const auto right = b.find(sort_attribute_);
  if (left == a.end() || right == b.end()) return false;
  const int order = compare(left->second, right->second);
  return descending_ ? order > 0 : order < 0;
}

Outcome<std::optional<Item>> MergedRead::next() {
  if (const Outcome<void> filled = fill(); !filled) return filled.error();
  Source* best = nullptr;
  for (Source& source : sources_) {
    if (source.used == source.items.size()) continue;
    if (best == nullptr || before(source.items[source.used], best->items[best->used]))
      best = &source;
  }
  if (best == nullptr) return std::optional<Item>();
  return std::optional<Item>(std::move(best->items[best->used++]));
}

}  // namespace stator::model
