#include <string>

#include "base/check.h"
#include "design/check.h"
#include "design/load.h"

// A model file that loads can be checked and reported in every form; one that does not says where and why.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace stator::design;
  if (size > 64 * 1024) return 0;  // the time of check grows with the square of the entities
  const Loaded loaded = load_text(std::string(reinterpret_cast<const char*>(data), size), "model.yaml");
  for (const Problem& problem : loaded.problems) CHECK(problem.position.line >= 1 && !problem.message.empty());
  if (!loaded.ok()) return 0;
  const CheckReport report = check(loaded.model);
  CHECK(report.patterns.size() == loaded.model.patterns.size());
  CHECK(!check_text(report, true).empty());
  CHECK(!check_json(report).empty());
  CHECK(!check_sarif(report).empty());
  CHECK(!check_markdown(report).empty());
  return 0;
}
