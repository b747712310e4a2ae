#pragma once

#include "design/rules/rule.h"

// The functions behind the table of registry.cc, by file.
namespace stator::design {

// access.cc
void find_scans(RuleContext& context);
void find_unequal_partition_keys(RuleContext& context);
void find_incomplete_keys(RuleContext& context);
void find_missing_indexes(RuleContext& context);
void find_wrong_indexes(RuleContext& context);
void find_second_calls(RuleContext& context);
// filters.cc
void find_filter_selections(RuleContext& context);
void find_filters_on_keys(RuleContext& context);
// projections.cc
void find_unprojected_attributes(RuleContext& context);
void find_wide_projections(RuleContext& context);
void find_unused_indexes(RuleContext& context);
// collisions.cc
void find_key_collisions(RuleContext& context);
void find_repeated_keys(RuleContext& context);
void find_ambiguous_prefixes(RuleContext& context);
void find_wide_collections(RuleContext& context);
void find_open_prefixes(RuleContext& context);
// sorting.cc
void find_sort_key_orders(RuleContext& context);
void find_unsortable_fields(RuleContext& context);
// sizes.cc
void find_unbounded_collections(RuleContext& context);
void find_large_items(RuleContext& context);
void find_long_keys(RuleContext& context);
void find_large_batches(RuleContext& context);
void find_many_pages(RuleContext& context);
// partitions.cc
void find_low_cardinalities(RuleContext& context);
void find_date_partitions(RuleContext& context);
void find_sequential_partitions(RuleContext& context);
// entities.cc
void find_untyped_entities(RuleContext& context);
void find_wrong_ttl_attributes(RuleContext& context);
void find_changing_keys(RuleContext& context);
// reads.cc
void find_repeated_reads(RuleContext& context);
void find_strong_index_reads(RuleContext& context);
void find_shard_mismatches(RuleContext& context);
// allowances.cc
void find_useless_allowances(RuleContext& context);

}  // namespace stator::design
