#include "store/rocksdb/state_file.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "store/rocksdb/directory.h"

namespace stator::store {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHead = "stator state 1\n";
constexpr std::string_view kManifestPrefix = "MANIFEST-";
constexpr std::size_t kCheckBytes = 9;  // eight digits and the end of the line

// The whole number at the front of `text`, which has to end with `end`; both are taken away.
template <class Number>
bool take_number(std::string_view& text, int base, char end, Number& number) {
  const char* last = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), last, number, base);
  if (error != std::errc() || at == last || *at != end) return false;
  text.remove_prefix(static_cast<std::size_t>(at - text.data()) + 1);
  return true;
}

bool read_file(const fs::path& path, std::string& text) {
  std::ifstream file(path, std::ios::binary);
  text.assign(std::istreambuf_iterator<char>(file), {});
  return file.is_open() && !file.bad();
}

// The first bytes of a file, `bytes_max` at most.
std::optional<ManifestState> measure(const fs::path& path, std::uint64_t bytes_max) {
  std::ifstream file(path, std::ios::binary);
  if (!file.is_open()) return std::nullopt;
  ManifestState state;
  std::array<char, 32768> block;
  while (state.bytes < bytes_max && file) {
    const std::uint64_t wanted = std::min<std::uint64_t>(block.size(), bytes_max - state.bytes);
    file.read(block.data(), static_cast<std::streamsize>(wanted));
    const auto got = static_cast<std::size_t>(file.gcount());
    state.checksum = add_to_checksum(state.checksum, {block.data(), got});
    state.bytes += got;
  }
  if (file.bad()) return std::nullopt;
  return state;
}

}  // namespace

std::uint32_t add_to_checksum(std::uint32_t checksum, std::string_view bytes) noexcept {
  if (bytes.empty()) return checksum;  // zlib would begin anew for an address of nothing
  return static_cast<std::uint32_t>(
      ::crc32_z(checksum, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

std::string current_manifest(const std::string& directory) {
  std::string name;
  if (!read_file(fs::path(directory) / "CURRENT", name) || !name.starts_with(kManifestPrefix) ||
      name.back() != '\n') {
    return {};
  }
  name.pop_back();
  const bool only_digits =
      name.find_first_not_of("0123456789", kManifestPrefix.size()) == std::string::npos;
  return only_digits ? name : std::string();
}

std::string encode_states(const ManifestStates& states) {
  std::string text(kHead);
  for (const auto& [name, state] : states) {
    text += fmt::format("{} {} {:08x}\n", name, state.bytes, state.checksum);
  }
  return text + fmt::format("{:08x}\n", add_to_checksum(0, text));
}

std::optional<ManifestStates> decode_states(std::string_view text) {
  if (text.size() < kHead.size() + kCheckBytes) return std::nullopt;
  // Compared as text, so that another spelling of the same number is damage too.
  std::string_view lines = text.substr(0, text.size() - kCheckBytes);
  const std::string check = fmt::format("{:08x}\n", add_to_checksum(0, lines));
  if (text.substr(lines.size()) != check || !lines.starts_with(kHead)) return std::nullopt;
  lines.remove_prefix(kHead.size());
  ManifestStates states;
  while (!lines.empty()) {
    const std::size_t name_bytes = lines.find(' ');
    if (name_bytes == std::string_view::npos) return std::nullopt;
    ManifestState& state = states[std::string(lines.substr(0, name_bytes))];
    lines.remove_prefix(name_bytes + 1);
    if (!take_number(lines, 10, ' ', state.bytes)) return std::nullopt;
    if (!take_number(lines, 16, '\n', state.checksum)) return std::nullopt;
  }
  return states;
}

Result<ManifestStates> read_states(const std::string& directory) {
  const fs::path file = fs::path(directory) / kStateFile;
  std::error_code error;
  if (fs::exists(file, error)) {
    std::string text;
    std::optional<ManifestStates> states;
    if (read_file(file, text)) states = decode_states(text);
    if (!states) return tl::unexpected<Error>(damaged_directory(directory, "STATE cannot be read"));
    return *std::move(states);
  }
  if (error) {
    return tl::unexpected<Error>(
        damaged_directory(directory, fmt::format("STATE: {}", error.message())));
  }
  ManifestStates states;
  const std::string name = current_manifest(directory);
  if (name.empty()) return states;
  if (const auto state = measure(fs::path(directory) / name, UINT64_MAX)) states[name] = *state;
  return states;
}

Result<void> check_manifest(const std::string& directory) {
  std::error_code error;
  TRY(const ManifestStates states, read_states(directory));
  if (!fs::exists(fs::path(directory) / "CURRENT", error)) return {};
  const std::string name = current_manifest(directory);
  if (name.empty()) {
    return tl::unexpected<Error>(damaged_directory(directory, "CURRENT does not name a manifest"));
  }
  const auto expected = states.find(name);
  if (expected == states.end()) {
    return tl::unexpected<Error>(damaged_directory(
        directory, fmt::format("CURRENT names {}, which is missing or not known to STATE", name)));
  }
  const ManifestState& state = expected->second;
  const auto found = measure(fs::path(directory) / name, state.bytes);
  if (!found) {
    return tl::unexpected<Error>(
        damaged_directory(directory, fmt::format("{} cannot be read", name)));
  }
  if (found->bytes < state.bytes) {
    return tl::unexpected<Error>(damaged_directory(
        directory, fmt::format("{} has only {} of {} bytes", name, found->bytes, state.bytes)));
  }
  if (*found != state) {
    return tl::unexpected<Error>(
        damaged_directory(directory, fmt::format("{} is not what was written", name)));
  }
  return {};
}

}  // namespace stator::store
