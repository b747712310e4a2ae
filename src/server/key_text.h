#pragma once

#include <optional>
#include <string>

#include "engine/admission.h"

namespace stator::server {

// The key of an access as people read it: several attributes of a key with commas between, binary ones in base64.
struct KeyText {
  std::string partition;
  std::optional<std::string> sort;
};

// Nothing where the access has no key: a Scan that found no row. A Query or Scan has the partition of its first row and no
// sort key.
[[nodiscard]] std::optional<KeyText> key_text(const engine::Access& access);

}  // namespace stator::server
