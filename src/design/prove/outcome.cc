#include "design/prove/outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "capacity/units.h"

namespace stator::design {

namespace {

// Members of sets in order, at every depth.
client::Json normalized(const client::Json& value) {
  if (value.is_array()) {
    client::Json out = client::Json::array();
    for (const client::Json& element : value) out.push_back(normalized(element));
    return out;
  }
  if (!value.is_object()) return value;
  client::Json out = client::Json::object();
  for (const auto& [name, member] : value.items()) {
    client::Json one = normalized(member);
    if ((name == "SS" || name == "NS" || name == "BS") && one.is_array()) std::sort(one.begin(), one.end());
    out[name] = std::move(one);
  }
  return out;
}

}  // namespace

void Outcome::average() {
  if (runs == 0) return;
  const auto count = static_cast<double>(runs);
  calls /= count;
  items /= count;
  units /= count;
}

Result<client::Json> timed_call(client::Client& client, std::string_view operation, const client::Json& request,
                                Outcome& outcome) {
  const auto start = std::chrono::steady_clock::now();
  auto answer = client.call(fmt::format("DynamoDB_20120810.{}", operation), request);
  outcome.latencies_ms.push_back(
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  return answer;
}

double percentile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const auto at = static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
  return values[std::clamp<std::size_t>(at, 1, values.size()) - 1];
}

double exact_read_units(std::size_t bytes, Consistency consistency) {
  const auto kind =
      consistency == Consistency::strong ? capacity::Consistency::strong : capacity::Consistency::eventual;
  return static_cast<double>(capacity::read_cost(bytes, kind)) / 2;
}

double exact_write_units(std::size_t bytes, bool transaction) {
  return static_cast<double>(capacity::write_cost(bytes, transaction)) / 2;
}

bool same_units(double a, double b) { return std::abs(a - b) < 1e-6; }

std::vector<std::string> projected_names(const Model& model, const Index& index, const GeneratedItem& item) {
  std::vector<std::string> names;
  const auto is_key = [&](const std::string& name) {
    return name == model.table.partition_key.name || (model.table.sort_key && name == model.table.sort_key->name) ||
           name == index.partition_key.name || (index.sort_key && name == index.sort_key->name);
  };
  for (const GeneratedAttribute& attribute : item.attributes) {
    const auto& included = index.projection.attributes;
    const bool kept = index.projection.kind == ProjectionKind::all || is_key(attribute.name) ||
                      (index.projection.kind == ProjectionKind::include &&
                       std::find(included.begin(), included.end(), attribute.name) != included.end());
    if (kept) names.push_back(attribute.name);
  }
  return names;
}

std::size_t projected_bytes(const Model& model, const Index& index, const GeneratedItem& item) {
  std::size_t sum = 0;
  for (const std::string& name : projected_names(model, index, item)) sum += name.size() + item.attribute(name)->bytes;
  return sum;
}

bool same_item(const client::Json& a, const client::Json& b) { return a == b || normalized(a) == normalized(b); }

double consumed_units(const client::Json& answer) {
  const auto found = answer.find("ConsumedCapacity");
  if (found == answer.end()) return -1;
  if (found->is_object()) return found->value("CapacityUnits", -1.0);
  double sum = 0;
  for (const client::Json& one : *found) sum += one.value("CapacityUnits", 0.0);
  return sum;
}

bool allows(const Model& model, const Pattern& pattern, std::string_view rule) {
  const auto is_it = [&](const Allowance& allowance) { return allowance.rule == rule; };
  return std::any_of(pattern.allow.begin(), pattern.allow.end(), is_it) ||
         std::any_of(model.allow.begin(), model.allow.end(), is_it);
}

client::Json table_key_json(const Model& model, const GeneratedItem& item) {
  client::Json key = client::Json::object();
  const auto add = [&](const KeyAttribute& attribute) {
    if (const GeneratedAttribute* value = item.attribute(attribute.name)) {
      key[attribute.name] = client::Json::parse(value->json);
    }
  };
  add(model.table.partition_key);
  if (model.table.sort_key) add(*model.table.sort_key);
  return key;
}

client::Json table_key_of(const Model& model, const client::Json& item) {
  client::Json key = client::Json::object();
  const auto add = [&](const KeyAttribute& attribute) {
    key[attribute.name] = item.value(attribute.name, client::Json());
  };
  add(model.table.partition_key);
  if (model.table.sort_key) add(*model.table.sort_key);
  return key;
}

}  // namespace stator::design
