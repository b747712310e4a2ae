// The little of HTTP/1.1 that the benchmark needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace stator::bench {

// The length of the message head at the front of `data`, its empty line included, or nullopt
// when the head is not complete yet.
std::optional<std::size_t> FindHeadEnd(std::string_view data);

// The value of the Content-Length header. The name is matched without regard to case and the
// value may be surrounded by spaces. nullopt when the header is absent or not a number.
std::optional<std::uint64_t> ContentLength(std::string_view head);

// The status code of a response head such as "HTTP/1.1 200 OK", or 0 when there is none.
int StatusCode(std::string_view head);

}  // namespace stator::bench
