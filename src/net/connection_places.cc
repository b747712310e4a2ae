#include "net/connection_places.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <cstring>

namespace stator::net {

ClientAddress client_address(const sockaddr_storage& address) noexcept {
  constexpr ClientAddress kIpv4 = 0xffff'0000'0000;  // as IPv6 writes IPv4 addresses
  if (address.ss_family == AF_INET) {
    return kIpv4 | ntohl(reinterpret_cast<const sockaddr_in&>(address).sin_addr.s_addr);
  }
  if (address.ss_family != AF_INET6) return 0;
  const in6_addr& ip = reinterpret_cast<const sockaddr_in6&>(address).sin6_addr;
  std::uint32_t words[4];
  std::memcpy(words, &ip, sizeof(words));
  if (IN6_IS_ADDR_V4MAPPED(&ip)) return kIpv4 | ntohl(words[3]);
  return ClientAddress{ntohl(words[0])} << 32 | ntohl(words[1]);
}

ConnectionPlaces::Taken ConnectionPlaces::look(ClientAddress address) const {
  const std::lock_guard lock(mutex_);
  const auto found = counts_.find(address);
  return look_locked(found != counts_.end() ? found->second : 0);
}

ConnectionPlaces::Taken ConnectionPlaces::take(ClientAddress address) {
  const std::lock_guard lock(mutex_);
  const auto found = counts_.try_emplace(address, 0).first;
  const Taken taken = look_locked(found->second);
  if (taken == Taken::yes) {
    ++count_;
    ++found->second;
  } else if (found->second == 0) {
    counts_.erase(found);
  }
  return taken;
}

void ConnectionPlaces::give_back(ClientAddress address) noexcept {
  const std::lock_guard lock(mutex_);
  --count_;
  const auto found = counts_.find(address);
  if (--found->second == 0) counts_.erase(found);
}

}  // namespace stator::net
