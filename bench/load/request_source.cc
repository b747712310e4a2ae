#include "bench/load/request_source.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace stator::bench {

PreparedSource::PreparedSource(std::size_t count,
                               const std::function<std::string()>& make_request) {
  if (count == 0) {
    throw std::invalid_argument("no requests to prepare");
  }
  ends_.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string request = make_request();
    if (i == 0) {
      bytes_.reserve((request.size() + 8) * count);
    }
    bytes_ += request;
    ends_.push_back(bytes_.size());
  }
}

std::optional<std::string_view> PreparedSource::Next() {
  const std::size_t begin = next_ == 0 ? 0 : ends_[next_ - 1];
  const std::size_t end = ends_[next_];
  next_ = next_ + 1 == ends_.size() ? 0 : next_ + 1;
  return std::string_view(bytes_).substr(begin, end - begin);
}

FillSource::FillSource(std::uint64_t items, std::uint64_t batch, MakeBatch make_batch)
    : items_(items), batch_(batch), make_batch_(std::move(make_batch)) {}

std::optional<std::string_view> FillSource::Next() {
  if (next_ >= items_) {
    return std::nullopt;
  }
  const std::uint64_t first = std::exchange(next_, std::min(next_ + batch_, items_));
  request_ = make_batch_(first, next_);
  return request_;
}

}  // namespace stator::bench
