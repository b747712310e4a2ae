#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "capacity/settings.h"
#include "capacity/units.h"

namespace stator::simulate {

// A table, or one of its global secondary indexes.
struct Target {
  std::string table;
  std::string index;  // empty: the table itself
  capacity::Settings settings;

  [[nodiscard]] std::string name() const { return index.empty() ? table : table + "/" + index; }
};

// What one request wants of one target.
struct Part {
  std::uint32_t target = 0;
  capacity::Direction direction = capacity::Direction::read;
  bool whole_collection = false;  // a Query: over n shards it becomes n of them
  capacity::HalfUnits cost = 0;
  std::uint64_t key_hash = 0;
  std::uint64_t item_hash = 0;
  std::string_view sort_key;     // until the next request; empty: not known
  std::uint64_t key_number = 0;  // for the source, to name the key
  std::uint32_t tag = 0;         // likewise
};

struct Request {
  std::int64_t time_us = 0;
  std::vector<Part> parts;  // all of them or none
};

// Where requests come from. One caller.
class Source {
 public:
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  virtual ~Source() = default;

  // False at the end. Times do not go back. New targets may appear with a request; their numbers stay.
  [[nodiscard]] virtual Result<bool> next(Request& request) = 0;
  // Starts again from the first request, with the same requests.
  [[nodiscard]] virtual Result<void> rewind() = 0;
  [[nodiscard]] virtual const std::vector<Target>& targets() const = 0;
  // The partition key's text, as far as the source knows it. For parts of the request that `next` gave last.
  [[nodiscard]] virtual std::string key_name(const Part& part) const = 0;
};

}  // namespace stator::simulate
