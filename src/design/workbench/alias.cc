#include "design/workbench/alias.h"

#include <algorithm>

namespace stator::design {

std::map<std::string, std::string> apply_alias(const std::string& alias, const std::string& key_attribute,
                                               Entity& entity) {
  std::map<std::string, std::string> renamed;
  auto declared = Template::parse(alias);
  const auto found = std::find_if(entity.keys.begin(), entity.keys.end(),
                                  [&](const KeyTemplate& key) { return key.attribute == key_attribute; });
  if (!declared || found == entity.keys.end() || declared->fields().empty()) return renamed;
  const auto field_parts = [](const Template& value) {
    std::vector<Part> parts;
    for (const Part& part : value.parts())
      if (part.kind != PartKind::literal) parts.push_back(part);
    return parts;
  };
  const std::vector<Part> guessed = field_parts(found->value);
  const std::vector<Part> wanted = field_parts(*declared);
  if (guessed.size() == wanted.size()) {
    for (std::size_t at = 0; at < guessed.size(); ++at) {
      const std::string from = guessed[at].text;
      const std::string& to = wanted[at].text;
      if (from == to || wanted[at].kind != PartKind::field || entity.attribute(to) != nullptr) continue;
      for (Attribute& attribute : entity.attributes)
        if (attribute.name == from && !attribute.stored) attribute.name = to;
      renamed[from] = to;
      for (KeyTemplate& key : entity.keys) {
        std::string text = key.value.text();
        for (std::size_t place = text.find("{" + from + "}"); place != std::string::npos;
             place = text.find("{" + from + "}")) {
          text.replace(place + 1, from.size(), to);
        }
        if (auto again = Template::parse(text)) key.value = std::move(*again);
      }
    }
  }
  const std::vector<std::string> fields = declared->fields();
  const bool known = std::all_of(fields.begin(), fields.end(),
                                 [&](const std::string& field) { return entity.attribute(field) != nullptr; });
  if (!known) return renamed;
  for (KeyTemplate& key : entity.keys)
    if (key.attribute == key_attribute) key.value = *declared;
  return renamed;
}

}  // namespace stator::design
