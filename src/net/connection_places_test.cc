#include "net/connection_places.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>

namespace stator::net {
namespace {

using Taken = ConnectionPlaces::Taken;

ClientAddress address_of(const char* text) {
  sockaddr_storage storage{};
  if (auto& v4 = reinterpret_cast<sockaddr_in&>(storage); ::inet_pton(AF_INET, text, &v4.sin_addr) == 1) {
    v4.sin_family = AF_INET;
  } else {
    auto& v6 = reinterpret_cast<sockaddr_in6&>(storage);
    EXPECT_EQ(::inet_pton(AF_INET6, text, &v6.sin6_addr), 1) << text;
    v6.sin6_family = AF_INET6;
  }
  return client_address(storage);
}

TEST(ClientAddressTest, TellsClientsApart) {
  EXPECT_NE(address_of("192.0.2.1"), address_of("192.0.2.2"));
  EXPECT_NE(address_of("2001:db8:0:1::1"), address_of("2001:db8:0:2::1"));
  EXPECT_NE(address_of("::1"), address_of("127.0.0.1"));
}

TEST(ClientAddressTest, TakesANetworkForOneClient) {
  EXPECT_EQ(address_of("2001:db8:0:1::1"), address_of("2001:db8:0:1:ffff::2"));
  EXPECT_EQ(address_of("::ffff:192.0.2.1"), address_of("192.0.2.1"));
}

TEST(ConnectionPlacesTest, NoAddressTakesMoreThanItsShare) {
  ConnectionPlaces places(4, 3);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(places.take(1), Taken::yes);
  EXPECT_EQ(places.take(1), Taken::share_taken);
  EXPECT_EQ(places.look(2), Taken::yes);
  EXPECT_EQ(places.take(2), Taken::yes);
  EXPECT_EQ(places.take(2), Taken::all_taken);
  EXPECT_EQ(places.take(1), Taken::all_taken);
  places.give_back(1);
  EXPECT_EQ(places.take(1), Taken::yes);
  places.give_back(2);
  EXPECT_EQ(places.take(1), Taken::share_taken);
  EXPECT_EQ(places.take(3), Taken::yes);
}

}  // namespace
}  // namespace stator::net
