#include "place.h"

#include "base/sync_wait.h"

namespace stator::differential {
namespace {

std::unique_ptr<store::Store> open_rocksdb(const std::filesystem::path& directory) {
  store::RocksOptions options;
  options.directory = directory / "data";
  options.durability = store::Durability::relaxed;  // nothing here ends without closing
  options.cache_bytes = 8 << 20;
  Result<std::unique_ptr<store::Store>> store = store::open_rocksdb(options);
  EXPECT_TRUE(store.has_value()) << store.error().message;
  return store ? std::move(*store) : store::open_memory();
}

}  // namespace

Place::Place(Kind kind, const base::Clock& clock) : kind_(kind), clock_(clock) {
  if (kind == Kind::rocksdb) {
    store_ = open_rocksdb(directory_.emplace().path());
  } else {
    store_ = store::open_memory();
  }
  open_engine();
}

Place::~Place() {
  client_.reset();
  engine_.reset();
  store_.reset();
}

void Place::restart() {
  client_.reset();
  engine_.reset();
  if (kind_ == Kind::rocksdb) {
    const Result<void> closed = store_->close();
    EXPECT_TRUE(closed.has_value()) << closed.error().message;
    store_.reset();
    store_ = open_rocksdb(directory_->path());
  }
  open_engine();
}

void Place::open_engine() {
  engine_ = std::make_unique<engine::Engine>(*store_, clock_);
  const Result<void> loaded = base::sync_wait(engine_->catalog.load());
  EXPECT_TRUE(loaded.has_value()) << loaded.error().message;
  client_ = std::make_unique<api::testing::Client>(*engine_);
}

}  // namespace stator::differential
