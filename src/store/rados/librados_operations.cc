#include "store/rados/librados_operations.h"

namespace stator::store::rados {

librados::AioCompletion* LibradosPending::expect(std::shared_ptr<LibradosPending> self) {
  completion_ = librados::Rados::aio_create_completion(this, ended);
  self_ = std::move(self);
  return completion_;
}

void LibradosPending::refused(int status) {
  const std::shared_ptr<LibradosPending> self = std::move(self_);
  if (!deadlines_.end(*this)) return;
  answer(status);
  deadlines_.answered();
}

void LibradosPending::ended(rados_completion_t completion, void* argument) {
  auto* const pending = static_cast<LibradosPending*>(argument);
  const std::shared_ptr<LibradosPending> self = std::move(pending->self_);
  if (!pending->deadlines_.end(*pending)) return;  // too late
  pending->answer(pending->reply(rados_aio_get_return_value(completion)));
  pending->deadlines_.answered();
}

Reply LibradosPending::reply(int status) {
  Reply reply;
  reply.status = status;
  return reply;
}

namespace {

std::uint8_t operator_of(Compare how) {
  switch (how) {
    case Compare::equal:
      return LIBRADOS_CMPXATTR_OP_EQ;
    case Compare::less:
      return LIBRADOS_CMPXATTR_OP_LT;
    case Compare::greater:
      return LIBRADOS_CMPXATTR_OP_GT;
  }
  return LIBRADOS_CMPXATTR_OP_EQ;
}

// Arrays of pointers, as the C interface wants them; refer to the strings.
struct Pointers {
  std::vector<const char*> data;
  std::vector<std::size_t> sizes;
  void add(const std::string& text) {
    data.push_back(text.data());
    sizes.push_back(text.size());
  }
};

}  // namespace

WriteOperation build(const WriteRequest& request) {
  WriteOperation operation(rados_create_write_op());
  if (request.create || request.create_exclusive) {
    rados_write_op_create(
        operation.get(),
        request.create_exclusive ? LIBRADOS_CREATE_EXCLUSIVE : LIBRADOS_CREATE_IDEMPOTENT, nullptr);
  } else {
    rados_write_op_assert_exists(operation.get());
  }
  for (const auto& comparison : request.comparisons) {
    rados_write_op_omap_cmp2(operation.get(), comparison.key.data(), operator_of(comparison.how),
                             comparison.value.data(), comparison.key.size(),
                             comparison.value.size(), nullptr);
  }
  for (const auto& [from, to] : request.removed_ranges) {
    rados_write_op_omap_rm_range2(operation.get(), from.data(), from.size(), to.data(), to.size());
  }
  if (!request.removed.empty()) {
    Pointers keys;
    for (const std::string& key : request.removed) keys.add(key);
    rados_write_op_omap_rm_keys2(operation.get(), keys.data.data(), keys.sizes.data(),
                                 keys.data.size());
  }
  if (!request.set.empty()) {
    Pointers keys, values;
    for (const auto& [key, value] : request.set) {
      keys.add(key);
      values.add(value);
    }
    rados_write_op_omap_set2(operation.get(), keys.data.data(), values.data.data(),
                             keys.sizes.data(), values.sizes.data(), keys.data.size());
  }
  return operation;
}

std::size_t bytes_of(const WriteRequest& request) {
  std::size_t bytes = 0;
  for (const auto& comparison : request.comparisons)
    bytes += comparison.key.size() + comparison.value.size();
  for (const auto& [from, to] : request.removed_ranges) bytes += from.size() + to.size();
  for (const std::string& key : request.removed) bytes += key.size();
  for (const auto& [key, value] : request.set) bytes += key.size() + value.size();
  return bytes;
}

std::size_t bytes_of(const ReadRequest& request) {
  std::size_t bytes = 0;
  for (const std::string& key : request.keys) bytes += key.size();
  for (const ReadRequest::Range& range : request.ranges)
    bytes += range.after.size() + range.prefix.size();
  return bytes;
}

void PendingRead::build(const ReadRequest& request) {
  ranges_.resize(request.ranges.size());
  more_ = std::make_unique<bool[]>(request.ranges.size());
  if (!request.keys.empty()) {
    operation.omap_get_vals_by_keys({request.keys.begin(), request.keys.end()}, &values_, nullptr);
  }
  for (std::size_t i = 0; i < request.ranges.size(); ++i) {
    const ReadRequest::Range& range = request.ranges[i];
    operation.omap_get_vals2(range.after, range.prefix, range.entries_max, &ranges_[i], &more_[i],
                             nullptr);
  }
}

Reply PendingRead::reply(int status) {
  Reply reply;
  reply.status = status;
  for (auto& [key, value] : values_) reply.values.emplace(key, value.to_str());
  for (std::size_t i = 0; i < ranges_.size(); ++i) {
    Reply::Entries& entries = reply.ranges.emplace_back();
    entries.more = more_[i];
    entries.entries.reserve(ranges_[i].size());
    for (auto& [key, value] : ranges_[i]) entries.entries.emplace_back(key, value.to_str());
  }
  return reply;
}

}  // namespace stator::store::rados
