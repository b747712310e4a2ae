#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "client/client.h"
#include "design/model.h"

// Stored items read back by a model: which entity an item is, and what its attributes and keys say about its fields.
// The other direction of key templates.
namespace stator::design {

// What is known of one field. A key that holds {placedAt:day} tells the day and nothing more.
struct KnownField {
  std::string text;
  Format known_as;  // plain: the whole value

  // Whether a template's part in that format can be made from it.
  [[nodiscard]] bool serves(const Format& wanted) const;
};
using KnownFields = std::map<std::string, KnownField, std::less<>>;

// Keeps what says more.
void learn(KnownFields& fields, const std::string& name, KnownField found);

// The fields in a text that the template made; nothing where it cannot have made it, or could in two ways. A number in
// a format comes back plain. `shard`, where given, takes the number of the template's shard.
[[nodiscard]] std::optional<KnownFields> match_template(const Template& key, const Entity& entity, char delimiter,
                                                        std::string_view text, int* shard = nullptr);

// The text for these fields. Errors name the field that is missing or not known well enough.
[[nodiscard]] Result<std::string> evaluate_known(const Template& key, const KnownFields& fields, int shard_number);

// The text of an S, N or BOOL in wire form; nothing for other types.
[[nodiscard]] std::optional<std::string> plain_text(const client::Json& value);

class ItemReader {
 public:
  // The model has to outlive it.
  explicit ItemReader(const Model& model) : model_(&model) {}

  [[nodiscard]] const Model& model() const { return *model_; }

  // By the type attribute, and by key templates for entities without one. Errors: no entity or several fit, or the keys
  // are not those of the entity that the type attribute names.
  [[nodiscard]] Result<const Entity*> entity_of(const client::Json& item) const;
  // All entities whose key templates could have made this key, for a key alone.
  [[nodiscard]] std::vector<const Entity*> entities_of_key(const client::Json& key) const;
  // From stored attributes first, then from the keys of the table, then from those of indexes.
  [[nodiscard]] KnownFields fields_of(const Entity& entity, const client::Json& item) const;
  // The table's key attributes of an item.
  [[nodiscard]] client::Json key_of(const client::Json& item) const;
  // Whether the sparse conditions let the item have this index key attribute.
  [[nodiscard]] bool may_have(const Entity& entity, const std::string& key_attribute, const KnownFields& fields) const;

 private:
  [[nodiscard]] bool keys_fit(const Entity& entity, const client::Json& item) const;

  const Model* model_;
};

}  // namespace stator::design
