#include "design/template.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace stator::design {
namespace {

void add_once(std::vector<std::string>& list, const std::string& name) {
  if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
}

}  // namespace

Result<std::string> format_value(std::string_view value, const Format& format) {
  std::string text(value);
  switch (format.kind) {
    case FormatKind::plain:
      break;
    case FormatKind::number:
      return item::padded_number(value, format.width, format.decimals);
    case FormatKind::time:
      return item::cut_time(value, format.unit);
    case FormatKind::upper:
      for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
      break;
    case FormatKind::lower:
      for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      break;
  }
  return text;
}

std::string Template::literal_prefix() const {
  return parts_.empty() || parts_.front().kind != PartKind::literal ? std::string() : parts_.front().text;
}

bool Template::is_constant() const {
  return std::all_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.kind == PartKind::literal; });
}

std::vector<std::string> Template::fields() const {
  std::vector<std::string> names;
  for (const Part& part : parts_) {
    if (part.kind != PartKind::literal && !part.text.empty()) add_once(names, part.text);
  }
  return names;
}

bool Template::uses(std::string_view field) const {
  return std::any_of(parts_.begin(), parts_.end(),
                     [&](const Part& part) { return part.kind != PartKind::literal && part.text == field; });
}

const Part* Template::shard() const {
  for (const Part& part : parts_) {
    if (part.kind == PartKind::shard) return &part;
  }
  return nullptr;
}

namespace {

Result<std::string> evaluate_part(const Part& part, const FieldValues& values, int shard_number) {
  if (part.kind == PartKind::literal) return part.text;
  if (part.kind == PartKind::shard && part.shard_kind != ShardKind::calculated) return std::to_string(shard_number);
  const auto found = values.find(part.text);
  if (found == values.end()) return invalid(fmt::format("the field {} has no value", part.text));
  if (part.kind == PartKind::shard) return std::to_string(item::shard_of(found->second, part.shard_count));
  return format_value(found->second, part.format);
}

}  // namespace

Result<std::string> Template::evaluate(const FieldValues& values, int shard_number) const {
  std::string text;
  for (const Part& part : parts_) {
    TRY(const std::string piece, evaluate_part(part, values, shard_number));
    text += piece;
  }
  return text;
}

}  // namespace stator::design
