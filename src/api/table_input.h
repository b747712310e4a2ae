#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/reader.h"
#include "api/violations.h"
#include "engine/create_table.h"

// Parts of CreateTable and UpdateTable requests. Each function reads one structure and notes violations of its
// constraints; `path` is where it stands.
namespace stator::api {

[[nodiscard]] std::optional<engine::ThroughputInput> read_throughput(const Reader& in, std::string_view path,
                                                                     Violations& violations);
// OnDemandThroughput (MaxReadRequestUnits, ...) and WarmThroughput (ReadUnitsPerSecond, ...).
[[nodiscard]] engine::UnitPair read_on_demand(const Reader& in);
[[nodiscard]] engine::UnitPair read_warm(const Reader& in);
enum class KeyOf : std::uint8_t { table, local_index, global_index };
[[nodiscard]] std::vector<engine::KeyElement> read_key_schema(const Reader& in, std::string_view path, KeyOf owner,
                                                              Violations& violations);
[[nodiscard]] std::optional<std::vector<std::pair<std::string_view, item::Type>>> read_definitions(
    const Reader& in, Violations& violations);
// One index of CreateTable, or one that UpdateTable creates.
[[nodiscard]] engine::IndexInput read_index(const Reader& in, const std::string& path, engine::IndexKind kind,
                                            Violations& violations);
[[nodiscard]] std::optional<std::vector<engine::IndexInput>> read_indexes(const Reader& in,
                                                                          engine::IndexKind kind,
                                                                          Violations& violations);
[[nodiscard]] std::optional<engine::StreamInput> read_stream(const Reader& in, Violations& violations);
[[nodiscard]] std::optional<engine::EncryptionInput> read_encryption(const Reader& in, Violations& violations,
                                                                     std::string_view default_key_arn);
[[nodiscard]] std::optional<engine::BillingMode> read_billing(const Reader& in, Violations& violations);
// A table class that does not exist is no violation of a constraint: it comes after them, in words of its own.
[[nodiscard]] Result<void> check_table_class(const std::optional<std::string_view>& table_class);

}  // namespace stator::api
