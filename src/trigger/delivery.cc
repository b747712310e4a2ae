#include "trigger/delivery.h"

#include <algorithm>
#include <deque>

#include "trigger/response.h"

namespace stator::trigger {
namespace {

constexpr std::int64_t kFirstWaitMs = 100;
constexpr std::int64_t kLongestWaitMs = 30'000;
constexpr std::int64_t kRetentionS = 24 * 60 * 60;

}  // namespace

void Delivery::wait(int waits) { stop_.wait_ms(std::min(kLongestWaitMs, kFirstWaitMs << std::min(waits, 16))); }

Result<void> Delivery::give_up(std::span<const Record> records, std::string_view condition, int invocations,
                               const std::string& message, const Done& done) {
  TRY_VOID(failures_.append({condition, invocations, message, shard_, stream_arn_, records, clock_.now_ms()}));
  progress_.discarded(records.size(), condition);
  return done(records);
}

// Gives up the records at the front of the part that are too old; whether any are left is returned.
Result<bool> Delivery::drop_old(Part& part, const Done& done) {
  const std::int64_t age_max_s = policy_.record_age_max_s < 0 ? kRetentionS : policy_.record_age_max_s;
  const std::int64_t oldest_ms = clock_.now_ms() - age_max_s * 1000;
  std::size_t count = 0;
  // Times of records are cut to the second: only what is too old in any case.
  while (count < part.records.size() && part.records[count].created_ms + 999 < oldest_ms) ++count;
  if (count > 0) {
    TRY_VOID(give_up(part.records.first(count), kTooOld, part.invocations, "", done));
    part = {part.records.subspan(count)};
  }
  return !part.records.empty();
}

Result<bool> Delivery::deliver(std::span<const Record> batch, const Done& done) {
  std::deque<Part> parts = {{batch}};
  while (!parts.empty()) {
    if (stop_.requested()) return false;
    Part& part = parts.front();
    TRY(const bool left, drop_old(part, done));
    if (!left) {
      parts.pop_front();
      continue;
    }
    Outcome outcome = handler_.invoke(lambda_event(part.records));
    if (outcome.kind == Outcome::Kind::unreachable) {
      progress_.trouble(outcome.message);
      wait(part.waits++);
      continue;
    }
    ++part.invocations;
    BatchResponse response;
    if (outcome.kind == Outcome::Kind::failed) {
      response = {0, std::move(outcome.message)};
    } else if (policy_.report_failures) {
      response = read_response(outcome.response, part.records);
    }
    const std::size_t taken = response.first_failed.value_or(part.records.size());
    progress_.invoked(taken, response.first_failed.has_value());
    if (taken > 0) TRY_VOID(done(part.records.first(taken)));
    if (!response.first_failed) {
      parts.pop_front();
      continue;
    }
    progress_.trouble(response.message);
    // What is left begins with a record that failed. Where the function got ahead, counting starts anew.
    if (taken > 0) part = {part.records.subspan(taken), 0, 1, 0};
    if (policy_.bisect && taken > 0) continue;  // that was the split, and splits are no retries
    if (policy_.bisect && part.records.size() > 1) {
      const std::size_t half = part.records.size() / 2;
      const Part second{part.records.subspan(half), 0, part.invocations, 0};
      part = {part.records.first(half), 0, part.invocations, 0};
      parts.insert(parts.begin() + 1, second);
      continue;
    }
    if (policy_.retries_max >= 0 && part.retries >= policy_.retries_max) {
      TRY_VOID(give_up(part.records, kRetriesExhausted, part.invocations, response.message, done));
      parts.pop_front();
      continue;
    }
    ++part.retries;
    wait(part.waits++);
  }
  return true;
}

}  // namespace stator::trigger
