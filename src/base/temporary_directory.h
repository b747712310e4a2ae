#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>

#include "base/check.h"

namespace stator::base {

// An empty directory of its own for a test, removed with all that is in it. Declare it before what has files open there.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string name = std::filesystem::temp_directory_path() / "stator-test-XXXXXX";
    CHECK(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace stator::base
