#include <fmt/format.h>

#include <algorithm>

#include "design/migrate/diff.h"
#include "design/report/text_table.h"

// Changes of the table and of its indexes.
namespace stator::design {

namespace {

std::string key_text(const KeyAttribute& partition_key, const std::optional<KeyAttribute>& sort_key) {
  const auto one = [](const KeyAttribute& key) {
    return fmt::format("{} ({})", key.name, attribute_type_text(key.type));
  };
  return one(partition_key) + (sort_key ? ", " + one(*sort_key) : "");
}

std::string compared_projection(const Projection& projection) {
  if (projection.kind == ProjectionKind::all) return "all";
  if (projection.kind == ProjectionKind::keys_only) return "keys only";
  std::vector<std::string> names = projection.attributes;
  std::sort(names.begin(), names.end());
  return fmt::format("[{}]", fmt::join(names, ", "));
}

std::string compared_capacity(const Capacity& capacity) {
  if (capacity.mode == CapacityMode::on_demand) return "on demand";
  return fmt::format("provisioned with {} RCU and {} WCU", figure(capacity.read_units), figure(capacity.write_units));
}

std::string or_none(std::string_view text) { return text.empty() ? "none" : std::string(text); }

void diff_settings(const Model& was, const Model& is, DesignDiff& diff) {
  const std::string& name = is.table.name;
  if (compared_capacity(was.table.capacity) != compared_capacity(is.table.capacity)) {
    diff.changes.push_back({"capacity-changed", name,
                            fmt::format("the capacity goes from {} to {}", compared_capacity(was.table.capacity),
                                        compared_capacity(is.table.capacity)),
                            Effect::setting, "UpdateTable, at any time"});
  }
  if (was.table.stream_view != is.table.stream_view) {
    diff.changes.push_back(
        {"stream-changed", name,
         fmt::format("the stream goes from {} to {}", or_none(was.table.stream_view), or_none(is.table.stream_view)),
         Effect::setting,
         "a stream with another view is another stream: its readers begin anew, so change it when "
         "the migration is over"});
  }
  if (was.ttl_attribute() != is.ttl_attribute()) {
    diff.changes.push_back({"expiry-changed", name,
                            fmt::format("the attribute by which items expire goes from {} to {}",
                                        or_none(was.ttl_attribute()), or_none(is.ttl_attribute())),
                            Effect::setting, "UpdateTimeToLive, at the end: nothing expires while items are compared"});
  }
}

}  // namespace

void diff_tables(DesignDiff& diff) {
  const Table& is = diff.after->table;
  std::vector<std::string> names;
  for (const Model* model : diff.before) names.push_back(model->table.name);
  if (diff.before.size() > 1) {
    diff.changes.push_back({"tables-merged", is.name,
                            fmt::format("the tables {} become one, {}", listed(names), is.name), Effect::copy,
                            "their items are copied, with dual writes by their streams until the change-over"});
  }
  for (const Model* model : diff.before) {
    const Table& was = model->table;
    const bool moved = was.name != is.name;
    if (moved && diff.before.size() == 1) {
      diff.changes.push_back({"table-renamed", is.name, fmt::format("the table {} becomes {}", was.name, is.name),
                              Effect::copy, "a table cannot be renamed: its items are copied into a new one"});
    }
    if (key_text(was.partition_key, was.sort_key) != key_text(is.partition_key, is.sort_key)) {
      diff.changes.push_back(
          {"table-key-changed", is.name,
           fmt::format("the key of {} is {}, that of {} is {}", was.name, key_text(was.partition_key, was.sort_key),
                       is.name, key_text(is.partition_key, is.sort_key)),
           moved ? Effect::copy : Effect::refused,
           moved ? "items get their new keys with the copy"
                 : "the key attributes of a table cannot be changed: it has to be another table"});
    }
    if (was.type_attribute != is.type_attribute) {
      diff.changes.push_back({"type-attribute-changed", is.name,
                              fmt::format("the type attribute of {} goes from {} to {}", was.name,
                                          or_none(was.type_attribute), or_none(is.type_attribute)),
                              moved ? Effect::copy : Effect::backfill, "every item gets it"});
    }
    diff_settings(*model, *diff.after, diff);
  }
}

void diff_indexes(DesignDiff& diff) {
  const bool copies = diff.copies();
  for (const Index& index : diff.after->indexes) {
    const std::string kind = index.kind == IndexKind::local ? "local index" : "index";
    const Index* was = nullptr;
    for (const Model* model : diff.before)
      if (was == nullptr) was = model->index(index.name);
    if (was == nullptr) {
      const bool impossible = !copies && index.kind == IndexKind::local;
      diff.changes.push_back(
          {"index-added", index.name,
           fmt::format("new {} on {}, projecting {}", kind, key_text(index.partition_key, index.sort_key),
                       compared_projection(index.projection)),
           impossible ? Effect::refused
           : copies   ? Effect::none
                      : Effect::index_build,
           impossible ? "a local index can only be made together with its table"
           : copies   ? "the new table has it from the start"
                      : "built while the table is in use; readers wait until it is ACTIVE"});
      continue;
    }
    const Effect effect = copies ? Effect::none : Effect::refused;
    const std::string consequence =
        copies ? "the new table has it from the start"
               : "an index cannot be changed: build another one under another name, then remove this one";
    const std::string was_key = key_text(was->partition_key, was->sort_key);
    const std::string is_key = key_text(index.partition_key, index.sort_key);
    if (was_key != is_key || was->kind != index.kind) {
      diff.changes.push_back({"index-changed", index.name, fmt::format("its key goes from {} to {}", was_key, is_key),
                              effect, consequence});
    }
    if (compared_projection(was->projection) != compared_projection(index.projection)) {
      diff.changes.push_back({"projection-changed", index.name,
                              fmt::format("its projection goes from {} to {}", compared_projection(was->projection),
                                          compared_projection(index.projection)),
                              effect, consequence});
    }
  }
  for (const Model* model : diff.before) {
    for (const Index& index : model->indexes) {
      if (diff.after->index(index.name) != nullptr) continue;
      const bool stays = model->table.name == diff.after->table.name;
      diff.changes.push_back({"index-removed", index.name, "the index goes",
                              stays && index.kind == IndexKind::global ? Effect::removal : Effect::none,
                              !stays                           ? "the new table does not have it"
                              : index.kind == IndexKind::local ? "a local index cannot be removed: it stays, unused"
                                                               : "removed at the end, when nothing reads it any more"});
    }
  }
}

}  // namespace stator::design
