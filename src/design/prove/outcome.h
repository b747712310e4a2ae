#pragma once

#include <string>
#include <vector>

#include "client/client.h"
#include "design/generate/item_text.h"
#include "design/model.h"

namespace stator::design {

// What the uses of one pattern showed.
struct Outcome {
  std::string name;  // of the pattern, or of what else was proved
  std::string call;
  std::size_t runs = 0;
  double calls = 0;  // of one use
  double items = 0;  // of one use, on average
  double units = 0;
  std::vector<double> latencies_ms;   // of single calls
  std::vector<std::string> failures;  // each says what was expected; empty: proved
  std::vector<std::string> notes;     // what the model allows

  void fail(std::string text) {
    if (failures.size() < kFailuresMax) failures.push_back(std::move(text));
    ++failed;
  }
  // Sums over all uses become the figures of one.
  void average();

  std::size_t failed = 0;
  static constexpr std::size_t kFailuresMax = 3;
};

// Sends a request ("GetItem") and notes in the outcome how long the answer took.
[[nodiscard]] Result<client::Json> timed_call(client::Client& client, std::string_view operation,
                                              const client::Json& request, Outcome& outcome);

[[nodiscard]] double percentile(std::vector<double> values, double share);

// Units of the service for exact sizes.
[[nodiscard]] double exact_read_units(std::size_t bytes, Consistency consistency);
[[nodiscard]] double exact_write_units(std::size_t bytes, bool transaction);
// Whether units are the same but for how sums of halves are rounded.
[[nodiscard]] bool same_units(double a, double b);

// What an index keeps of an item: names, and bytes.
[[nodiscard]] std::vector<std::string> projected_names(const Model& model, const Index& index,
                                                       const GeneratedItem& item);
[[nodiscard]] std::size_t projected_bytes(const Model& model, const Index& index, const GeneratedItem& item);

// Whether two items in wire form are the same; the order of attributes and of set members does not count.
[[nodiscard]] bool same_item(const client::Json& a, const client::Json& b);

// Units that an answer reports: of one table, or the sum of a list.
[[nodiscard]] double consumed_units(const client::Json& answer);

[[nodiscard]] bool allows(const Model& model, const Pattern& pattern, std::string_view rule);

// The key of an item as the service takes it: of a generated item, or of one in wire form.
[[nodiscard]] client::Json table_key_json(const Model& model, const GeneratedItem& item);
[[nodiscard]] client::Json table_key_of(const Model& model, const client::Json& item);

}  // namespace stator::design
