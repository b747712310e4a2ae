#pragma once

#include "capacity/settings.h"
#include "engine/create_table.h"
#include "engine/update_table.h"

// Rules of CreateTable and UpdateTable about settings, which need nothing but the request.
namespace stator::engine {

// CreateTable's words for a stream with or without a view type.
[[nodiscard]] Result<void> check_new_stream(const std::optional<StreamInput>& stream);
// UpdateTable's words for the same.
[[nodiscard]] Result<void> check_stream_change(const std::optional<StreamInput>& stream);

// OnDemandThroughput of a new table or of one of its indexes; `index` is empty for the table.
[[nodiscard]] Result<void> check_new_on_demand(BillingMode billing, const UnitPair& units,
                                               std::string_view index);
// WarmThroughput of a new table or of one of its indexes, which may not be below what it has without it.
[[nodiscard]] Result<void> check_new_warm(BillingMode billing, const std::optional<ThroughputInput>& throughput,
                                          const UnitPair& units, std::string_view index);
// The same for a table that has `current` already: warm throughput only goes up.
[[nodiscard]] Result<void> check_warm_change(BillingMode billing, const capacity::Throughput& current,
                                             const UnitPair& units, std::string_view index);

// OnDemandThroughput in UpdateTable, where -1 takes a limit away.
[[nodiscard]] Result<void> check_on_demand_change(BillingMode billing, const UnitPair& units,
                                                  std::string_view index);

// What SSESpecification asks for.
[[nodiscard]] Result<Encryption> encryption_of(const EncryptionInput& input);

// UpdateTable changes one thing at a time: most members may not stand beside others.
[[nodiscard]] Result<void> check_single_change(const UpdateTableRequest& request);

}  // namespace stator::engine
