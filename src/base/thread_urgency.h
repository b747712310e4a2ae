#pragma once

namespace stator::base {

// Whose work waits for whom where there are more threads than processors. Each is said by a thread of itself, and
// threads that it starts later begin with the same. Where the system refuses, everything goes on as before.

// Requests wait for this thread. It asks for short turns at the processor: a scheduler that knows them (Linux from 6.12 on)
// then lets it interrupt a thread with longer turns as soon as it has something to do, instead of at the end of that turn.
void let_nobody_wait() noexcept;

// Work that can wait, with the niceness that its share of a busy processor has (10: about a tenth).
void give_way_to_requests(int niceness) noexcept;

}  // namespace stator::base
