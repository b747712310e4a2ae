// Connecting to a cluster and a pool, and what to say when that fails.

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "store/rados/librados_connection.h"

namespace stator::store::rados {
namespace {

std::string user_of(const RadosOptions& options) {
  return options.user.empty() ? "admin" : options.user;
}

Error cannot_connect(const RadosOptions& options, int status) {
  const std::string who = "client." + user_of(options);
  switch (-status) {
    case ETIMEDOUT:
      return {ErrorCode::unavailable,
              fmt::format(
                  "no monitor of the Ceph cluster answered within {} s; check mon_host in {} and "
                  "the network",
                  options.timeout.count() / 1000,
                  options.configuration.empty() ? "/etc/ceph/ceph.conf" : options.configuration)};
    case EACCES:
    case EPERM:
      return {
          ErrorCode::access_denied,
          fmt::format(
              "the Ceph cluster refuses {}; check its keyring and capabilities (ceph auth get {})",
              who, who)};
    case ENOENT:
      return {ErrorCode::unavailable, fmt::format("no keyring for {} was found, or the monitors "
                                                  "are unknown; check keyring and mon_host",
                                                  who)};
    default:
      return {ErrorCode::unavailable, fmt::format("cannot connect to the Ceph cluster as {}: {}",
                                                  who, std::strerror(-status))};
  }
}

}  // namespace

Result<void> RadosConnection::open(const RadosOptions& options) {
  int status = rados_create(&cluster_, user_of(options).c_str());
  if (status < 0) {
    cluster_ = nullptr;
    return tl::unexpected<Error>(cannot_connect(options, status));
  }
  status = rados_conf_read_file(
      cluster_, options.configuration.empty() ? nullptr : options.configuration.c_str());
  if (status < 0 && (!options.configuration.empty() || status != -ENOENT)) {
    return fail(ErrorCode::unavailable, fmt::format("cannot read the Ceph configuration {}: {}",
                                                    options.configuration, std::strerror(-status)));
  }
  // Whole seconds: Ceph takes nothing else here, and would go on without a time-out.
  const std::string seconds = std::to_string(std::max<long>(1, (options.timeout.count() + 999) / 1000));
  // No rados_osd_op_timeout: when it strikes a watch, librados 16.2 corrupts its memory. See deadlines.h.
  const std::pair<const char*, const char*> settings[] = {
      {"rados_mon_op_timeout", seconds.c_str()},
      {"client_mount_timeout", seconds.c_str()},
      // Callbacks start operations: they must never wait for room, which only callbacks can make. The
      // store bounds itself.
      {"objecter_inflight_ops", "1000000"},
      {"objecter_inflight_op_bytes", "4294967296"},
  };
  for (const auto& [name, value] : settings) {
    status = rados_conf_set(cluster_, name, value);
    if (status < 0) {
      return fail(ErrorCode::internal, fmt::format("this version of librados does not take {} = {}", name, value));
    }
  }
  status = rados_connect(cluster_);
  if (status < 0) return tl::unexpected<Error>(cannot_connect(options, status));
  status = rados_ioctx_create(cluster_, options.pool.c_str(), &context_);
  if (status < 0) {
    context_ = nullptr;
    if (status == -ENOENT) {
      return fail(
          ErrorCode::unavailable,
          fmt::format("the Ceph cluster has no pool '{}'; make it with: ceph osd pool create {}",
                      options.pool, options.pool));
    }
    return tl::unexpected<Error>(cannot_connect(options, status));
  }
  if (!options.name_space.empty()) rados_ioctx_set_namespace(context_, options.name_space.c_str());
  librados::IoCtx::from_rados_ioctx_t(context_, reads_);
  return {};
}

}  // namespace stator::store::rados

extern "C" __attribute__((visibility("default"))) stator::store::rados::Connection*
stator_rados_connect(const stator::store::RadosOptions& options, stator::Error& error) {
  auto connection = std::make_unique<stator::store::rados::RadosConnection>(options.timeout);
  const stator::Result<void> opened = connection->open(options);
  if (opened) return connection.release();
  error = opened.error();
  return nullptr;
}
