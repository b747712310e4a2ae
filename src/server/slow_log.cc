#include "server/slow_log.h"

#include <fmt/format.h>

#include <utility>

#include "api/json_writer.h"
#include "server/request_shape.h"

namespace stator::server {

void SlowLog::add(std::string_view operation, api::Json body, const metrics::RequestUsage& usage,
                  std::int64_t latency_us, std::string_view error) {
  base::Buffer line;
  api::JsonWriter out(line);
  std::string_view table;
  // Batches and transactions have theirs in the shape.
  if (body["TableName"].get(table) != simdjson::SUCCESS) table = {};
  out.begin_object();
  out.key("slow_request").string(operation);
  out.key("at_ms").integer(clock_.now_ms());
  out.key("ms").raw(fmt::format("{:.3f}", static_cast<double>(latency_us) / 1000));
  if (!table.empty()) out.key("table").string(table);
  out.key("read_units").units(usage.read_half_units);
  out.key("write_units").units(usage.write_half_units);
  if (usage.returned_items >= 0) out.key("returned_items").integer(usage.returned_items);
  if (!error.empty()) out.key("error").string(error);
  out.key("request");
  append_shape(line, body);
  line.append("}\n");
  const std::lock_guard lock(mutex_);
  if (pending_.size() + line.size() > kPendingBytesMax) {
    ++lost_;
    return;
  }
  pending_.append(line.view());
}

void SlowLog::flush() {
  std::string lines;
  std::uint64_t lost = 0;
  {
    const std::lock_guard lock(mutex_);
    lines.swap(pending_);
    lost = std::exchange(lost_, 0);
  }
  if (lines.empty() && lost == 0) return;
  std::fwrite(lines.data(), 1, lines.size(), to_);
  if (lost > 0) std::fprintf(to_, "{\"slow_requests_not_logged\":%llu}\n", static_cast<unsigned long long>(lost));
  std::fflush(to_);
}

}  // namespace stator::server
