#pragma once

#include <simdjson.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "capacity/settings.h"
#include "simulate/request.h"

// The members of a trace's lines. Errors are about the line; the caller adds file and number.
namespace stator::simulate {

using TraceLine = simdjson::dom::object;

// A key as a line gives it: by its text or by its hash.
struct TraceKey {
  std::uint64_t hash = 0;
  std::string_view text;  // empty: hash alone
};

// What one line says of one target.
struct TraceTouch {
  std::string_view index;
  TraceKey partition;
  std::optional<TraceKey> sort;
  capacity::HalfUnits cost = 0;
};

struct TraceRequest {
  std::int64_t time_us = 0;
  std::string_view table;
  capacity::Direction direction = capacity::Direction::read;
  bool whole_collection = false;
  TraceTouch own;
  std::vector<TraceTouch> indexes;
};

// Views go into the parser's memory. `request` is filled anew; its memory is used again.
[[nodiscard]] Result<void> read_request(TraceLine line, TraceRequest& request);

[[nodiscard]] bool is_header(TraceLine line) noexcept;
// The capacity that a header declares, by name of table and index.
struct HeaderTarget {
  std::string table;
  std::string index;
  capacity::Settings settings;
};
[[nodiscard]] Result<std::vector<HeaderTarget>> read_header_line(TraceLine line);

}  // namespace stator::simulate
