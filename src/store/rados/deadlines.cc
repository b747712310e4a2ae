#include "store/rados/deadlines.h"

#include <algorithm>
#include <cerrno>

namespace stator::store::rados {

Deadlines::Deadlines(const Limits& limits)
    : limits_(limits), timeout_(limits.timeout), thread_([this] { run(); }) {}

Deadlines::~Deadlines() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    wake_.notify_one();
  }
  thread_.join();
}

bool Deadlines::begin(const PendingPointer& pending) { return begin(pending, false); }

bool Deadlines::begin_patiently(const PendingPointer& pending) { return begin(pending, true); }

bool Deadlines::begin(const PendingPointer& pending, bool patiently) {
  {
    const std::lock_guard lock(mutex_);
    if (!refuses(*pending)) {
      ++waiting_;
      if (patiently && !hastened_) {
        std::erase_if(patient_, [](const std::weak_ptr<Pending>& old) { return old.expired(); });
        patient_.push_back(pending);
        return true;
      }
      // Nearly all have ended long before their time: what waits here is about what is under way.
      while (!entries_.empty() && entries_.front().pending.expired()) entries_.pop_front();
      if (entries_.empty()) wake_.notify_one();
      entries_.push_back({Clock::now() + timeout_, pending});
      return true;
    }
    ++timeouts_;
    pending->state_ = Pending::State::ended;
  }
  pending->answer(-ETIMEDOUT);
  return false;
}

bool Deadlines::refuses(const Pending& pending) const {
  if (gone_) return true;
  if (late_.empty()) return false;
  if (late_.size() >= limits_.late_max || late_bytes_ >= limits_.late_bytes_max) return true;
  const auto of_object = late_of_object_.find(pending.object_);
  return of_object != late_of_object_.end() && of_object->second >= limits_.late_of_object_max;
}

bool Deadlines::end(Pending& pending) {
  const std::lock_guard lock(mutex_);
  const Pending::State before = std::exchange(pending.state_, Pending::State::ended);
  if (before == Pending::State::waiting) return true;
  if (before == Pending::State::late) {
    const auto of_object = late_of_object_.find(pending.object_);
    if (--of_object->second == 0) late_of_object_.erase(of_object);
    late_bytes_ -= pending.bytes_;
    late_.erase(&pending);  // the caller holds another reference
  }
  return false;
}

void Deadlines::answered() {
  const std::lock_guard lock(mutex_);
  if (--waiting_ == 0) idle_.notify_all();
}

void Deadlines::become_late(const PendingPointer& pending) {
  pending->state_ = Pending::State::late;
  ++timeouts_;
  late_.emplace(pending.get(), pending);
  ++late_of_object_[pending->object_];
  late_bytes_ += pending->bytes_;
}

void Deadlines::hasten(std::chrono::milliseconds grace) {
  const std::lock_guard lock(mutex_);
  hastened_ = true;
  timeout_ = std::min(timeout_, grace);
  const Clock::time_point latest = Clock::now() + grace;
  for (Entry& entry : entries_) entry.at = std::min(entry.at, latest);
  for (std::weak_ptr<Pending>& pending : patient_) entries_.push_back({latest, std::move(pending)});
  patient_.clear();
  wake_.notify_one();
}

std::vector<Deadlines::PendingPointer> Deadlines::drain() {
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [&] { return waiting_ == 0; });
  std::vector<PendingPointer> left;
  for (const auto& [address, pending] : late_) left.push_back(pending);
  return left;
}

Deadlines::Statistics Deadlines::statistics() const {
  const std::lock_guard lock(mutex_);
  return {timeouts_, late_.size()};
}

void Deadlines::run() {
  std::unique_lock lock(mutex_);
  while (!stopped_) {
    std::vector<PendingPointer> due;
    const Clock::time_point now = Clock::now();
    while (!entries_.empty() && (gone_ || entries_.front().at <= now)) {
      PendingPointer pending = entries_.front().pending.lock();
      entries_.pop_front();
      if (pending == nullptr || pending->state_ != Pending::State::waiting) continue;
      gone_ = hastened_;
      become_late(pending);
      due.push_back(std::move(pending));
    }
    if (due.empty()) {
      if (entries_.empty()) {
        wake_.wait(lock);
      } else {
        wake_.wait_until(lock, Clock::time_point(entries_.front().at));
      }
      continue;
    }
    lock.unlock();
    for (const PendingPointer& pending : due) pending->answer(-ETIMEDOUT);
    lock.lock();
    waiting_ -= due.size();
    if (waiting_ == 0) idle_.notify_all();
  }
}

}  // namespace stator::store::rados
