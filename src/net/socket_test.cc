#include "net/socket.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <string>

namespace stator::net {
namespace {

TEST(PrepareConnection, WithinTheMachineNothingIsHeldBackOrPaced) {
  const FileDescriptor listener(::socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  ASSERT_EQ(::bind(listener.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(listener.get(), 1), 0);
  ASSERT_EQ(::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address), &size), 0);
  const FileDescriptor client(::socket(AF_INET, SOCK_STREAM, 0));
  ASSERT_EQ(::connect(client.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
  const FileDescriptor accepted(::accept(listener.get(), nullptr, nullptr));
  ASSERT_TRUE(accepted);

  prepare_connection(accepted);
  int no_delay = 0;
  socklen_t option_size = sizeof(no_delay);
  ASSERT_EQ(::getsockopt(accepted.get(), IPPROTO_TCP, TCP_NODELAY, &no_delay, &option_size), 0);
  EXPECT_NE(no_delay, 0);
  std::string name(16, '\0');
  option_size = static_cast<socklen_t>(name.size());
  ASSERT_EQ(::getsockopt(accepted.get(), IPPROTO_TCP, TCP_CONGESTION, name.data(), &option_size), 0);
  EXPECT_STREQ(name.c_str(), "reno");
}

}  // namespace
}  // namespace stator::net
