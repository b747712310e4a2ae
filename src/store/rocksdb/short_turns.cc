#include "store/rocksdb/short_turns.h"

#include "base/thread_urgency.h"

namespace stator::store {
namespace {

class TurnsOfOneFile final : public rocksdb::TablePropertiesCollector {
 public:
  const char* Name() const override { return "ShortTurns"; }

  void BlockAdd(std::uint64_t /*raw_bytes*/, std::uint64_t /*fast_bytes*/, std::uint64_t /*slow_bytes*/) override {
    turns_.may_end();
  }

  // What every collector has to have.
  rocksdb::Status AddUserKey(const rocksdb::Slice& /*key*/, const rocksdb::Slice& /*value*/, rocksdb::EntryType /*type*/,
                             rocksdb::SequenceNumber /*sequence*/, std::uint64_t /*file_bytes*/) override {
    return rocksdb::Status::OK();
  }
  rocksdb::Status Finish(rocksdb::UserCollectedProperties* /*properties*/) override { return rocksdb::Status::OK(); }
  rocksdb::UserCollectedProperties GetReadableProperties() const override { return {}; }

 private:
  base::Turns turns_;
};

class ShortTurns final : public rocksdb::TablePropertiesCollectorFactory {
 public:
  const char* Name() const override { return "ShortTurns"; }
  rocksdb::TablePropertiesCollector* CreateTablePropertiesCollector(Context /*file*/) override {
    return new TurnsOfOneFile;  // RocksDB deletes it
  }
};

}  // namespace

std::shared_ptr<rocksdb::TablePropertiesCollectorFactory> make_short_turns() { return std::make_shared<ShortTurns>(); }

}  // namespace stator::store
