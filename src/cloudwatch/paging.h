#pragma once

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

#include "cloudwatch/errors.h"
#include "service/parameters.h"

namespace stator::cloudwatch {

// A page of a list: tokens are the number of elements that were given out before.
struct Paging {
  std::size_t begin = 0;
  std::size_t limit = 0;

  [[nodiscard]] bool has(std::size_t place) const { return place >= begin && place - begin < limit; }
  [[nodiscard]] std::size_t end(std::size_t size) const { return size - std::min(size, begin) > limit ? begin + limit : size; }
};

[[nodiscard]] inline Result<Paging> read_paging(const service::Parameters& in, std::size_t limit_default) {
  Paging paging{.limit = limit_default};
  if (const auto limit = in.integer("MaxRecords")) paging.limit = static_cast<std::size_t>(*limit);
  if (const auto token = in.string("NextToken")) {
    const auto [last, error] = std::from_chars(token->data(), token->data() + token->size(), paging.begin);
    if (error != std::errc() || last != token->data() + token->size()) return invalid_next_token();
  }
  return paging;
}

}  // namespace stator::cloudwatch
