#pragma once

#include <string>

#include "base/result.h"

namespace stator::base {

// Writes a file as a whole: beside it, flushed, renamed, and the folder flushed. After a crash there is the old text or
// the new one, never a part. Errors (out_of_space) name the file and the reason.
[[nodiscard]] Result<void> replace_file(const std::string& path, const std::string& text);

}  // namespace stator::base
