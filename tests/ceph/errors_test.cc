// What an operator sees when something is wrong with the cluster. Nothing may hang.

#include <fstream>

#include "../store_contract/backends.h"

namespace stator::store {
namespace {

RadosOptions options() {
  RadosOptions options;
  options.configuration = std::getenv("STATOR_CEPH_CONF");
  options.pool = std::getenv("STATOR_CEPH_POOL");
  options.timeout = std::chrono::seconds(3);
  return options;
}

std::string error_of(const RadosOptions& options) {
  const auto opened = open_rados(options);
  return opened ? "opened" : opened.error().message;
}

TEST(ClusterErrors, AWrongPoolIsNamed) {
  RadosOptions wrong = options();
  wrong.pool = "no-such-pool";
  EXPECT_EQ(error_of(wrong),
            "the Ceph cluster has no pool 'no-such-pool'; make it with: ceph osd pool create "
            "no-such-pool");
}

TEST(ClusterErrors, AMissingConfigurationIsNamed) {
  RadosOptions wrong = options();
  wrong.configuration = "/nowhere/ceph.conf";
  EXPECT_EQ(error_of(wrong),
            "cannot read the Ceph configuration /nowhere/ceph.conf: No such file or directory");
}

TEST(ClusterErrors, AnUnreachableMonitorEndsInATimeOut) {
  const TemporaryDirectory directory;
  RadosOptions wrong = options();
  wrong.configuration = directory.path() / "ceph.conf";
  std::ofstream(wrong.configuration)
      << "[global]\nmon_host = [v2:127.0.0.1:9/0]\n"
         "auth_client_required = none\nauth_cluster_required = none\n";
  EXPECT_EQ(error_of(wrong).substr(0, 65),
            "no monitor of the Ceph cluster answered within 3 s; check mon_hos");
}

}  // namespace
}  // namespace stator::store
