#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "design/migrate/item_reader.h"

// One evolution of a model as a function of items: what an item that was written by the old model is under the new one.
// Pure: no clock, no network, no state, so that a backfill, the stream and the validation get the same answer.
namespace stator::design {

enum class MigrationMode : std::uint8_t {
  in_place,  // the table stays: derived attributes are added to its items
  copy,      // items go into another table
};

// Why a part of the evolution cannot be migrated, and the way out.
struct Obstacle {
  std::string subject;
  std::string reason;
  std::string cure;
};

// Whether the list, one of an EntityPath, has the name.
[[nodiscard]] inline bool contains(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

// What happens to one entity.
struct EntityPath {
  const Entity* before = nullptr;         // null: an entity that the old model does not have, in place
  const Entity* after = nullptr;          // null: the new model does not have it
  std::vector<std::string> recomputed;    // key attributes that get another value
  std::vector<std::string> removed_keys;  // index keys that it loses
  std::vector<std::string> derived;       // plain attributes that follow from what is there
  std::vector<std::string> converted;     // attributes with another type
  std::vector<std::string> dropped;       // attributes that the new model does not have
  std::vector<std::string> leftover;      // index keys of indexes that the new model does not have
  bool type_changes = false;              // the type attribute, by name or value
  bool key_changes = false;               // the table's own key
  bool drops = false;                     // what is dropped or left over is taken out in place

  // Whether an item in place has to be written.
  [[nodiscard]] bool rewrites() const {
    return !recomputed.empty() || !removed_keys.empty() || !derived.empty() || !converted.empty() || type_changes ||
           drops;
  }
};

struct TransformOptions {
  MigrationMode mode = MigrationMode::copy;
  bool drop_removed = false;  // in place: also take out attributes that the new model does not have
};

class Transform {
 public:
  // Both models have to outlive it.
  Transform(const Model& before, const Model& after, TransformOptions options);

  [[nodiscard]] const Model& before() const { return old_.model(); }
  [[nodiscard]] const Model& after() const { return new_.model(); }
  [[nodiscard]] MigrationMode mode() const { return options_.mode; }
  [[nodiscard]] const std::vector<EntityPath>& paths() const { return paths_; }
  [[nodiscard]] const std::vector<Obstacle>& obstacles() const { return obstacles_; }
  [[nodiscard]] const ItemReader& source() const { return old_; }
  [[nodiscard]] const ItemReader& target() const { return new_; }

  // The path of an item of the source. Errors: the item is of no entity.
  [[nodiscard]] Result<const EntityPath*> path_of(const client::Json& item) const;
  // The item under the new model; nothing for an entity that the new model does not have. `existing` is what the target
  // has under its key, if known: a shard that was chosen at random is taken over from it.
  [[nodiscard]] Result<std::optional<client::Json>> apply(const client::Json& item,
                                                          const client::Json* existing = nullptr) const;
  // Keys of the target under which an item with this key of the source could be, by the key alone.
  [[nodiscard]] std::vector<client::Json> target_keys(const client::Json& source_key) const;
  // Keys of the source that could have given this item of the target: one, or one for each random shard; none for an
  // entity that this source does not have, or for values that its keys cannot hold. Nothing where the new item does not
  // say it.
  [[nodiscard]] std::optional<std::vector<client::Json>> source_keys(const client::Json& target_item) const;
  // Whether the key of the source alone says where the item is in the target.
  [[nodiscard]] bool key_is_enough(const EntityPath& path) const;
  // Attributes of an item in place on which its new form depends, with those that it writes.
  [[nodiscard]] std::vector<std::string> inputs(const EntityPath& path) const;
  // What is wrong with an item of the target by the new model alone: keys that do not follow from its fields, items
  // that should not be in a sparse index. Empty: nothing.
  [[nodiscard]] std::string disagreement(const client::Json& target_item) const;

 private:
  [[nodiscard]] EntityPath path_from(const Entity& before);
  void find_obstacles();
  void compare_keys(EntityPath& path);
  void compare_attributes(EntityPath& path);
  [[nodiscard]] bool recomputes(const EntityPath& path, const std::string& key_attribute) const;
  [[nodiscard]] Result<void> set_key(const EntityPath& path, const KeyAttribute& key, const KnownFields& fields,
                                     const client::Json& item, const client::Json* existing, client::Json& out) const;
  [[nodiscard]] Result<void> set_attributes(const EntityPath& path, const KnownFields& fields, client::Json& out) const;

  ItemReader old_, new_;
  TransformOptions options_;
  std::vector<EntityPath> paths_;
  const EntityPath new_entity_;  // of items in place that only the new model knows: nothing to do
  std::vector<Obstacle> obstacles_;
};

// A field that an entity's stored items give away, and how well, judged by the model alone.
[[nodiscard]] KnownFields stored_fields(const Model& model, const Entity& entity, bool with_indexes);

[[nodiscard]] bool is_table_key(const Model& model, const std::string& attribute);

}  // namespace stator::design
