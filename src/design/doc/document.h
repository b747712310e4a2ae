#pragma once

#include <string>

#include "base/result.h"
#include "design/model.h"

// The key-naming document of a model, which a team keeps beside its code.
namespace stator::design {

[[nodiscard]] Result<std::string> document_markdown(const Model& model);
// One page without anything from elsewhere: the same tables, and the item collections as coloured bands.
[[nodiscard]] Result<std::string> document_html(const Model& model);

// Texts that both have.
[[nodiscard]] std::string key_condition_text(const Pattern& pattern);  // PK = CUST#{customerId}, SK begins_with ORDER#
[[nodiscard]] std::string pattern_key_text(const Model& model,
                                           const Pattern& pattern);  // the same, or what its actions write
[[nodiscard]] std::string projection_text(const Projection& projection);
[[nodiscard]] std::string sparse_text(const SparseCondition& condition);
[[nodiscard]] std::string rate_text(const Rate& rate);

}  // namespace stator::design
