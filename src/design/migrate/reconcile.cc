#include "design/migrate/reconcile.h"

#include <fmt/format.h>

#include <algorithm>

#include "design/prove/outcome.h"

namespace stator::design {

namespace {

using client::Json;

constexpr int kAttempts = 100;  // of one item that others keep changing
// An expression has 4 KB at most; an item with more attributes is told apart by these.
constexpr int kComparedMax = 120;

// Builds `#0 = :0 AND ...` with its names and values.
class Condition {
 public:
  void equal(const std::string& name, const Json& value) {
    if (count_ >= kComparedMax) return;
    add(fmt::format("#{0} = :{0}", count_));
    values_[fmt::format(":{}", count_)] = value;
    names_[fmt::format("#{}", count_++)] = name;
  }
  void absent(const std::string& name) {
    if (count_ >= kComparedMax) return;
    add(fmt::format("attribute_not_exists(#{})", count_));
    names_[fmt::format("#{}", count_++)] = name;
  }
  void present(const std::string& name) {
    add(fmt::format("attribute_exists(#{})", count_));
    names_[fmt::format("#{}", count_++)] = name;
  }
  // The item is this one, or there is none.
  void is(const Json& item, const std::string& partition_key) {
    if (item.is_null()) return absent(partition_key);
    for (const auto& [name, value] : item.items()) equal(name, value);
  }
  void into(Json& request) const {
    request["ConditionExpression"] = text_;
    if (!names_.empty()) request["ExpressionAttributeNames"].update(names_);
    if (!values_.empty()) request["ExpressionAttributeValues"].update(values_);
  }

 private:
  void add(const std::string& part) { text_ += (text_.empty() ? "" : " AND ") + part; }

  std::string text_;
  Json names_ = Json::object();
  Json values_ = Json::object();
  int count_ = 0;
};

void add_once(std::vector<Json>& keys, const Json& key) {
  if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
}

}  // namespace

bool equal_items(const Json& a, const Json& b) { return same_item(a, b); }

Result<Json> Reconciler::update_request(const Transform& transform, const Json& item) {
  TRY(const auto wanted, transform.apply(item));
  if (!wanted) return Json();
  TRY(const EntityPath* path, transform.path_of(item));
  Json names = Json::object();
  Json values = Json::object();
  std::string set, remove;
  int count = 0;
  for (const auto& [name, value] : wanted->items()) {
    const auto there = item.find(name);
    if (there != item.end() && *there == value) continue;
    set += fmt::format("{}#s{} = :s{}", set.empty() ? "SET " : ", ", count, count);
    names[fmt::format("#s{}", count)] = name;
    values[fmt::format(":s{}", count++)] = value;
  }
  for (const auto& [name, value] : item.items()) {
    if (wanted->contains(name)) continue;
    remove += fmt::format("{}#s{}", remove.empty() ? " REMOVE " : ", ", count);
    names[fmt::format("#s{}", count++)] = name;
  }
  if (set.empty() && remove.empty()) return Json();
  Json request = {{"TableName", transform.before().table.name},
                  {"Key", transform.source().key_of(item)},
                  {"UpdateExpression", set + remove},
                  {"ExpressionAttributeNames", std::move(names)}};
  if (!values.empty()) request["ExpressionAttributeValues"] = std::move(values);
  Condition condition;
  condition.present(transform.before().table.partition_key.name);
  for (const std::string& name : transform.inputs(*path)) {
    const auto there = item.find(name);
    if (there == item.end()) {
      condition.absent(name);
    } else {
      condition.equal(name, *there);
    }
  }
  condition.into(request);
  return request;
}

Result<Reconciled> Reconciler::first_write(const Json& item) {
  if (transform_.mode() == MigrationMode::in_place) {
    TRY(const Json request, update_request(transform_, item));
    if (request.is_null()) return Reconciled::unchanged;
    TRY(const bool done, session_.write("UpdateItem", request, write_units_about(item)));
    return done ? Result<Reconciled>(Reconciled::written) : in_place(transform_.source().key_of(item));
  }
  TRY(const auto wanted, transform_.apply(item));
  if (!wanted) return Reconciled::left_out;
  Json request = {{"TableName", transform_.after().table.name}, {"Item", *wanted}};
  Condition condition;
  condition.absent(transform_.after().table.partition_key.name);
  condition.into(request);
  TRY(const bool done, session_.write("PutItem", request, write_units_about(*wanted)));
  return done ? Result<Reconciled>(Reconciled::written) : reconcile(transform_.source().key_of(item), {});
}

Result<Reconciled> Reconciler::reconcile(const Json& source_key, const std::vector<Json>& images) {
  if (transform_.mode() == MigrationMode::in_place) return in_place(source_key);
  std::vector<Json> keys = transform_.target_keys(source_key);
  for (const Json& image : images) {
    const auto earlier = transform_.apply(image);
    if (earlier && *earlier) add_once(keys, transform_.target().key_of(**earlier));
  }
  return reconcile_at(source_key, std::move(keys));
}

Result<Reconciled> Reconciler::in_place(const Json& key) {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    TRY(const Json item, session_.get(transform_.before().table.name, key));
    if (item.is_null()) return Reconciled::unchanged;
    TRY(const Json request, update_request(transform_, item));
    if (request.is_null()) return Reconciled::unchanged;
    TRY(const bool done, session_.write("UpdateItem", request, write_units_about(item)));
    if (done) return Reconciled::written;
  }
  return fail(ErrorCode::conflict, fmt::format("{} of table {} is changed all the time; call the step again",
                                               key.dump(), transform_.before().table.name));
}

Result<void> Reconciler::check_owner(const Json& source_key, const Json& there) const {
  const auto owners = transform_.source_keys(there);
  if (!owners || std::find(owners->begin(), owners->end(), source_key) != owners->end()) return {};
  return fail(ErrorCode::conflict,
              fmt::format("{} of table {} would become {} in {}, where there is an item that did not come from it",
                          source_key.dump(), transform_.before().table.name, transform_.target().key_of(there).dump(),
                          transform_.after().table.name));
}

Result<bool> Reconciler::settle(const Json& source_key, const Json& target_key, const Json& there, const Json& wanted,
                                bool& again) {
  if (wanted.is_null() ? there.is_null() : equal_items(there, wanted)) return false;
  if (!there.is_null()) {
    const auto owned = check_owner(source_key, there);
    // What somebody else put under a key that this item no longer has is not ours to delete.
    if (!owned && wanted.is_null()) return false;
    TRY_VOID(owned);
  }
  Json request = {{"TableName", transform_.after().table.name}};
  request[wanted.is_null() ? "Key" : "Item"] = wanted.is_null() ? target_key : wanted;
  Condition condition;
  condition.is(there, transform_.after().table.partition_key.name);
  condition.into(request);
  TRY(const bool done, session_.write(wanted.is_null() ? "DeleteItem" : "PutItem", request,
                                      write_units_about(wanted.is_null() ? there : wanted)));
  again = again || !done;
  return true;
}

Result<Reconciled> Reconciler::reconcile_at(const Json& source_key, std::vector<Json> target_keys) {
  if (transform_.mode() == MigrationMode::in_place) return in_place(source_key);
  const std::string& source = transform_.before().table.name;
  const std::string& target = transform_.after().table.name;
  Reconciled result = Reconciled::unchanged;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    // The target before the source: what is written then is newer than what is replaced.
    std::vector<Json> there;
    for (const Json& key : target_keys) {
      TRY(there.emplace_back(), session_.get(target, key));
    }
    TRY(const Json item, session_.get(source, source_key));
    Json wanted;
    Json wanted_key;
    if (!item.is_null()) {
      TRY(auto plain, transform_.apply(item));
      if (!plain) return Reconciled::left_out;
      wanted_key = transform_.target().key_of(*plain);
      const auto at = std::find(target_keys.begin(), target_keys.end(), wanted_key);
      if (at == target_keys.end()) {
        target_keys.push_back(wanted_key);
        continue;
      }
      const Json& current = there[static_cast<std::size_t>(at - target_keys.begin())];
      if (!current.is_null()) {
        TRY(plain, transform_.apply(item, &current));
      }
      wanted = std::move(*plain);
    }
    bool wrote = false, again = false;
    for (std::size_t at = 0; at < target_keys.size(); ++at) {
      const bool here = !wanted.is_null() && target_keys[at] == wanted_key;
      TRY(const bool changed, settle(source_key, target_keys[at], there[at], here ? wanted : Json(), again));
      wrote = wrote || changed;
    }
    if (!wrote) return result;
    result = Reconciled::written;
    if (again) continue;
    TRY(const Json after, session_.get(source, source_key));
    if (after == item) return result;
  }
  return fail(ErrorCode::conflict,
              fmt::format("{} of table {} is changed all the time; call the step again", source_key.dump(), source));
}

}  // namespace stator::design
