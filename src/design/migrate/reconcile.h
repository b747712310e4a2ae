#pragma once

#include <string>
#include <vector>

#include "design/migrate/session.h"
#include "design/migrate/transform.h"

namespace stator::design {

enum class Reconciled : std::uint8_t {
  unchanged,  // the target was as it should be
  written,
  left_out,  // of an entity that the new model does not have
};

// Brings what the target has for one item of the source to what the source says, whoever else is at it: the backfill,
// the stream, another process, the application. One thread at a time.
//
// In place the new attributes are written under the condition that everything they were computed from is still as it
// was read. Into another table, a write is made under the condition that the target is as it was read before the source
// was, and the source is looked at once more after it: a writer that acted on older data sees that it did, and tries
// again. The last look at the source is later than the last change, so nothing older stays.
class Reconciler {
 public:
  Reconciler(const Transform& transform, Session& session) : transform_(transform), session_(session) {}

  // For the source's item with this key, there or not. `images` are earlier forms of it, from a stream: under the keys
  // that they had in the target there must be nothing any more.
  [[nodiscard]] Result<Reconciled> reconcile(const client::Json& source_key, const std::vector<client::Json>& images);

  // The same where the keys are known under which the target may have it.
  [[nodiscard]] Result<Reconciled> reconcile_at(const client::Json& source_key, std::vector<client::Json> target_keys);

  // For an item that a scan returned: one conditional write without reading first. Of a copy, the caller has to look at
  // the source again afterwards and reconcile what has changed.
  [[nodiscard]] Result<Reconciled> first_write(const client::Json& item);

  // The update that an item in place needs; null where it needs none.
  [[nodiscard]] static Result<client::Json> update_request(const Transform& transform, const client::Json& item);

 private:
  [[nodiscard]] Result<Reconciled> in_place(const client::Json& key);
  // Whether something was written; nothing where the target changed meanwhile.
  [[nodiscard]] Result<bool> settle(const client::Json& source_key, const client::Json& target_key,
                                    const client::Json& there, const client::Json& wanted, bool& again);
  [[nodiscard]] Result<void> check_owner(const client::Json& source_key, const client::Json& there) const;

  const Transform& transform_;
  Session& session_;
};

// Equal items: the order of attributes and of set members does not count.
[[nodiscard]] bool equal_items(const client::Json& a, const client::Json& b);

}  // namespace stator::design
