#pragma once

#include <string>

#include "client/client.h"
#include "design/prove/lookup.h"

// The requests of read patterns, and what they show of an item. Pure functions; any thread.
namespace stator::design {

// GetItem and Query for one of the lookup's partition keys.
[[nodiscard]] client::Json get_request(const Model& model, const std::string& table, const Lookup& lookup,
                                       std::size_t partition);
[[nodiscard]] client::Json query_request(const Model& model, const std::string& table, const Lookup& lookup,
                                         std::size_t partition);

// What the pattern sees of an item: the index's part of it, and of that what it asks for.
[[nodiscard]] client::Json visible_part(const Model& model, const Pattern& pattern, const GeneratedItem& item);
// Bytes that reading the item costs: of all that the table or the pattern's index keeps of it.
[[nodiscard]] std::size_t bytes_read(const Model& model, const Pattern& pattern, const GeneratedItem& item);

}  // namespace stator::design
