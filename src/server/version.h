#pragma once

#include <string>

namespace stator::server {

// What `stator --version` prints: the version, the commit it was built from, and the formats of files it reads and writes.
[[nodiscard]] std::string version_text();

}  // namespace stator::server
