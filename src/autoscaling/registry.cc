#include "autoscaling/registry.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "base/sync_wait.h"

namespace stator::autoscaling {
namespace {

// Earlier versions kept everything in one document.
constexpr std::string_view kLegacyName = "state";

std::string document_name(const TargetKey& key) { return "target " + key.resource + " " + key.dimension; }

}  // namespace

Result<void> Registry::load() {
  TRY(const auto documents, documents_.load());
  bool legacy = false;
  for (const auto& [name, text] : documents) {
    State part;
    std::vector<Unusable> unusable;
    if (const Result<void> read = decode_state(text, part, unusable); !read) {
      documents_.set_aside(name, text, read.error());
      continue;
    }
    for (const Unusable& one : unusable) documents_.set_aside(one.name, one.text, one.why);
    // Where that fails, the next start finds the same and sets it aside again.
    if (!unusable.empty()) static_cast<void>(base::sync_wait(documents_.put(name, encode_state(part, nullptr))));
    legacy |= name == kLegacyName;
    const std::lock_guard lock(mutex_);
    state_.targets.merge(part.targets);
    state_.policies.merge(part.policies);
    state_.actions.merge(part.actions);
    std::move(part.activities.begin(), part.activities.end(), std::back_inserter(state_.activities));
  }
  const std::lock_guard lock(mutex_);
  std::stable_sort(state_.activities.begin(), state_.activities.end(),
                   [](const Activity& a, const Activity& b) { return a.started_ms < b.started_ms; });
  if (state_.activities.size() > kActivitiesMax) {
    state_.activities.erase(state_.activities.begin(), state_.activities.end() - static_cast<std::ptrdiff_t>(kActivitiesMax));
  }
  return legacy ? split_legacy() : Result<void>();
}

// Each target into a document of its own.
Result<void> Registry::split_legacy() {
  std::set<TargetKey> keys;
  for (const auto& [key, target] : state_.targets) keys.insert(key);
  for (const auto& [name, policy] : state_.policies) keys.insert(name.first);
  for (const auto& [name, action] : state_.actions) keys.insert(name.first);
  for (const Activity& activity : state_.activities) keys.insert(activity.target);
  for (const TargetKey& key : keys) {
    TRY_VOID(base::sync_wait(documents_.put(document_name(key), encode_state(state_, &key))));
  }
  return base::sync_wait(documents_.erase(std::string(kLegacyName)));
}

void Registry::store(const TargetKey& key, Writing& writing) {
  if (has_any(state_, key)) writing.emplace(documents_.put(document_name(key), encode_state(state_, &key)));
  else writing.emplace(documents_.erase(document_name(key)));
}

base::Task<Result<void>> Registry::update(TargetKey key, std::function<Result<void>(State&)> change) {
  Writing writing;
  {
    const std::lock_guard lock(mutex_);
    CO_TRY_VOID(change(state_));
    store(key, writing);
  }
  base::Started<Result<void>>& written = *writing;
  Result<void> done = co_await written;
  co_return done;
}

}  // namespace stator::autoscaling
