#include "design/codegen/key_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace stator::design {

namespace {

std::string escape_expression(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("\\^$.|?*+()[]{}/").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

// The template as a regular expression in which the field is the group; empty where it is not there, or not whole (a
// time of which only the day is in the key) and `whole_only` is asked for.
std::string expression_for(const Template& key, const Entity& entity, std::string_view field, char delimiter,
                           bool whole_only) {
  std::string out = "^";
  bool found = false;
  for (const Part& part : key.parts()) {
    if (part.kind == PartKind::literal) {
      out += escape_expression(part.text);
      continue;
    }
    const Attribute* attribute = part.kind == PartKind::field ? entity.attribute(part.text) : nullptr;
    const bool path = attribute != nullptr && attribute->format == ValueFormat::path;
    const std::string any = path ? ".+" : fmt::format("[^{}]+", escape_expression(std::string(1, delimiter)));
    const bool whole = part.format.kind == FormatKind::plain || part.format.kind == FormatKind::number;
    const bool own = part.kind == PartKind::field && part.text == field && !found && (whole || !whole_only);
    out += own ? "(" + any + ")" : any;
    found = found || own;
  }
  return found ? out + "$" : "";
}

std::vector<std::string> name_words(std::string_view name) {
  std::vector<std::string> words(1);
  for (const char c : name) {
    const auto sign = static_cast<unsigned char>(c);
    if (std::isalnum(sign) == 0) {
      if (!words.back().empty()) words.emplace_back();
      continue;
    }
    const bool starts = std::isupper(sign) != 0 && !words.back().empty() &&
                        std::islower(static_cast<unsigned char>(words.back().back())) != 0;
    if (starts) words.emplace_back();
    words.back() += c;
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::string safe(std::string name) {
  static const std::set<std::string> kKeywords = {
      "class",  "def",    "from",   "import", "in",       "is",   "not",     "and",    "or",   "for",    "if",
      "else",   "return", "delete", "new",    "function", "type", "default", "export", "case", "switch", "global",
      "lambda", "pass",   "raise",  "try",    "while",    "with", "yield",   "var",    "let",  "const",  "enum",
      "null",   "true",   "false",  "this",   "void",     "None", "True",    "False"};
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name.front())) != 0 || kKeywords.contains(name))
    return "_" + name;
  return name;
}

}  // namespace

std::string pascal_name(std::string_view name) {
  std::string out;
  for (std::string word : name_words(name)) {
    word.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(word.front())));
    out += word;
  }
  return safe(out);
}

std::string camel_name(std::string_view name) {
  std::string out = pascal_name(name);
  const std::vector<std::string> words = name_words(name);
  // A001 and URL are one word each: all of it goes down.
  const std::size_t head = words.empty() ? 0 : words.front().size();
  const bool capitals = std::none_of(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(std::min(head, out.size())),
                                     [](unsigned char c) { return std::islower(c) != 0; });
  for (std::size_t at = 0; at < (capitals ? head : 1) && at < out.size(); ++at) {
    out[at] = static_cast<char>(std::tolower(static_cast<unsigned char>(out[at])));
  }
  return safe(out);
}

std::string snake_name(std::string_view name) {
  std::string out;
  for (const std::string& word : name_words(name)) out += (out.empty() ? "" : "_") + lower(word);
  return safe(out);
}

bool is_optional(const Attribute& attribute) { return attribute.present < 1; }

std::vector<HiddenField> hidden_fields(const Model& model, const Entity& entity) {
  std::vector<HiddenField> fields;
  const auto find = [&](const Attribute& attribute, bool whole_only) {
    for (const KeyAttribute& key : model.key_attributes()) {
      const Template* value = entity.key(key.name);
      if (value == nullptr || !value->uses(attribute.name)) continue;
      const std::string expression = expression_for(*value, entity, attribute.name, model.delimiter, whole_only);
      if (expression.empty()) continue;
      fields.push_back({&attribute, key.name, expression});
      return true;
    }
    return false;
  };
  for (const Attribute& attribute : entity.attributes) {
    if (!attribute.stored && !find(attribute, true)) find(attribute, false);
  }
  return fields;
}

std::vector<const Attribute*> record_fields(const Model& model, const Entity& entity) {
  std::vector<const Attribute*> fields;
  const std::vector<HiddenField> hidden = hidden_fields(model, entity);
  for (const Attribute& attribute : entity.attributes) {
    const bool readable =
        std::any_of(hidden.begin(), hidden.end(), [&](const HiddenField& one) { return one.attribute == &attribute; });
    if (attribute.stored || readable) fields.push_back(&attribute);
  }
  // Those that can be missing come last, where languages want parameters with defaults.
  std::stable_partition(fields.begin(), fields.end(),
                        [](const Attribute* attribute) { return !is_optional(*attribute); });
  return fields;
}

std::vector<CodeParameter> code_parameters(const Model& model, const Pattern& pattern) {
  std::vector<CodeParameter> parameters;
  for (const KeyCondition& condition : pattern.key) {
    for (const Template* value : {&condition.value, &condition.upper}) {
      for (const std::string& name : value->fields()) {
        const auto same = [&](const CodeParameter& one) { return one.name == name; };
        if (std::any_of(parameters.begin(), parameters.end(), same)) continue;
        const Parameter* declared = pattern.parameter(name);
        const std::string attribute_name =
            declared == nullptr || declared->attribute.empty() ? name : declared->attribute;
        CodeParameter parameter{name, nullptr};
        for (const std::string& entity_name : pattern.entities) {
          const Entity* entity = model.entity(entity_name);
          if (entity != nullptr && parameter.attribute == nullptr)
            parameter.attribute = entity->attribute(attribute_name);
        }
        parameters.push_back(std::move(parameter));
      }
    }
  }
  return parameters;
}

bool has_code(const Pattern& pattern) { return pattern.kind == PatternKind::get || pattern.kind == PatternKind::query; }

}  // namespace stator::design
