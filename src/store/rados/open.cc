// Opening a pool: the format, the number of this instance, and the first leaf where there is none.

#include <fmt/format.h>

#include "base/sync_wait.h"
#include "store/rados/rados_store.h"

namespace stator::store {
namespace rados {
namespace {

const std::string kFormatKey = "format";
const std::string kInstanceKey = "instance";
const std::string kFormat = fmt::format("stator-rados {}", kPoolFormat);
constexpr std::uint64_t kInstancesMax = std::uint64_t{1} << (62 - kInstanceShift);

// A number that no store on this pool ever had or will have.
base::Task<Result<Instance>> take_instance(Cluster& cluster) {
  for (int attempt = 0; attempt < 1000; ++attempt) {
    ReadRequest request;
    request.keys = {kFormatKey, kInstanceKey};
    auto read = cluster.read(kRootObject, request);
    const Reply reply = co_await read;
    if (reply.status < 0 && reply.status != -ENOENT)
      co_return tl::unexpected<Error>(to_error(reply.status, kRootObject));
    WriteRequest write;
    std::uint64_t instance = 1;
    if (reply.status == -ENOENT) {
      write.create_exclusive = true;
      write.set.emplace(kFormatKey, kFormat);
    } else {
      if (reply.value(kFormatKey) != kFormat) {
        co_return fail(ErrorCode::corruption,
                       fmt::format("the pool has data in the format '{}', and this program knows "
                                   "'{}': use a newer program",
                                   reply.value(kFormatKey), kFormat));
      }
      instance = decode_number(reply.value(kInstanceKey)) + 1;
      write.comparisons.push_back({kInstanceKey, Compare::equal, reply.value(kInstanceKey)});
    }
    if (instance >= kInstancesMax)
      co_return fail(ErrorCode::limit_exceeded, "the pool has been opened too many times");
    write.set.emplace(kInstanceKey, encode_number(instance));
    auto written = cluster.write(kRootObject, write);
    const Reply answer = co_await written;
    if (answer.status == 0) co_return static_cast<Instance>(instance);
    if (answer.status != -ECANCELED && answer.status != -EEXIST) {
      co_return tl::unexpected<Error>(to_error(answer.status, kRootObject));
    }
  }
  co_return fail(ErrorCode::unavailable, "too many nodes start at once: try again");
}

// Harmless to repeat, and to do at once on several nodes.
base::Task<Result<void>> make_first_leaf(Cluster& cluster, Instance instance) {
  ReadRequest request;
  request.keys = {map_key("")};
  auto read = cluster.read(kMapObject, request);
  const Reply reply = co_await read;
  if (reply.status == 0 && !reply.value(map_key("")).empty()) co_return Result<void>();
  if (reply.status < 0 && reply.status != -ENOENT)
    co_return tl::unexpected<Error>(to_error(reply.status, kMapObject));

  const std::string object = Leaf::object_name(kFirstLeaf);
  WriteRequest leaf;
  leaf.create_exclusive = true;
  leaf.set.emplace(kEpochKey, encode_number(1));
  leaf.set.emplace(kHeaderKey, encode_header({.epoch = 1}));
  leaf.set.emplace(kFloorKey, encode_number(Stamp{instance} << kInstanceShift));
  auto created = cluster.write(object, leaf);
  const Reply created_reply = co_await created;
  if (created_reply.status < 0 && created_reply.status != -EEXIST) {
    co_return tl::unexpected<Error>(to_error(created_reply.status, object));
  }
  WriteRequest map;
  map.create = true;
  map.set.emplace(map_key(""), encode_number(kFirstLeaf));
  auto mapped = cluster.write(kMapObject, map);
  const Reply mapped_reply = co_await mapped;
  if (mapped_reply.status < 0)
    co_return tl::unexpected<Error>(to_error(mapped_reply.status, kMapObject));
  co_return Result<void>();
}

}  // namespace

Result<std::unique_ptr<RadosStore>> open(const RadosOptions& options) {
  TRY(std::unique_ptr<Cluster> cluster, Cluster::connect(options));
  TRY(const Instance instance, base::sync_wait(take_instance(*cluster)));
  TRY_VOID(base::sync_wait(make_first_leaf(*cluster, instance)));
  auto store = std::make_unique<RadosStore>(std::move(cluster), instance, options);
  TRY_VOID(base::sync_wait(store->load()));
  return store;
}

}  // namespace rados

std::optional<RadosStatistics> rados_statistics(const Store& store) {
  const auto* rados = dynamic_cast<const rados::RadosStore*>(&store);
  if (rados == nullptr) return std::nullopt;
  return rados->statistics();
}

void hasten_rados(Store& store, std::chrono::milliseconds grace) {
  if (auto* const rados = dynamic_cast<rados::RadosStore*>(&store); rados != nullptr) rados->hasten(grace);
}

Result<std::unique_ptr<Store>> open_rados(const RadosOptions& options) {
  TRY(std::unique_ptr<Store> store, rados::open(options));
  return store;
}

}  // namespace stator::store
