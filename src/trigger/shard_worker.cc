#include "trigger/shard_worker.h"

#include <fmt/format.h>

#include <algorithm>

namespace stator::trigger {
namespace {

BatchLimits limits_of(const Options& options) {
  return {.records_max = options.batch_size,
          .window = std::chrono::milliseconds(static_cast<std::int64_t>(options.batching_window_s * 1000))};
}

}  // namespace

ShardWorker::ShardWorker(Shared& shared, std::unique_ptr<StreamSource> source, std::string stream_arn,
                         std::string shard, std::optional<std::string> iterator)
    : shared_(shared),
      source_(std::move(source)),
      stream_arn_(std::move(stream_arn)),
      shard_(std::move(shard)),
      iterator_(std::move(iterator)),
      position_(shared.checkpoint.position(shard_)) {
  for (std::size_t i = 0; i < shared_.options.parallelization_factor; ++i) {
    lanes_.push_back(std::make_unique<Lane>(limits_of(shared_.options)));
    threads_.emplace_back([this, lane = lanes_.back().get()] { run_lane(*lane); });
  }
  reader_ = std::thread([this] { read_shard(); });
}

ShardWorker::~ShardWorker() { reader_.join(); }

void ShardWorker::abandon() {
  for (const auto& lane : lanes_) lane->abandon();
}

// The iterator for `position_`. Where nothing has been read since the trigger began at LATEST, and it runs again, the
// records since then are found by their time: an iterator of LATEST would miss what was written in between.
Result<std::string> ShardWorker::next_iterator() {
  if (position_.kind == Position::Kind::after) {
    return source_->iterator(stream_arn_, shard_, "AFTER_SEQUENCE_NUMBER", position_.sequence_number);
  }
  since_ms_ = position_.kind == Position::Kind::latest ? position_.since_ms / 1000 * 1000 : 0;
  return source_->iterator(stream_arn_, shard_, "TRIM_HORIZON");
}

Result<void> ShardWorker::take_page(Json& records) {
  std::size_t unwanted = 0;
  std::int64_t newest_ms = 0;
  for (Json& raw : records) {
    TRY_VOID(to_lambda_record(raw, stream_arn_));
    Record record = make_record(raw);
    newest_ms = record.created_ms;
    position_ = {.kind = Position::Kind::after, .sequence_number = record.sequence_number};
    const bool wanted = record.created_ms >= since_ms_ && shared_.filters.matches(raw);
    record.ticket = tracker_.add(record.sequence_number, !wanted);
    if (!wanted) {
      ++unwanted;
      continue;
    }
    Lane& lane = *lanes_[record.key_hash % lanes_.size()];
    if (!lane.put(std::move(record))) break;
  }
  shared_.progress.read(records.size(), unwanted, newest_ms);
  if (unwanted > 0) store_position();  // in memory; it reaches the disk with the next save
  return {};
}

// Whether reading can go on.
bool ShardWorker::handle_read_error(const Error& error) {
  if (error.code == ErrorCode::table_not_found) {
    gone_ = true;
    shared_.progress.say(fmt::format("shard {} is gone: {}", shard_, error.message));
    return false;
  }
  iterator_.reset();
  if (error.code == ErrorCode::expired_iterator) return true;
  if (error.code == ErrorCode::trimmed_data) {
    shared_.progress.say(
        fmt::format("records after {} in shard {} are older than a day and lost", position_.sequence_number, shard_));
    position_ = {};
    return true;
  }
  shared_.progress.trouble(error.message);
  shared_.stop.wait_ms(std::min(10'000, 200 << std::min(errors_++, 10)));
  return true;
}

void ShardWorker::read_shard() {
  bool ended = false;
  while (!ended && !shared_.stop.requested()) {
    if (!iterator_) {
      Result<std::string> iterator = next_iterator();
      if (!iterator) {
        if (!handle_read_error(iterator.error())) break;
        continue;
      }
      iterator_ = std::move(*iterator);
    }
    Result<RecordPage> page = source_->records(*iterator_);
    if (!page) {
      if (!handle_read_error(page.error())) break;
      continue;
    }
    errors_ = 0;
    if (const Result<void> taken = take_page(page->records); !taken) {
      shared_.give_up(taken.error());
      break;
    }
    ended = !page->next.has_value();
    iterator_ = std::move(page->next);
    if (!ended && page->records.empty()) shared_.stop.wait_ms(shared_.options.poll_ms);
  }
  for (const auto& lane : lanes_) lane->close();
  for (std::thread& thread : threads_) thread.join();
  store_position();
  if ((ended || gone_) && tracker_.empty()) shared_.checkpoint.set(shard_, {.kind = Position::Kind::ended});
  finished_ = true;
}

void ShardWorker::run_lane(Lane& lane) {
  const std::unique_ptr<Handler> handler = shared_.make_handler();
  Delivery delivery(*handler, shared_.options.retry, shared_.failures, shared_.clock, shared_.stop, shared_.progress,
                    shard_, stream_arn_);
  while (true) {
    const std::vector<Record> batch = lane.take();
    if (batch.empty()) return;
    const Result<bool> delivered =
        delivery.deliver(batch, [this](std::span<const Record> records) { return done(records); });
    if (!delivered) shared_.give_up(delivered.error());
    if (!delivered || !*delivered) {
      lane.abandon();
      return;
    }
  }
}

Result<void> ShardWorker::done(std::span<const Record> records) {
  for (const Record& record : records) tracker_.done(record.ticket);
  store_position();
  return shared_.checkpoint.save();
}

void ShardWorker::store_position() {
  const std::lock_guard lock(store_);
  if (std::optional<std::string> position = tracker_.advance()) {
    shared_.checkpoint.set(shard_, {.kind = Position::Kind::after, .sequence_number = std::move(*position)});
  }
}

}  // namespace stator::trigger
