#include "simulate/trace_parser.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "capacity/place.h"

namespace stator::simulate {
namespace {

using capacity::Consistency;
using capacity::Direction;
using capacity::HalfUnits;

struct Operation {
  std::string_view name;
  Direction direction;
  bool transaction = false;
  bool collection = false;
};
constexpr Operation kOperations[] = {
    {"GetItem", Direction::read},
    {"PutItem", Direction::write},
    {"UpdateItem", Direction::write},
    {"DeleteItem", Direction::write},
    {"Query", Direction::read, false, true},
    {"Scan", Direction::read},
    {"BatchGetItem", Direction::read},
    {"BatchWriteItem", Direction::write},
    {"TransactGetItems", Direction::read, true},
    {"TransactWriteItems", Direction::write, true},
    {"read", Direction::read},
    {"write", Direction::write},
};

constexpr double kTracedUnitsMax = 1e9;
constexpr double kBytesMax = 1e12;

Result<std::string_view> text_member(TraceLine line, std::string_view name) {
  std::string_view text;
  if (line[name].get(text) != simdjson::SUCCESS || text.empty())
    return invalid(fmt::format("\"{}\" is missing or not a text", name));
  return text;
}

// Nothing when the member is not there.
Result<std::optional<double>> number_member(TraceLine line, std::string_view name, double most) {
  simdjson::dom::element value;
  if (line[name].get(value) != simdjson::SUCCESS) return std::nullopt;
  double number = 0;
  if (value.get(number) != simdjson::SUCCESS || !(number >= 0) || number > most)
    return invalid(fmt::format("\"{}\" has to be a number from 0 to {:g}", name, most));
  return number;
}

bool true_member(TraceLine line, std::string_view name) {
  bool value = false;
  return line[name].get(value) == simdjson::SUCCESS && value;
}

// The key `name`, or its hash `name` + "h": 16 hexadecimal digits. Nothing when neither is there.
Result<std::optional<TraceKey>> key_member(TraceLine line, std::string_view name, std::string_view hash_name) {
  std::string_view text;
  if (line[name].get(text) == simdjson::SUCCESS) return TraceKey{capacity::hash_bytes(text), text};
  simdjson::dom::element value;
  if (line[hash_name].get(value) != simdjson::SUCCESS) {
    if (line[name].get(value) == simdjson::SUCCESS) return invalid(fmt::format("\"{}\" has to be a text", name));
    return std::nullopt;
  }
  TraceKey key;
  if (value.get(text) != simdjson::SUCCESS || text.size() != 16 ||
      std::from_chars(text.data(), text.data() + 16, key.hash, 16).ptr != text.data() + 16)
    return invalid(fmt::format("\"{}\" has to be a text of 16 hexadecimal digits", hash_name));
  return key;
}

Result<HalfUnits> cost_of(TraceLine line, Direction direction, bool transaction) {
  TRY(const std::optional<double> units, number_member(line, "units", kTracedUnitsMax));
  if (units) {
    if (*units * 2 != std::floor(*units * 2)) return invalid("\"units\" has to be a multiple of 0.5");
    return static_cast<HalfUnits>(*units * 2);
  }
  TRY(const std::optional<double> bytes, number_member(line, "bytes", kBytesMax));
  if (!bytes) return invalid("a request needs \"units\" or \"bytes\"");
  const auto size = static_cast<std::size_t>(*bytes);
  if (direction == Direction::write) return capacity::write_cost(size, transaction);
  const Consistency consistency = transaction                       ? Consistency::transactional
                                  : true_member(line, "consistent") ? Consistency::strong
                                                                    : Consistency::eventual;
  return capacity::read_cost(size, consistency);
}

Result<TraceTouch> read_touch(TraceLine line, Direction direction, bool transaction) {
  TraceTouch touch;
  TRY(const std::optional<TraceKey> partition, key_member(line, "pk", "pkh"));
  if (!partition) return invalid("a request needs \"pk\" or \"pkh\"");
  touch.partition = *partition;
  TRY(touch.sort, key_member(line, "sk", "skh"));
  TRY(touch.cost, cost_of(line, direction, transaction));
  return touch;
}

Result<capacity::Settings> read_settings(TraceLine line) {
  capacity::Settings settings;
  TRY(const std::optional<double> read, number_member(line, "read", kTracedUnitsMax));
  TRY(const std::optional<double> write, number_member(line, "write", kTracedUnitsMax));
  if (read.has_value() != write.has_value())
    return invalid("provisioned capacity needs both \"read\" and \"write\"; leave out both for on-demand");
  if (read) {
    settings.billing = capacity::BillingMode::provisioned;
    settings.provisioned = {.read = std::max<std::int64_t>(1, std::llround(*read)),
                            .write = std::max<std::int64_t>(1, std::llround(*write))};
  }
  return settings;
}

}  // namespace

Result<void> read_request(TraceLine line, TraceRequest& request) {
  request.indexes.clear();
  double time_s = 0;
  if (line["t"].get(time_s) != simdjson::SUCCESS || !(std::abs(time_s) < 1e12))
    return invalid("\"t\" is missing or not a time in seconds");
  request.time_us = std::llround(time_s * 1e6);
  TRY(request.table, text_member(line, "table"));
  TRY(const std::string_view operation_name, text_member(line, "op"));
  const Operation* operation = nullptr;
  for (const Operation& each : kOperations)
    if (each.name == operation_name) operation = &each;
  if (operation == nullptr)
    return invalid(fmt::format("\"op\" is \"{}\", which is no operation on items", operation_name));
  request.direction = operation->direction;
  request.whole_collection = operation->collection;
  TRY(request.own, read_touch(line, operation->direction, operation->transaction));
  const bool names_index = line["index"].get(request.own.index) == simdjson::SUCCESS;
  if (names_index && operation->direction == Direction::write)
    return invalid("a write goes to its table; what it changes in indexes belongs into \"indexes\"");

  simdjson::dom::array writes;
  if (line["indexes"].get(writes) != simdjson::SUCCESS) return {};
  for (const simdjson::dom::element each : writes) {
    TraceLine write;
    if (each.get(write) != simdjson::SUCCESS) return invalid("\"indexes\" has to be a list of objects");
    TRY(TraceTouch touch, read_touch(write, operation->direction, operation->transaction));
    TRY(touch.index, text_member(write, "index"));
    request.indexes.push_back(touch);
  }
  return {};
}

bool is_header(TraceLine line) noexcept {
  simdjson::dom::element version;
  return line["stator_trace"].get(version) == simdjson::SUCCESS;
}

Result<std::vector<HeaderTarget>> read_header_line(TraceLine line) {
  std::int64_t version = 0;
  if (line["stator_trace"].get(version) != simdjson::SUCCESS || version != 1)
    return invalid("\"stator_trace\" has to be 1, the version of the format that this program reads");
  std::vector<HeaderTarget> targets;
  TraceLine tables;
  if (line["tables"].get(tables) != simdjson::SUCCESS) return targets;
  for (const auto& [table_name, value] : tables) {
    TraceLine table;
    if (value.get(table) != simdjson::SUCCESS) return invalid("\"tables\" has to be an object of objects");
    TRY(const capacity::Settings settings, read_settings(table));
    targets.push_back({std::string(table_name), "", settings});
    TraceLine indexes;
    if (table["indexes"].get(indexes) != simdjson::SUCCESS) continue;
    for (const auto& [index_name, index_value] : indexes) {
      TraceLine index;
      if (index_value.get(index) != simdjson::SUCCESS) return invalid("\"indexes\" has to be an object of objects");
      TRY(const capacity::Settings of_index, read_settings(index));
      targets.push_back({std::string(table_name), std::string(index_name), of_index});
    }
  }
  return targets;
}

}  // namespace stator::simulate
