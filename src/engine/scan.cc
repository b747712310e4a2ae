#include "engine/scan.h"

#include <fmt/format.h>

#include "engine/key_paths.h"
#include "engine/start_key.h"
#include "item/key_encoding.h"

namespace stator::engine {
namespace {

// The first hash of a segment: segments divide the space of hashes evenly.
std::uint64_t segment_start(std::int64_t segment, std::int64_t total) {
  constexpr std::uint64_t kHashes = std::uint64_t{1} << 32;
  const auto count = static_cast<std::uint64_t>(total);
  return (static_cast<std::uint64_t>(segment) * kHashes + count - 1) / count;
}

void append_hash(base::Buffer& out, std::uint64_t hash) {
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<char>(hash >> shift));
}

}  // namespace

base::Task<Result<Page>> scan(Engine& engine, const ScanRequest& request, base::Buffer& items,
                              base::Arena& arena) {
  const PageRequest& common = request.page;
  CO_TRY(const BoundExpressions expressions,
         bind_expressions({.filter = common.filter, .projection = common.projection}, common.parameters,
                          arena));
  CO_TRY(const ReadTarget target, find_target(engine, common));
  if (expressions.projection) CO_TRY_VOID(check_key_paths(*target.table, *expressions.projection));
  if (common.start_key) CO_TRY_VOID(check_scan_start_key(target, *common.start_key));
  CO_TRY_VOID(check_select(target, common, expressions));

  base::Buffer from;
  append_space(from, target.table->id, target.space());
  base::Buffer to;
  to.append(from.view());
  append_hash(from, segment_start(request.segment, request.total_segments));
  if (request.segment + 1 < request.total_segments) {
    append_hash(to, segment_start(request.segment + 1, request.total_segments));
  } else {
    item::increment_prefix(to);
  }
  if (common.start_key) {
    CO_TRY(const StartKey start_key, scan_start_key(target, *common.start_key, arena));
    const std::string_view start = start_key.row_key;
    if (start < from.view() || start >= to.view()) {
      co_return invalid(fmt::format("The provided starting key is invalid: Invalid ExclusiveStartKey. Please use "
                                    "ExclusiveStartKey with correct Segment. TotalSegments: {} Segment: {}",
                                    request.total_segments, request.segment));
    }
    from.clear();
    from.append(start);
    from.push_back('\0');
  }
  if (expressions.filter) CO_TRY_VOID(check_key_paths(*target.table, *expressions.filter));
  Result<Page> page = co_await read_page(engine, target, common, expressions, {from.view(), to.view()},
                                         store::Direction::ascending, AccessKind::scan, items, arena);
  co_return page;
}

}  // namespace stator::engine
