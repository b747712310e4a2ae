// How a reactor shares out what there is too little of: places for connections, and memory for answers.
#include <algorithm>
#include <utility>

#include "net/reactor.h"

namespace stator::net {

namespace {

constexpr int kAddressesPerLook = 4;

// Those for which `wanted` holds, the longest waiting first, at most so many.
template <class Wanted>
std::vector<Connection*> longest_waiting(std::span<const std::unique_ptr<Connection>> connections, std::size_t count,
                                         Wanted wanted) {
  std::vector<Connection*> found;
  for (const auto& connection : connections) {
    if (wanted(*connection)) found.push_back(connection.get());
  }
  count = std::min(count, found.size());
  std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count), found.end(),
                    [](const Connection* a, const Connection* b) { return a->waited_ms() > b->waited_ms(); });
  found.resize(count);
  return found;
}

}  // namespace

// Of the connections beyond the limit, the one that has had the most time for its request makes room for another.
bool Reactor::make_spare_room() {
  const std::size_t spares_max = std::max<std::size_t>(1, kSpareConnectionsMax / group_.threads);
  if (context_.spares.size() < spares_max) return true;
  const auto oldest = std::find_if(context_.spares.begin(), context_.spares.end(),
                                   [](const Connection* spare) { return spare->is_dispensable(); });
  if (oldest == context_.spares.end()) return false;
  (*oldest)->give_way();
  return true;
}

// Goes through the requests that wait for room.
void Reactor::look_after_line() {
  if (context_.line_first == nullptr) return;
  const bool due = context_.now_ms >= line_looked_at_ms_ + kLineLookMs;
  if (!due && !context_.line_may_move) return;
  context_.line_may_move = false;
  if (due) {
    line_looked_at_ms_ = context_.now_ms;
    make_places();
  }
  const std::int64_t began_ms = coarse_now_ms();
  for (Connection* waiting = context_.line_first; waiting != nullptr;) {
    Connection* const next = waiting->next_in_line();
    if (!waiting->retry()) remove(*waiting);
    waiting = next;
    if (ReactorContext::is_long_since(began_ms)) {
      context_.line_may_move = true;  // the rest has its turn after the others
      return;
    }
  }
}

// Connections beyond the limit that have a request get the places of those that are idle.
void Reactor::make_places() {
  std::vector<ClientAddress> wanted;
  for (const Connection* waiting = context_.line_first; waiting != nullptr; waiting = waiting->next_in_line()) {
    if (waiting->is_spare()) wanted.push_back(waiting->address());
  }
  if (wanted.empty()) return;
  std::sort(wanted.begin(), wanted.end());
  // A look at all connections takes long, so not all addresses have their turn each time.
  std::rotate(wanted.begin(), wanted.begin() + static_cast<std::ptrdiff_t>(++line_looks_ % wanted.size()), wanted.end());
  auto first = wanted.begin();
  for (int addresses = 0; first != wanted.end() && addresses < kAddressesPerLook; ++addresses) {
    const auto end = std::find_if(first, wanted.end(), [&](ClientAddress other) { return other != *first; });
    if (!make_places_for(*first, static_cast<std::size_t>(end - first))) {
      for (const auto& reactor : group_.reactors) {
        if (reactor.get() != this) reactor->ask_for_place(*first);
      }
    }
    first = end;
  }
}

// Closes up to so many connections that are idle or have a slow client. True if there is a place then, or will be at once.
bool Reactor::make_places_for(ClientAddress address, std::size_t count) {
  const ConnectionPlaces::Taken taken = context_.places.look(address);
  if (taken == ConnectionPlaces::Taken::yes) return true;
  const std::vector<Connection*> quiet = longest_waiting(connections_, count, [&](const Connection& connection) {
    return connection.is_quiet() && (taken == ConnectionPlaces::Taken::all_taken || connection.address() == address);
  });
  for (Connection* const connection : quiet) connection->give_way();
  return !quiet.empty();
}

void Reactor::ask_for_place(ClientAddress address) noexcept {
  bool was_asleep = false;
  {
    const std::lock_guard lock(mutex_);
    if (places_asked_.size() >= kPlacesAskedMax) return;
    places_asked_.push_back(address);
    was_asleep = std::exchange(asleep_, false);
  }
  if (was_asleep) wake();
}

void Reactor::make_asked_places() {
  std::vector<ClientAddress> asked;
  {
    const std::lock_guard lock(mutex_);
    if (places_asked_.empty()) return;
    asked.swap(places_asked_);
  }
  std::sort(asked.begin(), asked.end());
  asked.erase(std::unique(asked.begin(), asked.end()), asked.end());
  for (const ClientAddress address : asked) static_cast<void>(make_places_for(address, 1));
}

// While requests wait for room, answers that have been on their way for longer than a request waits are given up: whoever
// reads slowly holds others up only for so long.
void Reactor::cut_off_slow_readers() {
  const std::size_t waiting = context_.answers.waiting();
  if (waiting == 0 || context_.answers.is_half_free()) return;
  for (Connection* const slow : longest_waiting(connections_, waiting, [&](const Connection& connection) {
         return connection.is_unread() && connection.waited_ms() >= options_.room_timeout_ms;
       })) {
    slow->give_way();
  }
}

}  // namespace stator::net
