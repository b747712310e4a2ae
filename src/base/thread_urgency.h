#pragma once

#include <chrono>

namespace stator::base {

// Whose work waits for whom where there are more threads than processors. Each is said by a thread of itself, and
// threads that it starts later begin with the same. Where the system refuses, everything goes on as before.

// Requests wait for this thread. It asks for short turns at the processor: a scheduler that knows them (Linux from 6.12 on)
// then lets it interrupt a thread with longer turns as soon as it has something to do, instead of at the end of that turn.
void let_nobody_wait() noexcept;

// Work that can wait, with the niceness that its share of a busy processor has (10: about a tenth). It keeps that share, but
// takes it in short turns, if it says where they may end (Turns).
void give_way_to_requests(int niceness) noexcept;

// The turns of work that can wait and goes on for long. A thread that was interrupted before it was done gets the processor
// back when the scheduler looks again, which many systems do each 4 ms: requests would wait that long for work that has a
// small share. So such work calls may_end() as often as it can, and lets others go on where its turn was long enough.
class Turns {
 public:
  // True if the turn was over, and others had theirs.
  bool may_end() noexcept;

 private:
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace stator::base
