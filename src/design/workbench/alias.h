#pragma once

#include <map>
#include <string>

#include "design/model.h"

namespace stator::design {

// Gives a guessed key the template that somebody wrote down for it, where both have the same form: fields that exist
// only in keys take its names, in all keys of the entity. What was renamed is returned, old name to new. A text without
// fields is a label for people and changes nothing.
std::map<std::string, std::string> apply_alias(const std::string& alias, const std::string& key_attribute,
                                               Entity& entity);

}  // namespace stator::design
