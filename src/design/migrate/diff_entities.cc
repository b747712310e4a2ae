#include <fmt/format.h>

#include <algorithm>

#include "design/migrate/diff.h"
#include "design/report/text_table.h"
#include "design/shape.h"

// Changes of entities: where they are, their keys, their attributes.
namespace stator::design {

namespace {

std::string indexes_of(const Model& model, const std::string& key) {
  std::vector<std::string> names;
  for (const Index& index : model.indexes) {
    if (index.partition_key.name == key || (index.sort_key && index.sort_key->name == key)) names.push_back(index.name);
  }
  return listed(names);
}

std::string sparse_text(const Model& model, const Entity& entity, const std::string& key) {
  for (const Index& index : model.indexes) {
    if (index.partition_key.name != key && !(index.sort_key && index.sort_key->name == key)) continue;
    const SparseCondition* sparse = entity.sparse_in(index.name);
    if (sparse == nullptr) return "";
    if (sparse->values.empty()) return fmt::format(" while it has {}", sparse->attribute);
    return fmt::format(" while {} is {}", sparse->attribute, fmt::join(sparse->values, " or "));
  }
  return "";
}

// Whether two templates differ in their shards alone.
bool same_but_shards(const Template& a, const Template& b, char delimiter) {
  const auto bare = [&](const Template& key) {
    std::vector<Part> parts;
    for (const Part& part : key.parts())
      if (part.kind != PartKind::shard) parts.push_back(part);
    if (!parts.empty() && parts.back().kind == PartKind::literal && parts.back().text == std::string(1, delimiter)) {
      parts.pop_back();
    }
    return parts;
  };
  std::vector<Part> left = bare(a), right = bare(b);
  // A shard brings a delimiter along: OPEN and OPEN#{shard(id, 10)}.
  for (auto* parts : {&left, &right}) {
    for (Part& part : *parts)
      if (part.kind == PartKind::literal && part.text.size() > 1 && part.text.back() == delimiter) part.text.pop_back();
  }
  return left == right && (a.shard() != nullptr || b.shard() != nullptr);
}

std::string shard_text(const Template& key) {
  const Part* shard = key.shard();
  if (shard == nullptr) return "one key";
  return fmt::format("{} shards", shard->shard_count);
}

class EntityDiff {
 public:
  EntityDiff(DesignDiff& diff, const Transform& transform, const EntityPath& path)
      : diff_(diff),
        path_(path),
        before_(transform.before()),
        after_(transform.after()),
        in_place_(transform.mode() == MigrationMode::in_place),
        items_(figure(path.after == nullptr ? item_count(before_, *path.before) : written_items(transform, path))) {}

  void run() {
    if (path_.after == nullptr) {
      return add("entity-removed", fmt::format("the entity goes ({} items)", items_),
                 in_place_ ? Effect::none : Effect::removal,
                 in_place_ ? "its items stay in the table; delete them with a program of your own"
                           : "its items are not copied and go with the old table");
    }
    if (!in_place_) {
      add("entity-moved", fmt::format("it moves from table {} to {}", before_.table.name, after_.table.name),
          Effect::copy, fmt::format("{} items; dual writes until the change-over", items_));
    }
    for (const KeyAttribute& key : after_.key_attributes()) diff_key(key.name);
    diff_attributes();
    if (in_place_ && !path_.leftover.empty()) {
      add("index-key-unused", fmt::format("{} of indexes that go", listed(path_.leftover)), Effect::none,
          "they stay on the items unless --drop-removed takes them out");
    }
    if (path_.before->ttl_attribute != path_.after->ttl_attribute) {
      add("expiry-changed", "its items expire by another attribute", Effect::application,
          "what has no such attribute does not expire");
    }
    const double was = item_count(before_, *path_.before);
    const double is = item_count(after_, *path_.after);
    if (was != is) {
      add("count-changed", fmt::format("{} items become {}", figure(was), figure(is)), Effect::none,
          "another figure, the same design");
    }
  }

 private:
  void add(std::string kind, std::string text, Effect effect, std::string consequence) {
    diff_.changes.push_back({std::move(kind), path_.before->name, std::move(text), effect, std::move(consequence)});
  }

  void diff_key(const std::string& key) {
    const Template* was = path_.before->key(key);
    const Template* is = path_.after->key(key);
    const bool of_table = is_table_key(after_, key);
    if (is == nullptr) {
      if (contains(path_.removed_keys, key)) {
        add("index-key-removed", fmt::format("it loses {} and leaves {}", key, indexes_of(after_, key)),
            Effect::backfill, fmt::format("{} items lose the attribute", items_));
      }
      return;
    }
    if (!contains(path_.recomputed, key)) {
      if (was == nullptr) {
        add("index-joined", fmt::format("{} is a key of {} now", key, indexes_of(after_, key)),
            in_place_ ? Effect::index_build : Effect::none, "the attribute is there: nothing to fill in");
      }
      return;
    }
    const Effect effect = !in_place_ ? Effect::copy : of_table ? Effect::refused : Effect::backfill;
    std::string consequence = fmt::format("{} items; writers set it, too", items_);
    if (!in_place_) consequence = fmt::format("the copies of {} items have it", items_);
    if (in_place_ && of_table) consequence = "the key of an item cannot be changed: it needs a copy into a new table";
    if (was == nullptr) {
      const std::string what = of_table ? fmt::format("its key {} is", key) : fmt::format("it gets {} =", key);
      return add(of_table ? "key-changed" : "index-key-added",
                 fmt::format("{} \"{}\"{}{}", what, is->text(), sparse_text(after_, *path_.after, key),
                             of_table ? "" : fmt::format(", for {}", indexes_of(after_, key))),
                 effect, consequence);
    }
    if (*was == *is) {
      return add("sparse-changed",
                 fmt::format("it is in {}{} now", indexes_of(after_, key),
                             sparse_text(after_, *path_.after, key).empty() ? " always"
                                                                            : sparse_text(after_, *path_.after, key)),
                 effect, consequence);
    }
    if (same_but_shards(*was, *is, after_.delimiter)) {
      return add("sharding-changed",
                 fmt::format("{} goes from {} to {}: \"{}\"", key, shard_text(*was), shard_text(*is), is->text()),
                 effect, consequence + "; readers ask every old and new shard until the change-over");
    }
    add("key-changed", fmt::format("{} goes from \"{}\" to \"{}\"", key, was->text(), is->text()), effect, consequence);
  }

  void diff_attributes() {
    for (const Attribute& is : path_.after->attributes) {
      const Attribute* was = path_.before->attribute(is.name);
      if (contains(path_.derived, is.name)) {
        add("attribute-stored", fmt::format("{} becomes an attribute of its own; items say it in their keys", is.name),
            in_place_ ? Effect::backfill : Effect::copy,
            in_place_ ? fmt::format("{} items", items_) : "the copies have it");
      } else if (was == nullptr && is.stored) {
        add("attribute-added", fmt::format("new attribute {} ({})", is.name, attribute_type_text(is.type)),
            Effect::application,
            "old items do not have it, and nothing says what it would be: the application writes it");
      } else if (was != nullptr && was->stored && is.stored && was->type != is.type) {
        const bool possible = contains(path_.converted, is.name);
        add("attribute-retyped",
            fmt::format("{} goes from {} to {}", is.name, attribute_type_text(was->type), attribute_type_text(is.type)),
            !possible   ? Effect::refused
            : in_place_ ? Effect::backfill
                        : Effect::copy,
            possible ? fmt::format("{} items are converted; readers take both forms meanwhile", items_)
                     : "no rule converts it");
      }
    }
    for (const std::string& name : path_.dropped) {
      add("attribute-removed", fmt::format("the attribute {} goes", name), Effect::none,
          in_place_ ? "it stays on the items unless --drop-removed takes it out" : "the copies do not have it");
    }
  }

  DesignDiff& diff_;
  const EntityPath& path_;
  const Model& before_;
  const Model& after_;
  const bool in_place_;
  const std::string items_;
};

}  // namespace

void diff_entities(DesignDiff& diff, const std::vector<Transform>& transforms) {
  for (const Transform& transform : transforms) {
    for (const EntityPath& path : transform.paths()) EntityDiff(diff, transform, path).run();
  }
  for (const Entity& entity : diff.after->entities) {
    const bool known = std::any_of(diff.before.begin(), diff.before.end(),
                                   [&](const Model* model) { return model->entity(entity.name) != nullptr; });
    if (known) continue;
    diff.changes.push_back({"entity-added", entity.name,
                            fmt::format("new entity ({} items)", figure(item_count(*diff.after, entity))),
                            Effect::application, "the application writes its items; there is nothing to migrate"});
  }
}

}  // namespace stator::design
