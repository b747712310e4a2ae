#include "server/version.h"

#include <fmt/format.h>

#include "commit.h"
#include "design/load.h"
#include "store/open.h"

namespace stator::server {

std::string version_text() {
  return fmt::format(
      "stator {} (commit {})\n"
      "data directories: format {}; Ceph pools: format {}; model files: format {}",
      STATOR_VERSION, STATOR_COMMIT, store::kDirectoryFormat, store::kPoolFormat, design::kModelFormat);
}

}  // namespace stator::server
