#include "cloudwatch/errors.h"
#include "cloudwatch/shapes.h"

namespace stator::cloudwatch {

const service::Model& request_model() {
  static const service::Model model(
      shapes(), {.missing = [](std::string_view member, std::string_view) { return missing(member); }, .violation = validation});
  return model;
}

}  // namespace stator::cloudwatch
