#include "design/size/size_report.h"

#include <fmt/format.h>

#include "capacity/units.h"
#include "design/report/text_table.h"
#include "item/size.h"

namespace stator::design {

namespace {

constexpr std::size_t kItemBytesMax = 400 * 1024;

struct Units {
  double read_eventual, read_strong, read_transaction, write, write_transaction;
};

Units units_of(std::size_t bytes) {
  using capacity::Consistency;
  const auto halves = [](capacity::HalfUnits cost) { return static_cast<double>(cost) / 2; };
  return {halves(capacity::read_cost(bytes, Consistency::eventual)),
          halves(capacity::read_cost(bytes, Consistency::strong)),
          halves(capacity::read_cost(bytes, Consistency::transactional)), halves(capacity::write_cost(bytes)),
          halves(capacity::write_cost(bytes, true))};
}

// Bytes until the next unit begins.
std::size_t room(std::size_t bytes, std::size_t unit) { return (bytes == 0 ? unit : (unit - bytes % unit) % unit); }

}  // namespace

std::string size_report(const std::string& name, const JsonItem& item) {
  const std::size_t bytes = item::item_bytes(item.attributes);
  const Units units = units_of(bytes);
  std::string out = fmt::format("{}: {} bytes ({})\n\n", name, figure(static_cast<double>(bytes)),
                                item.spelling == JsonSpelling::dynamodb ? "DynamoDB JSON" : "plain JSON");
  TextTable attributes({{"attribute"},
                        {"type"},
                        {"name", Align::right},
                        {"value", Align::right},
                        {"bytes", Align::right},
                        {"share", Align::right}});
  for (const item::Attribute& attribute : item.attributes) {
    const std::size_t whole = item::attribute_bytes(attribute);
    attributes.add({std::string(attribute.name), std::string(item::type_name(attribute.value.type())),
                    figure(static_cast<double>(attribute.name.size())),
                    figure(static_cast<double>(whole - attribute.name.size())), figure(static_cast<double>(whole)),
                    percent(static_cast<double>(whole) / static_cast<double>(bytes))});
  }
  out += attributes.text("  ") + "\n";
  TextTable costs({{"one call"}, {"units", Align::right}});
  costs.add({"read, eventually consistent", figure(units.read_eventual, 1)});
  costs.add({"read, strongly consistent", figure(units.read_strong, 1)});
  costs.add({"read in a transaction", figure(units.read_transaction, 1)});
  costs.add({"write", figure(units.write, 1)});
  costs.add({"write in a transaction", figure(units.write_transaction, 1)});
  out += costs.text("  ") + "\n";
  out += fmt::format("{} more bytes fit into the same write units, {} into the same read units.\n",
                     figure(static_cast<double>(room(bytes, capacity::kWriteUnitBytes))),
                     figure(static_cast<double>(room(bytes, capacity::kReadUnitBytes))));
  if (bytes > kItemBytesMax) {
    out += fmt::format(
        "Too large: an item may have {} bytes (400 KB). Split it into several items of one collection, or keep "
        "large attributes compressed or outside.\n",
        figure(kItemBytesMax));
  } else {
    out += fmt::format("It takes {} of the 400 KB that an item may have.\n",
                       percent(static_cast<double>(bytes) / kItemBytesMax));
  }
  out += "Each index that holds the item adds the writes of what it projects.\n";
  return out;
}

std::string size_json(const JsonItem& item) {
  const std::size_t bytes = item::item_bytes(item.attributes);
  const Units units = units_of(bytes);
  nlohmann::ordered_json out;
  out["bytes"] = bytes;
  out["tooLarge"] = bytes > kItemBytesMax;
  out["attributes"] = nlohmann::ordered_json::object();
  for (const item::Attribute& attribute : item.attributes) {
    out["attributes"][std::string(attribute.name)] = item::attribute_bytes(attribute);
  }
  out["readUnits"] = {
      {"eventual", units.read_eventual}, {"strong", units.read_strong}, {"transaction", units.read_transaction}};
  out["writeUnits"] = {{"plain", units.write}, {"transaction", units.write_transaction}};
  return out.dump(2) + "\n";
}

}  // namespace stator::design
