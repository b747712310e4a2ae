#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "api/operations.h"
#include "net/exchange.h"

namespace stator::server {

// What was made of the heads that come again and again (net::Request::head_number): it need not be made anew. Only of heads that led
// to an operation; those with a fault are looked at each time. One thread.
class KnownHeads {
 public:
  struct Meaning {
    const api::OperationEntry* operation = nullptr;
    std::string_view content_type;     // of the answer; a constant
    std::uint32_t region_offset = 0;   // in the Authorization header
    std::uint32_t region_size = 0;

    [[nodiscard]] std::string_view region(const net::Request& request) const noexcept {
      return request.authorization.substr(region_offset, region_size);
    }
  };

  // Null where the head is not known. Valid until the next keep().
  [[nodiscard]] const Meaning* find(const net::Request& request) const noexcept {
    const Entry& entry = entries_[request.head_number % entries_.size()];
    return request.head_number != 0 && entry.number == request.head_number ? &entry.meaning : nullptr;
  }
  // `region` is a part of the request's Authorization header.
  void keep(const net::Request& request, const api::OperationEntry& operation, std::string_view content_type,
            std::string_view region) noexcept {
    if (request.head_number == 0) return;
    entries_[request.head_number % entries_.size()] = {
        request.head_number,
        {&operation, content_type, static_cast<std::uint32_t>(region.data() - request.authorization.data()),
         static_cast<std::uint32_t>(region.size())}};
  }

  // Those of the calling thread.
  static KnownHeads& local() {
    thread_local KnownHeads heads;
    return heads;
  }

 private:
  struct Entry {
    std::uint64_t number = 0;
    Meaning meaning;
  };
  std::array<Entry, 16> entries_;
};

}  // namespace stator::server
