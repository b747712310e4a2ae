#include "design/shape.h"

#include <algorithm>
#include <cmath>

namespace stator::design {
namespace {

// A model may declare its relationships in a circle by mistake; counts then stop here.
constexpr int kDepthMax = 16;

const Relationship* first_as_child(const Model& model, const Entity& entity) {
  for (const Relationship& one : model.relationships) {
    if (one.child == entity.name) return &one;
  }
  return nullptr;
}

double count_of(const Model& model, const Entity& entity, int depth) {
  if (entity.count) return *entity.count;
  const Relationship* relationship = first_as_child(model, entity);
  if (relationship == nullptr || depth >= kDepthMax) return 1;
  const Entity* parent = model.entity(relationship->parent);
  return parent == nullptr ? 1 : count_of(model, *parent, depth + 1) * relationship->children.average;
}

// How many different values a number or a time has by its declaration; nothing if it does not say.
std::optional<double> declared_range(const Attribute& attribute) {
  if (attribute.type == AttributeType::boolean) return 2;
  if (attribute.format == ValueFormat::date || attribute.format == ValueFormat::day_first) return 730;
  if (attribute.type == AttributeType::number && attribute.minimum && attribute.maximum) {
    return (*attribute.maximum - *attribute.minimum) * std::pow(10.0, attribute.decimals.value_or(0)) + 1;
  }
  return std::nullopt;
}

double distinct_of(const Model& model, const Entity& entity, std::string_view field, int depth) {
  const double count = count_of(model, entity, 0);
  const Attribute* attribute = entity.attribute(field);
  if (attribute == nullptr || attribute->unique) return count;
  if (!attribute->values.empty()) return std::min(count, static_cast<double>(attribute->values.size()));
  if (attribute->distinct) return std::min(count, *attribute->distinct);
  for (const Relationship& one : model.relationships) {
    if (one.child != entity.name || depth >= kDepthMax) continue;
    for (std::size_t i = 0; i < one.by.size(); ++i) {
      const Entity* parent = model.entity(one.parent);
      if (one.by[i] != field || parent == nullptr) continue;
      return std::min(count, distinct_of(model, *parent, one.parent_fields[i], depth + 1));
    }
  }
  return std::min(count, declared_range(*attribute).value_or(count));
}

// Two years are the span that a table is looked at over, unless the attribute declares its own number of values.
double distinct_times(TimeUnit unit) {
  constexpr double kInTwoYears[] = {2, 24, 730, 17'520, 1'051'200, 63'072'000};
  return kInTwoYears[static_cast<std::size_t>(unit)];
}

bool uses_all(const Template& key, const std::vector<std::string>& fields) {
  return std::all_of(fields.begin(), fields.end(), [&](const std::string& field) {
    return std::any_of(key.parts().begin(), key.parts().end(), [&](const Part& part) {
      return part.kind == PartKind::field && part.text == field && part.format.kind != FormatKind::time;
    });
  });
}

// Whether the key names a parent by its identifier and the field is one of the parent's too: a tenant beside the show
// that belongs to it adds no further values.
bool follows_from_parent(const Model& model, const Entity& entity, const Template& key, const std::string& field) {
  for (const Relationship& one : model.relationships) {
    const Entity* parent = model.entity(one.parent);
    if (one.child != entity.name || parent == nullptr || !uses_all(key, one.by)) continue;
    const bool identifies =
        std::any_of(one.parent_fields.begin(), one.parent_fields.end(), [&](const std::string& name) {
          const Attribute* attribute = parent->attribute(name);
          return attribute != nullptr && attribute->unique;
        });
    const bool names = std::find(one.by.begin(), one.by.end(), field) != one.by.end();
    if (identifies && !names && parent->attribute(field) != nullptr) return true;
  }
  return false;
}

// The share of the largest of N ranks under a zipf distribution: 1 / (1 + 1/2^s + ... + 1/N^s).
double zipf_largest_share(double ranks, double exponent) {
  constexpr double kSummed = 10'000;  // beyond, the sum is as good as an integral
  double sum = 0;
  const double exact = std::min(ranks, kSummed);
  for (double rank = 1; rank <= exact; ++rank) sum += std::pow(rank, -exponent);
  if (ranks > kSummed) {
    sum += exponent == 1.0 ? std::log(ranks / kSummed)
                           : (std::pow(ranks, 1 - exponent) - std::pow(kSummed, 1 - exponent)) / (1 - exponent);
  }
  return 1 / sum;
}

// The largest share of the items that one combination of listed values has.
double largest_value_share(const Entity& entity, const Template& key) {
  double share = 1;
  for (const std::string& field : key.fields()) {
    const Attribute* attribute = entity.attribute(field);
    if (attribute == nullptr || attribute->values.empty()) continue;
    double total = 0;
    double largest = 0;
    for (const NamedValue& value : attribute->values) {
      total += value.weight;
      largest = std::max(largest, value.weight);
    }
    if (total > 0) share *= largest / total;
  }
  return share;
}

}  // namespace

double item_count(const Model& model, const Entity& entity) { return count_of(model, entity, 0); }

double distinct_values(const Model& model, const Entity& entity, std::string_view field) {
  return distinct_of(model, entity, field, 0);
}

double distinct_values(const Model& model, const Entity& entity, std::string_view field, const Format& format) {
  const double distinct = distinct_values(model, entity, field);
  return format.kind == FormatKind::time ? std::min(distinct, distinct_times(format.unit)) : distinct;
}

double distinct_keys(const Model& model, const Entity& entity, const Template& key) {
  double product = 1;
  for (const Part& part : key.parts()) {
    if (part.kind == PartKind::field) {
      if (!follows_from_parent(model, entity, key, part.text)) {
        product *= distinct_values(model, entity, part.text, part.format);
      }
    } else if (part.kind == PartKind::shard) {
      const bool follows = part.shard_kind == ShardKind::calculated && uses_all(key, {part.text});
      if (!follows) product *= part.shard_count;
    }
  }
  return std::max(1.0, std::min(product, item_count(model, entity)));
}

Collection items_per_key(const Model& model, const Entity& entity, const Template& partition_key) {
  const double count = item_count(model, entity);
  Collection collection;
  collection.average = count / distinct_keys(model, entity, partition_key);
  const Part* shard = partition_key.shard();
  const double shards = shard == nullptr ? 1 : shard->shard_count;
  for (const std::string& field : partition_key.fields()) {
    const Attribute* attribute = entity.attribute(field);
    if (attribute != nullptr && attribute->unique && uses_all(partition_key, {field})) {
      collection.maximum = 1;
      return collection;
    }
  }
  bool listed = true;  // every field has its values listed: shares are known
  for (const std::string& field : partition_key.fields()) {
    const Attribute* attribute = entity.attribute(field);
    listed = listed && attribute != nullptr && !attribute->values.empty();
  }
  if (listed) collection.maximum = count * largest_value_share(entity, partition_key) / shards;
  for (const Relationship& one : model.relationships) {
    if (one.child != entity.name || !uses_all(partition_key, one.by)) continue;
    const Entity* parent = model.entity(one.parent);
    std::optional<double> maximum = one.children.maximum;
    if (!maximum && !one.children.unbounded && one.children.distribution == Distribution::zipf && parent != nullptr) {
      maximum = count * zipf_largest_share(item_count(model, *parent), one.children.exponent);
    }
    if (maximum) maximum = std::max(collection.average, *maximum / shards);
    if (maximum && (!collection.maximum || *maximum < *collection.maximum)) collection.maximum = maximum;
    collection.unbounded = one.children.unbounded;
  }
  return collection;
}

bool is_in(const Model& model, const Entity& entity, std::string_view index) {
  if (entity.key(model.partition_key(index).name) == nullptr) return false;
  const KeyAttribute* sort = model.sort_key(index);
  return sort == nullptr || entity.key(sort->name) != nullptr;
}

double index_share(const Model& model, const Entity& entity, const Index& index) {
  if (!is_in(model, entity, index.name)) return 0;
  const SparseCondition* sparse = entity.sparse_in(index.name);
  if (sparse == nullptr) {
    double share = 1;  // a key that needs an attribute is there as often as the attribute is
    for (const KeyAttribute* key : {&index.partition_key, index.sort_key ? &*index.sort_key : nullptr}) {
      if (key == nullptr) continue;
      for (const std::string& field : entity.key(key->name)->fields()) {
        if (const Attribute* attribute = entity.attribute(field)) share = std::min(share, attribute->present);
      }
    }
    return share;
  }
  if (sparse->share) return *sparse->share;
  const Attribute* attribute = entity.attribute(sparse->attribute);
  if (attribute == nullptr) return 1;
  if (sparse->values.empty()) return attribute->present;
  double total = 0;
  double matching = 0;
  for (const NamedValue& value : attribute->values) {
    total += value.weight;
    const bool matches = std::find(sparse->values.begin(), sparse->values.end(), value.value) != sparse->values.end();
    if (matches) matching += value.weight;
  }
  if (total > 0) return attribute->present * matching / total;
  const double distinct = distinct_values(model, entity, sparse->attribute);
  return attribute->present * std::min(1.0, static_cast<double>(sparse->values.size()) / distinct);
}

FieldShape shape_of(const Attribute& attribute) {
  if (!attribute.values.empty()) {
    FieldShape shape{TextShape::one_of, {}};
    for (const NamedValue& value : attribute.values) shape.values.push_back(value.value);
    return shape;
  }
  switch (attribute.format) {
    case ValueFormat::path:
      return {TextShape::free, {}};
    case ValueFormat::date:
      return {TextShape::day, {}};
    case ValueFormat::datetime:
      return {TextShape::time, {}};
    case ValueFormat::epoch:
      return {TextShape::digits, {}};
    default:
      break;
  }
  if (attribute.type != AttributeType::number) return {TextShape::word, {}};
  const bool natural = attribute.decimals.value_or(0) == 0 && attribute.minimum.value_or(-1) >= 0;
  return {natural ? TextShape::digits : TextShape::number, {}};
}

ShapeOf shapes_of(const Entity& entity) {
  return [&entity](std::string_view field) {
    const Attribute* attribute = entity.attribute(field);
    return attribute == nullptr ? FieldShape{} : shape_of(*attribute);
  };
}

}  // namespace stator::design
