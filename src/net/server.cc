#include "net/server.h"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

#include "net/reactor.h"
#include "net/socket.h"

namespace stator::net {

namespace {

constexpr int kBacklog = 1024;

struct Address {
  sockaddr_storage storage{};
  socklen_t size = 0;

  [[nodiscard]] sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
  [[nodiscard]] const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
};

Result<Address> resolve(const std::string& host, std::uint16_t port) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int status = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (status != 0) {
    return fail(ErrorCode::unavailable,
                fmt::format("'{}' is no address to listen on: {}", host, ::gai_strerror(status)));
  }
  // A name with both kinds of addresses, as localhost often is, means the one that every client
  // knows.
  const addrinfo* chosen = found;
  while (chosen != nullptr && chosen->ai_family != AF_INET) chosen = chosen->ai_next;
  if (chosen == nullptr) chosen = found;
  Address address;
  address.size = chosen->ai_addrlen;
  std::memcpy(&address.storage, chosen->ai_addr, chosen->ai_addrlen);
  ::freeaddrinfo(found);
  return address;
}

tl::unexpected<Error> cannot_listen(const ServerOptions& options, int reason) {
  const std::string where = fmt::format("port {} on {}", options.port, options.host);
  switch (reason) {
    case EADDRINUSE:
      return fail(ErrorCode::unavailable,
                  where + " is in use by another program; choose another with --port");
    case EACCES:
      return fail(ErrorCode::unavailable,
                  where + " may not be used by this user; choose one above 1023 with --port");
    case EADDRNOTAVAIL:
      return fail(ErrorCode::unavailable,
                  fmt::format("{} is not an address of this machine", options.host));
    default:
      return fail(ErrorCode::unavailable,
                  fmt::format("cannot listen to {}: {}", where, std::strerror(reason)));
  }
}

// Sockets that share a port each get a part of its connections.
Result<FileDescriptor> listen_to(const ServerOptions& options, const Address& address,
                                 bool shared) {
  FileDescriptor fd(
      ::socket(address.get()->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!fd) return cannot_listen(options, errno);
  const int on = 1;
  ::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  if (shared) ::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEPORT, &on, sizeof(on));
  if (::bind(fd.get(), address.get(), address.size) != 0 || ::listen(fd.get(), kBacklog) != 0) {
    return cannot_listen(options, errno);
  }
  return fd;
}

std::uint16_t port_of(const Address& address) {
  // The port has the same place in an IPv4 and an IPv6 address.
  return ntohs(reinterpret_cast<const sockaddr_in*>(&address.storage)->sin_port);
}

}  // namespace

unsigned reactor_count(const ServerOptions& options) {
  return options.threads != 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
}

struct Server::Shared {
  Shared(const ServerOptions& options, unsigned threads) : group(options, threads) {}
  std::uint16_t port = 0;
  Reactor::Group group;
};

Server::Server(std::unique_ptr<Shared> shared) : shared_(std::move(shared)) {}

Server::~Server() { static_cast<void>(stop()); }

Result<std::unique_ptr<Server>> Server::start(const ServerOptions& options, Handler& handler) {
  TRY(Address address, resolve(options.host, options.port));
  {
    // Sharing a port would hide that another server of the same user has it, so the first attempt
    // is not to share.
    TRY(const FileDescriptor alone, listen_to(options, address, false));
  }
  const unsigned threads = reactor_count(options);
  auto shared = std::make_unique<Shared>(options, threads);
  std::vector<FileDescriptor> listeners;
  for (unsigned i = 0; i < threads; ++i) {
    TRY(FileDescriptor listener, listen_to(options, address, true));
    // Where the system chose the port, the others take the same.
    ::getsockname(listener.get(), address.get(), &address.size);
    listeners.push_back(std::move(listener));
  }
  shared->port = port_of(address);
  for (FileDescriptor& listener : listeners) {
    shared->group.reactors.push_back(std::make_unique<Reactor>(shared->group, handler, std::move(listener)));
  }
  for (const auto& reactor : shared->group.reactors) reactor->start();
  return std::unique_ptr<Server>(new Server(std::move(shared)));
}

std::uint16_t Server::port() const noexcept { return shared_->port; }

bool Server::stop() {
  const auto& reactors = shared_->group.reactors;
  for (const auto& reactor : reactors) reactor->request_stop();
  const ServerOptions& options = shared_->group.options;
  const auto deadline =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(options.stop_timeout_ms + options.stop_grace_ms);
  for (const auto& reactor : reactors) {
    if (!reactor->wait_until(deadline)) return false;
  }
  for (const auto& reactor : reactors) reactor->join();
  return true;
}

}  // namespace stator::net
