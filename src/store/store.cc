#include "store/store.h"

#include <cstring>

namespace stator::store {

Bytes Bytes::copy_of(std::string_view bytes) {
  if (bytes.empty()) return {};
  char* copy = new char[bytes.size()];
  std::memcpy(copy, bytes.data(), bytes.size());
  return Bytes({copy, bytes.size()}, copy,
               [](void* owner) noexcept { delete[] static_cast<char*>(owner); });
}

}  // namespace stator::store
