#pragma once

#include <cstddef>
#include <cstdint>

namespace stator::net {

// Makes names for requests: unique in practice, not secret. One thread each.
class RequestIds {
 public:
  RequestIds();  // seeded by the operating system
  // Writes 52 characters of [0-9A-V], the alphabet of the service's request ids.
  void write(char* to) noexcept;

 private:
  std::uint64_t next() noexcept;
  std::uint64_t state_[4];
};

}  // namespace stator::net
