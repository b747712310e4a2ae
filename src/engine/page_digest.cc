#include "engine/page_digest.h"

#include <cstring>

#include "base/buffer.h"

namespace stator::engine {
namespace {

struct Head {
  std::int64_t rows;
  std::uint64_t item_bytes;
  std::uint64_t first_key_bytes;
};

}  // namespace

std::string_view pack(const PageDigest& digest) {
  static thread_local base::Buffer bytes;
  const Head head{digest.rows, digest.item_bytes, digest.first_key.size()};
  bytes.clear();
  bytes.append({reinterpret_cast<const char*>(&head), sizeof head});
  bytes.append(digest.first_key);
  bytes.append(digest.items);
  return bytes.view();
}

PageDigest unpack(std::string_view bytes) noexcept {
  Head head;
  std::memcpy(&head, bytes.data(), sizeof head);
  return {head.rows, head.item_bytes, bytes.substr(sizeof head, head.first_key_bytes),
          bytes.substr(sizeof head + head.first_key_bytes)};
}

}  // namespace stator::engine
