#pragma once

#include <sys/socket.h>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_map>

namespace stator::net {

// Where a client is, as far as its share is concerned: an IPv4 address, or the network of an IPv6 address, since a client has all
// addresses of its own network (/64).
using ClientAddress = std::uint64_t;

[[nodiscard]] ClientAddress client_address(const sockaddr_storage& address) noexcept;

// How many connections there are, in all and of each address. Shared by all reactors.
class ConnectionPlaces {
 public:
  ConnectionPlaces(std::size_t all_max, std::size_t address_max) noexcept : all_max_(all_max), address_max_(address_max) {}

  enum class Taken : std::uint8_t { yes, all_taken, share_taken };
  [[nodiscard]] Taken take(ClientAddress address);
  void give_back(ClientAddress address) noexcept;
  // What take() would say.
  [[nodiscard]] Taken look(ClientAddress address) const;

 private:
  [[nodiscard]] Taken look_locked(std::size_t of_address) const noexcept {
    if (count_ >= all_max_) return Taken::all_taken;
    return of_address >= address_max_ ? Taken::share_taken : Taken::yes;
  }

  const std::size_t all_max_;
  const std::size_t address_max_;
  mutable std::mutex mutex_;
  std::size_t count_ = 0;                                   // guarded by mutex_
  std::unordered_map<ClientAddress, std::size_t> counts_;  // guarded by mutex_; none is zero
};

}  // namespace stator::net
