#pragma once

#include <initializer_list>

#include "api/parameters.h"

namespace stator::api {

// The parameters from before expressions are refused rather than ignored, because ignoring a condition would lose data.
[[nodiscard]] inline Result<void> refuse_legacy(std::initializer_list<Given> legacy) {
  for (const Given& parameter : legacy) {
    if (parameter.present) {
      return invalid(std::string("The legacy parameter ") + std::string(parameter.name) +
                     " is not supported by this version; use the expression parameter that replaces it");
    }
  }
  return {};
}

}  // namespace stator::api
