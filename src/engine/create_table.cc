#include "engine/create_table.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <openssl/rand.h>

#include <algorithm>
#include <array>
#include <ctime>

namespace stator::engine {
namespace {

std::string new_uuid() {
  std::array<unsigned char, 16> bytes{};
  CHECK(RAND_bytes(bytes.data(), bytes.size()) == 1);
  bytes[6] = static_cast<unsigned char>((bytes[6] & 0x0f) | 0x40);  // version 4
  bytes[8] = static_cast<unsigned char>((bytes[8] & 0x3f) | 0x80);
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text.push_back('-');
    text += fmt::format("{:02x}", bytes[i]);
  }
  return text;
}

// A stream is named by its table and the time of its making, so a table that follows another one of its name within the same
// millisecond has to be a little later.
std::int64_t stream_time_ms(const Engine& engine, std::string_view table_name, std::int64_t now_ms) {
  const auto retired = engine.catalog.retired();
  for (const auto& [id, table] : *retired) {
    if (table->name == table_name) now_ms = std::max(now_ms, table->streams.back().created_ms + 1);
  }
  return now_ms;
}

}  // namespace

void enable_stream(Table& table, std::string_view view_type, std::int64_t now_ms) {
  if (!table.streams.empty()) now_ms = std::max(now_ms, table.streams.back().created_ms + 1);
  // As in the service, where a new on-demand table has four partitions and a small provisioned one has one.
  constexpr std::uint8_t kOnDemandShards = 4;
  Stream stream;
  stream.id = table.next_stream_id++;
  stream.view_type = std::string(view_type);
  const std::time_t seconds = now_ms / 1000;
  stream.label = fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}", fmt::gmtime(seconds), now_ms % 1000);
  stream.shards = table.billing == BillingMode::on_demand ? kOnDemandShards : 1;
  stream.created_ms = now_ms;
  table.streams.push_back(std::move(stream));
}

base::Task<Result<TablePtr>> create_table(Engine& engine, const CreateTableRequest& request) {
  CO_TRY(Table table, build_table(request));
  const std::int64_t now_ms = engine.clock.now_ms();
  table.uuid = new_uuid();
  table.created_ms = now_ms;
  if (table.billing == BillingMode::on_demand) table.on_demand_since_ms = now_ms;
  if (request.stream && request.stream->enabled) {
    enable_stream(table, *request.stream->view_type, stream_time_ms(engine, request.name, now_ms));
  }
  if (engine.options.transition_ms > 0) {
    table.transition = TableStatus::creating;
    table.transition_until_ms = now_ms + engine.options.transition_ms;
  }
  Result<TablePtr> created = co_await engine.catalog.create(std::move(table));
  co_return created;
}

}  // namespace stator::engine
