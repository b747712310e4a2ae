#include "design/rules/rules.h"

namespace stator::design {

const std::vector<Rule>& all_rules() {
  using enum Severity;
  static const std::vector<Rule> kRules = {
      {"pattern-needs-scan", error,
       "A Scan reads the whole table and is billed for it; its cost grows with the data, not with the answer.",
       find_scans},
      {"partition-key-not-equal", error,
       "A Query takes equality on the partition key and nothing else: the service hashes the key to find its "
       "partition, and refuses begins_with or a range there with a ValidationException.",
       find_unequal_partition_keys},
      {"incomplete-key", error, "A call on one item names its whole primary key, each part by equality.",
       find_incomplete_keys},
      {"wrong-index", error,
       "The pattern's key condition is not served by the table or index that it names, but by another one.",
       find_wrong_indexes},
      {"missing-index", error,
       "Neither the table nor an index has a key by which the pattern could find its items: it would become a Scan.",
       find_missing_indexes},
      {"needs-two-calls", error,
       "A pattern is one call. What it returns has to be in one item collection, or the application waits twice and "
       "may see two different states.",
       find_second_calls},
      {"n-plus-one", error,
       "One call for each item of a list costs a round trip each, where items under one partition key come back from "
       "one Query.",
       find_repeated_reads},
      {"filter-selects", error,
       "A filter is applied after the items were read and billed. Selection belongs into the key.",
       find_filter_selections},
      {"filter-on-key", error,
       "A filter may not name a primary key attribute of what is queried: the service refuses it with a "
       "ValidationException.",
       find_filters_on_keys},
      {"attribute-not-projected", error,
       "A global index holds only what it projects; other attributes take a second read from the table for each item.",
       find_unprojected_attributes},
      {"strong-read-on-index", error,
       "A global index is updated after the table; the service refuses a strongly consistent read of it.",
       find_strong_index_reads},
      {"shard-mismatch", error, "Readers have to name the same shards that writers use, or they miss items.",
       find_shard_mismatches},
      {"key-collision", error,
       "Two entities can get the same primary key: writing one overwrites the other without an error.",
       find_key_collisions},
      {"key-not-unique", error,
       "Two items of one entity can get the same primary key: the later one overwrites the earlier.",
       find_repeated_keys},
      {"ambiguous-prefix", error,
       "begins_with compares text. A prefix that another entity's sort key also begins with brings its items along.",
       find_ambiguous_prefixes},
      {"collection-too-wide", error,
       "The key condition takes more of the item collection than the pattern means; the rest is read, billed and "
       "thrown away.",
       find_wide_collections},
      {"prefix-without-delimiter", error,
       "A prefix that ends with a value instead of a delimiter also matches longer values: Audio matches AudioBooks.",
       find_open_prefixes},
      {"sort-key-order", error,
       "A sort key is compared from its left end. A range or an order by a component works only if everything before "
       "it is fixed by the condition.",
       find_sort_key_orders},
      {"not-sortable", warning,
       "Sort keys of type S compare character by character: 10 comes before 9, and 01.06.2026 before 31.12.2025.",
       find_unsortable_fields},
      {"collection-unbounded", warning,
       "An item collection that grows without a limit: with a local index it may not pass 10 GB, and reading all of "
       "it takes ever longer.",
       find_unbounded_collections},
      {"item-too-large", error, "An item may have 400 KB, names and values together; a larger write is refused.",
       find_large_items},
      {"key-too-long", error, "A partition key may have 2,048 bytes and a sort key 1,024.", find_long_keys},
      {"batch-too-large", error, "BatchGetItem takes 100 items, BatchWriteItem 25, a transaction 100; more is refused.",
       find_large_batches},
      {"needs-several-pages", warning,
       "A Query returns 1 MB at most in one call; what is more comes page by page, one call each.", find_many_pages},
      {"low-cardinality-partition", warning,
       "Few partition key values take the load of very many items. One value is served by one partition: 1,000 write "
       "and 3,000 read units a second.",
       find_low_cardinalities},
      {"date-partition", warning,
       "Today's value takes all of today's writes: one partition is hot while the others rest.", find_date_partitions},
      {"sequential-partition", warning,
       "With a counter as partition key the newest values take the load, and the counter itself is one hot item.",
       find_sequential_partitions},
      {"entity-without-type", warning,
       "Items of several entities come back from one Query; code and people tell them apart by an attribute that "
       "names the entity.",
       find_untyped_entities},
      {"ttl-attribute", error,
       "Time to live takes one attribute per table, a number of seconds since 1970; items with anything else never "
       "expire.",
       find_wrong_ttl_attributes},
      {"status-in-sort-key", error,
       "A primary key cannot be updated. A value that changes inside of it makes every change a delete and a put.",
       find_changing_keys},
      {"index-unused", warning, "An index costs a write for every change of its items; no pattern reads this one.",
       find_unused_indexes},
      {"projection-too-wide", warning,
       "Projected attributes are stored again and written again with every change, and make each read of the index "
       "heavier.",
       find_wide_projections},
      {"allowance-unused", warning,
       "An allowance without a finding hides nothing today and may hide a mistake tomorrow.", find_useless_allowances},
  };
  return kRules;
}

const Rule* find_rule(std::string_view name) {
  for (const Rule& rule : all_rules()) {
    if (rule.name == name) return &rule;
  }
  return nullptr;
}

}  // namespace stator::design
