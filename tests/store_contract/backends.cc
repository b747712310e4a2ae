#include "backends.h"

#include <atomic>
#include <chrono>

namespace stator::store {
namespace {

class MemoryBackend final : public Backend {
 public:
  Result<std::unique_ptr<Store>> open() override { return open_memory(); }
};

class RocksBackend final : public Backend {
 public:
  explicit RocksBackend(Durability durability) : durability_(durability) {}
  Result<std::unique_ptr<Store>> open() override {
    return open_rocksdb_at(directory_.path() / "data", durability_);
  }

 private:
  const Durability durability_;
  TemporaryDirectory directory_;
};

// On the cluster that STATOR_CEPH_CONF names, each in a name space of its own.
class RadosBackend final : public Backend {
 public:
  explicit RadosBackend(bool small_leaves) : small_leaves_(small_leaves) {}
  Result<std::unique_ptr<Store>> open() override {
    RadosOptions options;
    options.configuration = std::getenv("STATOR_CEPH_CONF");
    options.pool = std::getenv("STATOR_CEPH_POOL");
    options.name_space = name_space_;
    options.timeout = std::chrono::seconds(60);
    if (small_leaves_) {
      options.leaf_rows_max = 16;
      options.measure_after_rows = 8;
    }
    return open_rados(options);
  }

 private:
  static std::string fresh_name() {
    static std::atomic<int> number{0};
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    return "contract-" + std::to_string(now) + "-" + std::to_string(++number);
  }
  const bool small_leaves_;
  const std::string name_space_ = fresh_name();
};

const BackendKind kBackends[] = {
    {"Memory", false, [] { return std::unique_ptr<Backend>(std::make_unique<MemoryBackend>()); }},
    {"RocksDb", true,
     [] { return std::unique_ptr<Backend>(std::make_unique<RocksBackend>(Durability::full)); }},
    {"RocksDbRelaxed", true,
     [] { return std::unique_ptr<Backend>(std::make_unique<RocksBackend>(Durability::relaxed)); }},
};

}  // namespace

Result<std::unique_ptr<Store>> open_rocksdb_at(const std::filesystem::path& directory, Durability durability) {
  RocksOptions options;
  options.directory = directory;
  options.durability = durability;
  options.cache_bytes = 8 << 20;
  return open_rocksdb(options);
}

std::ostream& operator<<(std::ostream& out, const BackendKind& kind) { return out << kind.name; }

std::vector<BackendKind> all_backends() {
  std::vector<BackendKind> kinds(std::begin(kBackends), std::end(kBackends));
  if (std::getenv("STATOR_CEPH_CONF") != nullptr) {  // tests/ceph/run starts a cluster and sets it
    kinds.push_back({"Rados", true, [] { return std::unique_ptr<Backend>(std::make_unique<RadosBackend>(false)); }});
    kinds.push_back(
        {"RadosSmallLeaves", true, [] { return std::unique_ptr<Backend>(std::make_unique<RadosBackend>(true)); }});
  }
  return kinds;
}

std::vector<BackendKind> backends_that_keep_data() {
  std::vector<BackendKind> kinds;
  for (const BackendKind& kind : all_backends()) {
    if (kind.keeps_data) kinds.push_back(kind);
  }
  return kinds;
}

Row get(Store& store, std::string_view key, ReadMode mode) {
  Result<Row> row = base::sync_wait(store.get(key, mode));
  EXPECT_TRUE(row.has_value()) << row.error().message;
  return row ? std::move(*row) : Row();
}

std::string value_of(Store& store, std::string_view key, ReadMode mode) {
  const Row row = get(store, key, mode);
  return row.exists ? std::string(row.value.view()) : "<absent>";
}

Result<void> commit(Store& store, const Batch& batch) {
  return base::sync_wait(store.commit(batch));
}

Result<void> put(Store& store, std::string_view key, std::string_view value) {
  Batch batch;
  batch.puts.push_back({key, value});
  return commit(store, batch);
}

Rows scan(Store& store, Range range, Direction direction, std::size_t rows_max) {
  Collector collector(rows_max);
  const Result<void> done = base::sync_wait(store.scan(range, direction, collector));
  EXPECT_TRUE(done.has_value()) << done.error().message;
  return std::move(collector.rows);
}

std::vector<std::int64_t> counters(Store& store, std::string_view key, std::size_t count) {
  auto sums = base::sync_wait(store.counters(key, count));
  EXPECT_TRUE(sums.has_value()) << sums.error().message;
  return sums ? std::move(*sums) : std::vector<std::int64_t>();
}

}  // namespace stator::store
