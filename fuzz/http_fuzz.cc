// The first byte says how many splits there are, one byte for each says how far it is behind the
// one before; the rest is what a client sends. The outcome must not depend on the splits.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "net/head_memo.h"
#include "net/http_parser.h"
#include "net/parse_in_pieces.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace stator::net;
  if (size == 0) return 0;
  const std::size_t split_count = std::min<std::size_t>(data[0] % 16, size - 1);
  const std::string_view input(reinterpret_cast<const char*>(data) + 1 + split_count,
                               size - 1 - split_count);
  std::vector<std::size_t> splits;
  std::size_t at = 0;
  for (std::size_t i = 0; i < split_count; ++i) {
    at = std::min(at + data[1 + i], input.size());
    splits.push_back(at);
  }
  const RequestParser::Limits limits{.header_bytes_max = 300, .body_bytes_max = 100};
  const Outcome whole = parse_in_pieces(input, {}, limits);
  CHECK(parse_in_pieces(input, splits, limits) == whole);
  std::vector<std::size_t> each_byte;
  for (std::size_t i = 1; i < input.size(); ++i) each_byte.push_back(i);
  CHECK(parse_in_pieces(input, each_byte, limits) == whole);
  HeadMemo memo;  // empty at first, then with the head of the first request in it
  CHECK(parse_in_pieces(input, {}, limits, &memo) == whole);
  CHECK(parse_in_pieces(input, {}, limits, &memo) == whole);
  return 0;
}
