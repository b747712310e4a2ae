#include "autoscaling/errors.h"
#include "autoscaling/shapes.h"

namespace stator::autoscaling {

const service::Model& request_model() {
  static const service::Model model(shapes(), {.missing = [](std::string_view, std::string_view path) { return refuse_null(path); },
                                               .violation = refuse_validation});
  return model;
}

}  // namespace stator::autoscaling
