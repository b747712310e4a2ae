#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "client/options.h"
#include "design/model.h"
#include "design/prove/outcome.h"

// The proof of a model: data with the declared shape is loaded through the API, every pattern is run against it, and
// each answer is compared with what the data says.
namespace stator::design {

struct ProveOptions {
  std::uint64_t seed = 1;
  double scale = 0.01;    // of the declared counts
  std::string table;      // empty: the model's name with a suffix of its own
  std::size_t runs = 50;  // of each pattern
  int connections = 4;    // for loading
  bool keep = false;      // leave the table there
  bool load = true;       // false: it is there from a run with the same seed and scale (and `keep`)
  bool writes = true;     // run the write patterns, too
  bool quiet = false;     // no progress
  client::Options connection;
};

struct Proof {
  std::string table;
  std::uint64_t items = 0;
  double load_s = 0;
  std::vector<Outcome> outcomes;

  [[nodiscard]] bool holds() const;
};

// Errors: no connection, a table that is there and is another one, data that cannot be generated.
[[nodiscard]] Result<Proof> prove(const Model& model, const ProveOptions& options);

// Without times where `times` is false: the same for every run.
[[nodiscard]] std::string proof_text(const Model& model, const Proof& proof, bool times = true);
[[nodiscard]] std::string proof_json(const Model& model, const Proof& proof);

}  // namespace stator::design
