#pragma once

namespace stator::design {

// A place in the model file, counted from 1 as editors do. Line 0: the model was made by a program.
struct Position {
  int line = 0;
  int column = 0;

  friend bool operator==(const Position&, const Position&) = default;
};

}  // namespace stator::design
