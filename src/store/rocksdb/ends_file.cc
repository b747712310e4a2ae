#include "store/rocksdb/ends_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "base/replace_file.h"
#include "store/rocksdb/state_file.h"

namespace stator::store {
namespace {

constexpr std::size_t kPlaceBytes = 2 * kEndCopyBytes;
constexpr std::size_t kEndsHeadBytes = kPlaceBytes;
constexpr std::string_view kEndsHead = "stator ends 1\n";
constexpr std::size_t kFirstPlaces = 31;  // of a new file, which has 4 KiB; more are added when they are needed
constexpr std::size_t kNumbers = 7;
constexpr std::size_t kNumbersBytes = kNumbers * sizeof(std::uint64_t);

void append_number(char*& at, std::uint64_t number, std::size_t bytes) noexcept {
  for (std::size_t i = 0; i < bytes; ++i) *at++ = static_cast<char>(number >> (8 * i));
}

std::uint64_t number_at(const char* at, std::size_t bytes) noexcept {
  std::uint64_t number = 0;
  for (std::size_t i = bytes; i-- > 0;) number = number << 8 | static_cast<unsigned char>(at[i]);
  return number;
}

// Nothing if a byte is not as it was written. Zeros are the end of no log.
std::optional<AcknowledgedEnd> decode_end(std::string_view copy) {
  if (std::all_of(copy.begin(), copy.end(), [](char byte) { return byte == 0; })) return AcknowledgedEnd();
  const std::uint32_t checksum = add_to_checksum(0, copy.substr(0, kNumbersBytes));
  if (number_at(copy.data() + kNumbersBytes, sizeof checksum) != checksum) return std::nullopt;
  std::array<std::uint64_t, kNumbers> numbers;
  for (std::size_t i = 0; i < kNumbers; ++i) numbers[i] = number_at(copy.data() + i * 8, 8);
  return AcknowledgedEnd{numbers[0], numbers[1], numbers[2], numbers[3], static_cast<std::int64_t>(numbers[4]), numbers[5], numbers[6]};
}

// The newer of the two copies that can be read.
std::optional<AcknowledgedEnd> decode_place(std::string_view place) {
  const std::optional<AcknowledgedEnd> first = decode_end(place.substr(0, kEndCopyBytes));
  const std::optional<AcknowledgedEnd> second = decode_end(place.substr(kEndCopyBytes));
  if (!first || !second) return first ? first : second;
  return std::max(*first, *second, [](const AcknowledgedEnd& left, const AcknowledgedEnd& right) {
    return std::pair(left.log, left.bytes) < std::pair(right.log, right.bytes);
  });
}

std::optional<std::vector<AcknowledgedEnd>> decode_ends(std::string_view bytes) {
  if (bytes.size() < kEndsHeadBytes || bytes.size() % kPlaceBytes != 0 || !bytes.starts_with(kEndsHead)) return std::nullopt;
  std::vector<AcknowledgedEnd> ends;
  for (std::size_t at = kEndsHeadBytes; at < bytes.size(); at += kPlaceBytes) {
    const std::optional<AcknowledgedEnd> end = decode_place(bytes.substr(at, kPlaceBytes));
    if (!end) return std::nullopt;
    ends.push_back(*end);
  }
  return ends;
}

off_t place_offset(std::size_t place) noexcept { return static_cast<off_t>(kEndsHeadBytes + place * kPlaceBytes); }

}  // namespace

std::string log_path(const std::string& directory, std::uint64_t log) { return fmt::format("{}/{:06}.log", directory, log); }

std::uint64_t boot_number() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string text;
  std::getline(file, text);
  std::erase(text, '-');
  // Where there is none, no boot is the same as another.
  const std::string_view digits = std::string_view(text).substr(0, 16);
  std::uint64_t number = 0;
  for (const char digit : digits) number = number << 4 | static_cast<std::uint64_t>(digit <= '9' ? digit - '0' : digit - 'a' + 10);
  return number != 0 ? number : static_cast<std::uint64_t>(::getpid());
}

EndCopy encode_end(const AcknowledgedEnd& end) {
  EndCopy copy{};
  char* at = copy.data();
  for (const std::uint64_t number : {end.log, end.bytes, end.groups, end.commits, static_cast<std::uint64_t>(end.time_ms), end.manifest, end.boot}) {
    append_number(at, number, sizeof number);
  }
  append_number(at, add_to_checksum(0, {copy.data(), kNumbersBytes}), sizeof(std::uint32_t));
  return copy;
}

Result<std::vector<AcknowledgedEnd>> read_ends(const std::string& directory) {
  const std::filesystem::path path = std::filesystem::path(directory) / kEndsFile;
  std::error_code error;
  if (!std::filesystem::exists(path, error) && !error) return std::vector<AcknowledgedEnd>();
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  auto ends = decode_ends(bytes);
  if (!file.is_open() || file.bad() || !ends) {
    return fail(ErrorCode::corruption, fmt::format("{} cannot be read", path.string()));
  }
  return *std::move(ends);
}

EndsFile::~EndsFile() {
  if (file_ >= 0) ::close(file_);
}

Result<std::vector<AcknowledgedEnd>> EndsFile::open(const std::string& directory) {
  const std::string path = directory + "/" + kEndsFile;
  Result<std::vector<AcknowledgedEnd>> ends = read_ends(directory);
  // Whoever opens a directory in which it is damaged was asked before (check_logs).
  if (!ends || ends->empty()) {
    std::string bytes(kEndsHead);
    bytes.resize(kEndsHeadBytes + kFirstPlaces * kPlaceBytes);
    TRY_VOID(base::replace_file(path, bytes));
    ends = std::vector<AcknowledgedEnd>(kFirstPlaces);
  }
  file_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file_ < 0) return fail(ErrorCode::out_of_space, fmt::format("{} cannot be written: {}", path, std::strerror(errno)));
  return ends;
}

bool EndsFile::write(std::size_t place, bool second_copy, const AcknowledgedEnd& end) const noexcept {
  const EndCopy copy = encode_end(end);
  const off_t at = place_offset(place) + static_cast<off_t>(second_copy ? kEndCopyBytes : 0);
  return ::pwrite(file_, copy.data(), copy.size(), at) == static_cast<ssize_t>(copy.size());
}

bool EndsFile::clear(std::size_t place) const noexcept {
  static constexpr std::array<char, kPlaceBytes> kNothing{};
  return ::pwrite(file_, kNothing.data(), kNothing.size(), place_offset(place)) == static_cast<ssize_t>(kNothing.size());
}

bool EndsFile::sync() const noexcept { return ::fdatasync(file_) == 0; }

}  // namespace stator::store
