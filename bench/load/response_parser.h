// What the load loop needs to know of a protocol's answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>

namespace stator::bench {

// The server sent something that is no answer in its protocol.
class ProtocolError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The body sizes that a right answer can have. An item that was not found or a batch with
// unprocessed items is answered with status 200 too, but not with a body of the right size.
struct BodyRange {
  std::uint64_t min = 0;
  std::uint64_t max = std::numeric_limits<std::uint64_t>::max();

  bool Contains(std::uint64_t size) const { return size >= min && size <= max; }
};

// Finds the ends of answers in a stream of bytes. It looks at the head of an answer and skips
// over the body, so that it costs little more than receiving the bytes does.
class ResponseParser {
 public:
  struct Step {
    std::size_t consumed = 0;  // Bytes taken from the front of the data.
    bool complete = false;     // An answer ended here; failed() tells of which kind it was.
  };

  virtual ~ResponseParser() = default;

  // Takes bytes up to the end of one answer at most. Throws ProtocolError.
  virtual Step Consume(std::string_view data) = 0;

  // Whether the answer that Consume() completed last is an error or of the wrong size.
  virtual bool failed() const = 0;

  // The beginning of that answer, to be shown to a person. Meaningful when failed().
  virtual std::string Describe() const = 0;
};

}  // namespace stator::bench
