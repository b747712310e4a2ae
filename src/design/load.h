#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "design/model.h"

// Reading a model file. YAML and JSON take the same path (JSON is a part of YAML).
namespace stator::design {

// What stator_model: says in a file that this program reads.
inline constexpr std::string_view kModelFormat = "1";

// What is wrong with the file: `orders.yaml:12:7: expected all, keys_only or a list of attributes, found "some"`.
struct Problem {
  std::string file;
  Position position;
  std::string message;
};
[[nodiscard]] std::string problem_text(const Problem& problem);

// All problems, not the first alone; none means that `model` can be used.
struct Loaded {
  Model model;
  std::vector<Problem> problems;
  [[nodiscard]] bool ok() const { return problems.empty(); }
};

[[nodiscard]] Loaded load_text(std::string_view text, const std::string& file_name);
// A file that cannot be read is a problem of its first line.
[[nodiscard]] Loaded load_file(const std::string& path);

// For commands: the model, or one error whose text has every problem on a line of its own.
[[nodiscard]] Result<Model> load_model(const std::string& path);

}  // namespace stator::design
