#include "store/store.h"

#include <cstring>

#include "store/collect_rows.h"

namespace stator::store {

Bytes Bytes::copy_of(std::string_view bytes) {
  if (bytes.empty()) return {};
  char* copy = new char[bytes.size()];
  std::memcpy(copy, bytes.data(), bytes.size());
  return Bytes({copy, bytes.size()}, copy,
               [](void* owner) noexcept { delete[] static_cast<char*>(owner); });
}

std::string log_key(std::string_view prefix, std::uint64_t position) {
  std::string key(prefix);
  for (int shift = 56; shift >= 0; shift -= 8) key.push_back(static_cast<char>(position >> shift));
  return key;
}

std::uint64_t read_position(std::string_view key) noexcept {
  std::uint64_t position = 0;
  if (key.size() < kPositionBytes) return 0;
  for (const char byte : key.substr(key.size() - kPositionBytes)) {
    position = position << 8 | static_cast<unsigned char>(byte);
  }
  return position;
}

bool is_outdated(const Error& error) { return dynamic_cast<const Outdated*>(error.detail.get()) != nullptr; }

base::Task<Result<std::vector<KeyedRow>>> Store::get_range(Range range, std::size_t count_max) {
  std::vector<KeyedRow> result;
  if (count_max == 0) co_return result;
  CollectKeys found(count_max);
  const Result<void> scanned = co_await scan(range, Direction::ascending, found);
  CO_TRY_VOID(scanned);
  const std::vector<std::string_view> keys(found.keys.begin(), found.keys.end());
  Result<std::vector<Row>> rows = co_await get_many(keys, ReadMode::latest);
  CO_TRY_VOID(rows);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    result.push_back({std::move(found.keys[i]), std::move((*rows)[i])});
  }
  co_return result;
}

base::Task<Result<void>> Store::raise_fence(std::string_view, std::uint64_t) {
  return base::Task<Result<void>>::ready({});
}

base::Task<Result<void>> Store::announce() { return base::Task<Result<void>>::ready({}); }

void Store::listen(Listener) {}

}  // namespace stator::store
