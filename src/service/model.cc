#include "service/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "service/error.h"
#include "service/parameters.h"
#include "service/patterns.h"

namespace stator::service {
namespace {

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t space = text.find(' ');
    words.push_back(text.substr(0, space));
    text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
  }
  return words;
}

// A value as it is shown in an error; what is long is cut.
std::string shown(const Value& value) {
  constexpr std::size_t kBytesMax = 1024;
  std::string text;
  if (const std::string* string = value.get<std::string>()) text = *string;
  else if (const std::int64_t* integer = value.get<std::int64_t>()) text = std::to_string(*integer);
  else if (const double* real = value.get<double>()) text = fmt::format("{}", *real);
  else if (const Time* time = value.get<Time>()) text = format_iso_time(time->ms);
  else if (const Value::List* list = value.elements()) {
    text = "[";
    for (const Value& element : *list) {
      if (text.size() > kBytesMax) break;
      if (text.size() > 1) text += ", ";
      text += shown(element);
    }
    text += "]";
  } else {
    text = "{}";
  }
  if (text.size() <= kBytesMax) return text;
  std::size_t end = kBytesMax;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;  // not within a character
  return text.substr(0, end) + "...";
}

std::size_t characters_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

}  // namespace

Model::Model(std::span<const Shape> shapes, Wording wording) : wording_(wording) {
  const auto node_of = [this](std::string_view name) {
    const auto found = nodes_.find(name);
    CHECK(found != nodes_.end());
    return &found->second;
  };
  for (const Shape& shape : shapes) CHECK(nodes_.emplace(shape.name, Node{.shape = &shape}).second);
  for (auto& [name, node] : nodes_) {
    const std::vector<std::string_view> words = words_of(node.shape->content);
    switch (node.shape->kind) {
      case Shape::Kind::structure:
        for (const std::string_view word : words) {
          const std::size_t colon = word.find(':');
          const bool required = word[colon - 1] == '!';
          node.members.push_back({word.substr(0, required ? colon - 1 : colon), node_of(word.substr(colon + 1)), required,
                                  node.members.size()});
        }
        std::sort(node.members.begin(), node.members.end(), [](const Member& a, const Member& b) { return a.name < b.name; });
        break;
      case Shape::Kind::map:
        node.key = node_of(words.at(0));
        node.element = node_of(words.at(1));
        break;
      case Shape::Kind::list:
        node.element = node_of(words.at(0));
        break;
      default:
        node.names = words;
    }
  }
}

// One request on its way through the model.
class ModelCheck {
 public:
  explicit ModelCheck(const Wording& wording) : wording_(wording) {}

  Result<Value> run(const Model::Node& node, const Value& input) {
    Value value = read(node, input);
    if (mismatch_) return tl::unexpected(*mismatch_);
    if (missing_) return tl::unexpected(*missing_);
    if (violations_.empty()) return value;
    return wording_.violation(fmt::format("{} validation error{} detected: {}", violations_.size(),
                                          violations_.size() == 1 ? "" : "s", fmt::join(violations_, "; ")));
  }

 private:
  using Kind = Shape::Kind;
  static constexpr std::size_t kViolationsMax = 20;  // that are told

  // The value in terms of the model; what is wrong with it is remembered.
  Value read(const Model::Node& node, const Value& input) {
    const Shape& shape = *node.shape;
    if (mismatch_) return {};
    if (shape.kind == Kind::structure) return structure(node, input);
    if (shape.kind == Kind::list) return list(node, input);
    if (shape.kind == Kind::map) return map(node, input);
    Value value = scalar(shape, input);
    if (mismatch_) return {};
    if (const std::string broken = broken_limit(node, value); !broken.empty()) violate(value, broken);
    return value;
  }

  Value structure(const Model::Node& node, const Value& input) {
    Value value = Value::structure();
    if (input.members() == nullptr) return mismatch("structure");
    std::vector<std::pair<const Model::Member*, const Value*>> found(node.members.size());
    for (const Model::Member& member : node.members) found[member.place].first = &member;
    for (const auto& [name, content] : *input.members()) {
      const auto member = std::lower_bound(node.members.begin(), node.members.end(), name,
                                           [](const Model::Member& one, const std::string& wanted) { return one.name < wanted; });
      if (member == node.members.end() || member->name != name) continue;  // a newer client's
      found[member->place].second = content.is_null() ? nullptr : &content;
    }
    for (const auto& [member, content] : found) {
      path_.push_back({member->name, 0});
      if (content != nullptr) value.set(member->name, read(*member->node, *content));
      else if (member->required && !missing_) missing_ = wording_.missing(plain_path(), small_path()).value();
      path_.pop_back();
    }
    return value;
  }

  Value list(const Model::Node& node, const Value& input) {
    Value value = Value::list();
    const std::string* text = input.get<std::string>();
    if (text != nullptr && text->empty()) return value;  // the Query protocol writes an empty list as a name without a value
    if (input.elements() == nullptr) return mismatch("list");
    if (!counted(node, input, input.elements()->size())) return value;
    const bool nested = node.element->shape->kind == Kind::structure || node.element->shape->kind == Kind::list;
    bool broken = false;
    for (const Value& element : *input.elements()) {
      path_.push_back({{}, value.elements()->size() + 1});
      Value one = nested ? read(*node.element, element) : scalar(*node.element->shape, element);
      path_.pop_back();
      if (mismatch_) return {};
      broken |= !nested && !broken_limit(*node.element, one).empty();
      value.push(std::move(one));
    }
    // Of an element that is no structure, the list is shown with all that is asked of its elements.
    if (broken) violate(value, fmt::format("Member must satisfy constraint: [{}]", fmt::join(constraints(*node.element), ", ")));
    return value;
  }

  Value map(const Model::Node& node, const Value& input) {
    Value value = Value::map();
    if (input.members() == nullptr) return mismatch("map");
    if (!counted(node, input, input.members()->size())) return value;
    for (const auto& [name, content] : *input.members()) {
      const Value key(name);
      if (!broken_limit(*node.key, key).empty()) {
        violate(key, fmt::format("Map keys must satisfy constraint: [{}]", fmt::join(constraints(*node.key), ", ")));
      }
      path_.push_back({"member", 0});
      value.member(name) = read(*node.element, content);  // few: the count was checked
      path_.pop_back();
    }
    return value;
  }

  bool counted(const Model::Node& node, const Value& input, std::size_t size) {
    const auto count = static_cast<double>(size);
    if (count >= node.shape->min && count <= node.shape->max) return true;
    violate(input, length_limit(*node.shape, count > node.shape->max));
    return false;
  }

  // A scalar of the shape's type.
  Value scalar(const Shape& shape, const Value& input) {
    std::optional<Error> error;
    const Value holder = Value::structure().set("x", input);
    const Parameters in(holder, error);
    switch (shape.kind) {
      case Kind::integer:
        if (const auto integer = in.integer("x")) return *integer;
        return mismatch("whole number");
      case Kind::real:
        if (const auto real = in.real("x"); real && std::isfinite(*real)) return *real;
        return mismatch("number");
      case Kind::boolean:
        if (const auto truth = in.boolean("x")) return *truth;
        return mismatch("boolean");
      case Kind::time:
        if (const auto time = in.time_ms("x")) return Time{*time};
        return mismatch("time");
      default:
        if (auto text = in.string("x")) return *std::move(text);
        return mismatch("string");
    }
  }

  static std::string length_limit(const Shape& shape, bool too_long) {
    return too_long ? fmt::format("Member must have length less than or equal to {:.0f}", shape.max)
                    : fmt::format("Member must have length greater than or equal to {:.0f}", shape.min);
  }
  static std::string value_limit(const Shape& shape, bool too_large) {
    return too_large ? fmt::format("Member must have value less than or equal to {:.0f}", shape.max)
                     : fmt::format("Member must have value greater than or equal to {:.0f}", shape.min);
  }
  static std::string enum_limit(const Model::Node& node) {
    return fmt::format("Member must satisfy enum value set: [{}]", fmt::join(node.names, ", "));
  }
  static std::string pattern_limit(const Shape& shape) {
    return fmt::format("Member must satisfy regular expression pattern: {}", pattern_text(shape.pattern));
  }

  // Everything that is asked of a scalar.
  static std::vector<std::string> constraints(const Model::Node& node) {
    const Shape& shape = *node.shape;
    if (!node.names.empty()) return {enum_limit(node)};
    std::vector<std::string> limits;
    const bool text = shape.kind == Kind::string;
    limits.push_back(text ? length_limit(shape, true) : value_limit(shape, true));
    limits.push_back(text ? length_limit(shape, false) : value_limit(shape, false));
    if (shape.pattern != Pattern::none) limits.push_back(pattern_limit(shape));
    return limits;
  }

  // The first of them that the value breaks; empty where it breaks none.
  static std::string broken_limit(const Model::Node& node, const Value& value) {
    const Shape& shape = *node.shape;
    if (const std::string* text = value.get<std::string>()) {
      if (!node.names.empty()) {
        return std::find(node.names.begin(), node.names.end(), *text) != node.names.end() ? "" : enum_limit(node);
      }
      const auto length = static_cast<double>(characters_of(*text));
      if (length < shape.min || length > shape.max) return length_limit(shape, length > shape.max);
      return matches(shape.pattern, *text) ? "" : pattern_limit(shape);
    }
    double number = 0;
    if (const std::int64_t* integer = value.get<std::int64_t>()) number = static_cast<double>(*integer);
    else if (const double* real = value.get<double>()) number = *real;
    else if (const Time* time = value.get<Time>()) number = static_cast<double>(time->ms) / 1000;
    else return "";
    return number >= shape.min && number <= shape.max ? "" : value_limit(shape, number > shape.max);
  }

  Value mismatch(std::string_view wanted) {
    if (!mismatch_) {
      const std::string path = path_.empty() ? "The input" : plain_path();
      mismatch_ = refuse("MalformedInput", "SerializationException", fmt::format("{} is not a {}", path, wanted)).value();
    }
    return {};
  }
  void violate(const Value& value, std::string_view constraint) {
    if (violations_.size() >= kViolationsMax) return;
    violations_.push_back(
        fmt::format("Value '{}' at '{}' failed to satisfy constraint: {}", shown(value), small_path(), constraint));
  }

  // A member's name, or the number of an element.
  struct Part {
    std::string_view name;
    std::size_t index;
  };
  // Dimensions.member.1.Name
  [[nodiscard]] std::string plain_path() const {
    std::string path;
    for (const Part& part : path_) {
      if (!path.empty()) path += ".";
      path += part.index == 0 ? std::string(part.name) : fmt::format("member.{}", part.index);
    }
    return path;
  }
  // dimensions.1.member.name
  [[nodiscard]] std::string small_path() const {
    std::string path;
    for (const Part& part : path_) {
      if (!path.empty()) path += ".";
      if (part.index != 0) {
        path += fmt::format("{}.member", part.index);
      } else {
        const std::size_t begin = path.size();
        path += part.name;
        if (path[begin] >= 'A' && path[begin] <= 'Z') path[begin] = static_cast<char>(path[begin] - 'A' + 'a');
      }
    }
    return path;
  }

  const Wording& wording_;
  std::vector<Part> path_;
  std::optional<Error> mismatch_;
  std::optional<Error> missing_;
  std::vector<std::string> violations_;
};

Result<Value> Model::check(std::string_view operation, const Value& input) const {
  const auto found = nodes_.find(operation);
  CHECK(found != nodes_.end());
  return ModelCheck(wording_).run(found->second, input);
}

}  // namespace stator::service
