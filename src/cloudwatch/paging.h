#pragma once

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

  [[nodiscard]] std::size_t end(std::size_t size) const { return size - std::min(size, begin) > limit ? begin + limit : size; }
};

[[nodiscard]] inline Result<Paging> read_paging(const service::Parameters& in, std::size_t limit_max,
                                                std::string_view limit_member = "MaxRecords") {
  Paging paging{.limit = limit_max};
  const auto limit = in.integer(limit_member);
  const auto token = in.string("NextToken");
  if (limit) {
    if (*limit < 1 || static_cast<std::size_t>(*limit) > limit_max) {
      std::string member(limit_member);
      member[0] = 'm';
      return validation(fmt::format("1 validation error detected: Value '{}' at '{}' failed to satisfy constraint: Member "
                                    "must have value {} than or equal to {}",
                                    *limit, member, *limit < 1 ? "greater" : "less", *limit < 1 ? 1 : limit_max));
    }
    paging.limit = static_cast<std::size_t>(*limit);
  }
  if (token) {
    const auto [last, error] = std::from_chars(token->data(), token->data() + token->size(), paging.begin);
    if (error != std::errc() || last != token->data() + token->size()) return invalid_next_token();
  }
  return paging;
}

}  // namespace stator::cloudwatch
