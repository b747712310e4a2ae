#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace stator::store {

// The file STATE: how much of each manifest is known to be on disk, and the checksum of that much.
//
// RocksDB takes a manifest that ends in the middle of a record for one whose last write was torn by
// a crash. It then opens the older state and deletes the files of the newer one, so a manifest that
// was cut, or one damaged length in it, would lose rows in silence. STATE tells the two apart:
// everything up to the bytes that it names was synced, and may not be missing or different. What
// stands behind them may be torn, because nothing was built on it yet (see ManifestRecorder).
struct ManifestState {
  std::uint64_t bytes = 0;
  std::uint32_t checksum = 0;  // CRC-32 of these bytes
  friend bool operator==(const ManifestState&, const ManifestState&) = default;
};
using ManifestStates = std::map<std::string, ManifestState>;  // by name of the manifest

inline constexpr const char* kStateFile = "STATE";

// Begins with zero.
[[nodiscard]] std::uint32_t add_to_checksum(std::uint32_t checksum,
                                            std::string_view bytes) noexcept;

[[nodiscard]] std::string encode_states(const ManifestStates& states);
// Nothing if a single byte is not as it was written.
[[nodiscard]] std::optional<ManifestStates> decode_states(std::string_view text);

// What STATE says. Where there is none (the directory is new, or was made before there was such a
// file), the manifest that CURRENT names, as it is.
[[nodiscard]] Result<ManifestStates> read_states(const std::string& directory);

// The manifest that RocksDB will start from. Empty if CURRENT does not name one.
[[nodiscard]] std::string current_manifest(const std::string& directory);

// Refuses a manifest that is not what STATE says, and a damaged STATE. Changes nothing. Call it
// while nobody else has the directory open.
[[nodiscard]] Result<void> check_manifest(const std::string& directory);

}  // namespace stator::store
