#include "design/heat/skew.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "design/shape.h"

namespace stator::design {

namespace {

bool is_time(const Attribute* attribute) {
  return attribute != nullptr &&
         (attribute->format == ValueFormat::date || attribute->format == ValueFormat::datetime ||
          attribute->format == ValueFormat::day_first);
}

double field_share(const Model& model, const Entity& entity, const std::string& field, Moment moment) {
  const Attribute* attribute = entity.attribute(field);
  if (moment == Moment::now && is_time(attribute)) return 1;
  if (attribute != nullptr && !attribute->values.empty()) {
    double sum = 0;
    double most = 0;
    for (const NamedValue& value : attribute->values) {
      sum += value.weight;
      most = std::max(most, value.weight);
    }
    if (sum > 0) return most / sum;
  }
  return 1 / std::max(1.0, distinct_values(model, entity, field));
}

}  // namespace

double zipf_head_share(double count, double exponent) {
  if (count <= 1) return 1;
  // The first terms one by one, the long tail as an integral.
  constexpr double kExact = 1000;
  double sum = 0;
  const double head = std::min(count, kExact);
  for (double n = 1; n <= head; ++n) sum += std::pow(n, -exponent);
  if (count > kExact) {
    const double from = kExact + 0.5;
    const double to = count + 0.5;
    sum += std::abs(exponent - 1) < 1e-9 ? std::log(to / from)
                                         : (std::pow(to, 1 - exponent) - std::pow(from, 1 - exponent)) / (1 - exponent);
  }
  return 1 / sum;
}

double busiest_parent_share(const Model& model, const Relationship& relationship) {
  const Entity* parent = model.entity(relationship.parent);
  const double parents = parent == nullptr ? 1 : std::max(1.0, item_count(model, *parent));
  const Cardinality& children = relationship.children;
  double share = 1 / parents;
  if (children.distribution == Distribution::zipf) share = zipf_head_share(parents, children.exponent);
  // No parent has more than the declared maximum.
  if (children.maximum && children.average > 0) {
    const double most = *children.maximum / (children.average * parents);
    share = children.distribution == Distribution::zipf ? std::min(share, most) : std::max(share, most);
  }
  return std::clamp(share, 1 / parents, 1.0);
}

double busiest_key_share(const Model& model, const Entity& entity, const Template& key, Moment moment) {
  const std::vector<std::string> fields = key.fields();
  std::set<std::string> left(fields.begin(), fields.end());
  // A field that only feeds the shard does not spread the key further.
  const Part* shard = key.shard();
  if (shard != nullptr && shard->shard_kind == ShardKind::calculated) {
    const auto is_own = [&](const Part& part) { return part.kind == PartKind::field && part.text == shard->text; };
    if (std::none_of(key.parts().begin(), key.parts().end(), is_own)) left.erase(shard->text);
  }
  double share = 1;
  for (const Relationship& relationship : model.relationships) {
    if (relationship.child != entity.name || relationship.by.empty()) continue;
    const auto is_left = [&](const std::string& field) { return left.contains(field); };
    if (!std::all_of(relationship.by.begin(), relationship.by.end(), is_left)) continue;
    share *= busiest_parent_share(model, relationship);
    for (const std::string& field : relationship.by) left.erase(field);
  }
  for (const std::string& field : left) share *= field_share(model, entity, field, moment);
  if (shard != nullptr && shard->shard_count > 0) share /= shard->shard_count;
  return std::clamp(share, 0.0, 1.0);
}

}  // namespace stator::design
