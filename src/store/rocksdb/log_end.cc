#include "store/rocksdb/log_end.h"

#include <fmt/format.h>
#include <isa-l/crc.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <optional>
#include <string_view>
#include <vector>

namespace stator::store {
namespace {

// The format of RocksDB's logs: blocks of 32 KiB; in each, records of a header (checksum 4, length 2, type 1) and data, and at its
// end a rest of fewer bytes than a header. A record that does not fit is written as a first, any middle and a last one.
constexpr std::size_t kBlockBytes = 32 * 1024;
constexpr std::size_t kHeaderBytes = 7;
constexpr unsigned kFull = 1;
constexpr unsigned kFirst = 2;
constexpr unsigned kLast = 4;

template <class Number>
Number little_endian(const char* at) noexcept {
  Number number = 0;
  for (std::size_t i = sizeof(Number); i-- > 0;) {
    number = static_cast<Number>(number << 8 | static_cast<unsigned char>(at[i]));
  }
  return number;
}

// The checksum as RocksDB writes it: CRC-32C, turned so that it is not one of data that holds checksums itself.
std::uint32_t masked_crc32c(std::string_view bytes) {
  auto* data = const_cast<unsigned char*>(reinterpret_cast<const unsigned char*>(bytes.data()));  // only read
  const std::uint32_t crc = ~crc32_iscsi(data, static_cast<int>(bytes.size()), ~0U);
  return ((crc >> 15) | (crc << 17)) + 0xa282ead8U;
}

struct Record {
  std::size_t bytes = 0;
  bool begins = false;  // a group of commits, and does not go on with one
};

// The record at the front of what is left of a block; nothing if there is none, or none that is whole.
std::optional<Record> read_record(std::string_view block) {
  if (block.size() < kHeaderBytes) return std::nullopt;
  const std::size_t length = little_endian<std::uint16_t>(block.data() + 4);
  const auto type = static_cast<unsigned char>(block[6]);
  if (type < kFull || type > kLast || kHeaderBytes + length > block.size()) return std::nullopt;
  if (masked_crc32c(block.substr(6, 1 + length)) != little_endian<std::uint32_t>(block.data())) return std::nullopt;
  return Record{kHeaderBytes + length, type == kFull || type == kFirst};
}

// How many bytes of a block are whole records. Counts the groups that begin among them.
std::size_t whole_bytes(std::string_view block, std::uint64_t& groups) {
  std::size_t at = 0;
  while (const std::optional<Record> record = read_record(block.substr(at))) {
    at += record->bytes;
    if (record->begins) ++groups;
  }
  return at;
}

bool is_zero(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](char byte) { return byte == 0; });
}

// Whether a group begins anywhere in these bytes. Their first record may be the broken one, so every place is looked at.
bool has_beginning(std::string_view bytes) {
  for (std::size_t at = 0; at + kHeaderBytes <= bytes.size(); ++at) {
    const std::optional<Record> record = read_record(bytes.substr(at));
    if (record && record->begins) return true;
  }
  return false;
}

class Blocks {
 public:
  explicit Blocks(const std::string& path) : file_(path, std::ios::binary), bytes_(kBlockBytes) {}
  // Empty at the end of the file.
  std::string_view next() {
    file_.read(bytes_.data(), static_cast<std::streamsize>(bytes_.size()));
    return {bytes_.data(), static_cast<std::size_t>(file_.gcount())};
  }
  [[nodiscard]] bool failed() const { return !file_.is_open() || file_.bad(); }

 private:
  std::ifstream file_;
  std::vector<char> bytes_;
};

}  // namespace

Result<LogEnd> measure_log(const std::string& path) {
  Blocks blocks(path);
  LogEnd log;
  bool ended = false;
  for (std::string_view block = blocks.next(); !block.empty() && !log.damaged; block = blocks.next()) {
    std::string_view rest = block;
    if (!ended) {
      const std::size_t whole = whole_bytes(block, log.groups);
      rest = block.substr(whole);
      // The zeros that fill up a block are part of it.
      const bool filled = block.size() == kBlockBytes && rest.size() < kHeaderBytes && is_zero(rest);
      ended = !filled;
      log.bytes += filled ? block.size() : whole;
    }
    log.damaged = ended && !is_zero(rest) && has_beginning(rest);
  }
  if (blocks.failed()) return fail(ErrorCode::internal, fmt::format("{} cannot be read", path));
  return log;
}

Result<std::uint64_t> find_log_end(const std::string& path) {
  TRY(const LogEnd log, measure_log(path));
  if (!log.damaged) return log.bytes;
  return fail(ErrorCode::corruption, fmt::format("{} is damaged at byte {}: whole records follow", path, log.bytes));
}

}  // namespace stator::store
