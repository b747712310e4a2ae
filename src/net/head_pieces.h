#pragma once

#include <cstdint>

namespace stator::net {

// A part of a request's head, by its distance from the first byte of the request.
struct Piece {
  std::uint32_t offset = 0;
  std::uint32_t size = 0;
};

// Where in a head stands what is asked of every request; of size 0 where it is absent.
struct HeadPieces {
  Piece method, path, query;
  Piece x_amz_target, content_type, authorization, host, origin, accept_encoding, x_amz_date;
  Piece header_lines;
};

}  // namespace stator::net
