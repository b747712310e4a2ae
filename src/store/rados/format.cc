#include "store/rados/format.h"

namespace stator::store::rados {
namespace {

constexpr char kRow = '\x01';
constexpr char kIntent = '\x02';

tl::unexpected<Error> damaged(const char* what) {
  return fail(ErrorCode::corruption, std::string("a leaf in the pool has a damaged ") + what);
}

void append_number(std::string& out, std::uint64_t number, int bytes) {
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8)
    out.push_back(static_cast<char>(number >> shift));
}
constexpr std::size_t kOrderedBytes = 10;
void append_ordered(std::string& out, std::uint64_t number) {
  for (int shift = 63; shift >= 0; shift -= 7)
    out.push_back(static_cast<char>(number >> shift & 0x7f));
}
void append_text(std::string& out, std::string_view text) {
  append_number(out, text.size(), 4);
  out.append(text);
}

// Takes parts from the front of bytes; `ok` becomes false where they end too early.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : left_(bytes) {}
  std::uint64_t number(std::size_t bytes) {
    std::uint64_t value = 0;
    for (const char byte : take(bytes)) value = value << 8 | static_cast<unsigned char>(byte);
    return value;
  }
  std::string_view text() { return take(number(4)); }
  std::string_view take(std::size_t bytes) {
    if (left_.size() < bytes) {
      ok_ = false;
      left_ = {};
      return {};
    }
    const std::string_view taken = left_.substr(0, bytes);
    left_.remove_prefix(bytes);
    return taken;
  }
  [[nodiscard]] std::string_view rest() const { return left_; }
  [[nodiscard]] bool at_end() const { return left_.empty(); }
  [[nodiscard]] bool ok() const { return ok_; }

 private:
  std::string_view left_;
  bool ok_ = true;
};

// Zero as 00 FF, so that 00 01 can end it.
void append_escaped(std::string& out, std::string_view key) {
  for (const char byte : key) {
    out.push_back(byte);
    if (byte == '\0') out.push_back('\xff');
  }
}

std::string counter_prefix(char kind, std::string_view counter) {
  std::string key = counters_from(kind, counter);
  key.append("\x00\x01", 2);
  return key;
}

}  // namespace

std::string encode_number(std::uint64_t number) {
  std::string bytes;
  append_number(bytes, number, 8);
  return bytes;
}
std::uint64_t decode_number(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char byte : bytes.substr(0, 8)) value = value << 8 | static_cast<unsigned char>(byte);
  return value;
}

std::string encode_ordered(std::uint64_t number) {
  std::string bytes;
  append_ordered(bytes, number);
  return bytes;
}
std::uint64_t decode_ordered(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char byte : bytes.substr(0, kOrderedBytes))
    value = value << 7 | static_cast<unsigned char>(byte);
  return value;
}

std::string row_before(std::string_view key) {
  std::string row = "r";
  row.append(key);
  return row;
}
std::string row_key(std::string_view key) {
  std::string row = row_before(key);
  row.push_back('\0');
  return row;
}
std::string_view key_of_row(std::string_view row_key) {
  return row_key.substr(1, row_key.size() - 2);
}

// The complement of each byte; FF as FF 00 and FF FF at the end, so that a longer key comes first.
std::string twin_key(std::string_view key) {
  std::string twin = "d";
  for (const char byte : key) {
    twin.push_back(static_cast<char>(~byte));
    if (byte == '\0') twin.push_back('\0');
  }
  twin.append("\xff\xff");
  return twin;
}
std::string key_of_twin(std::string_view twin_key) {
  std::string key;
  for (std::size_t i = 1; i + 2 < twin_key.size(); ++i) {
    key.push_back(static_cast<char>(~twin_key[i]));
    if (twin_key[i] == '\xff') ++i;
  }
  return key;
}
std::string tombstone_key(std::string_view key) {
  std::string tombstone = row_key(key);
  tombstone[0] = 'x';
  return tombstone;
}

std::string intent_before(std::string_view key) {
  std::string intent = "i";
  intent.append(key);
  return intent;
}
std::string intent_key(std::string_view key) {
  std::string intent = intent_before(key);
  intent.push_back('\0');
  return intent;
}

std::string counters_from(char kind, std::string_view from) {
  std::string key(1, kind);
  append_escaped(key, from);
  return key;
}
std::string sum_prefix(std::string_view counter) { return counter_prefix('c', counter); }
std::string sum_key(std::string_view counter, Instance instance) {
  std::string key = sum_prefix(counter);
  append_number(key, instance, 4);
  return key;
}
std::string part_prefix(std::string_view counter) { return counter_prefix('p', counter); }
std::string part_key(std::string_view counter, LeafNumber leaf) {
  std::string key = part_prefix(counter);
  append_number(key, leaf, 8);
  return key;
}
std::string counter_of(std::string_view sum_or_part_key, std::size_t suffix_bytes) {
  std::string counter;
  const std::size_t end = sum_or_part_key.size() - suffix_bytes - 2;
  for (std::size_t i = 1; i < end; ++i) {
    counter.push_back(sum_or_part_key[i]);
    if (sum_or_part_key[i] == '\0') ++i;
  }
  return counter;
}
std::string record_key(Stamp transaction) {
  std::string key = "t";
  append_number(key, transaction, 8);
  return key;
}
std::string fence_key(Instance instance) {
  std::string key = "f";
  append_number(key, instance, 4);
  return key;
}
std::string space_key(std::string_view space) {
  std::string key = "s";
  key.append(space);
  return key;
}
std::string end_of_kind(char kind) { return std::string(1, static_cast<char>(kind + 1)); }

std::string row_mark(Stamp version) {
  std::string mark(1, kRow);
  append_ordered(mark, version);
  return mark;
}
std::string intent_mark(Stamp transaction) {
  std::string mark(1, kIntent);
  append_ordered(mark, transaction);
  return mark;
}

std::string encode_row(const StoredRow& row) {
  std::string bytes;
  bytes.reserve(1 + kOrderedBytes + row.value.size() + 1);
  bytes = row_mark(row.version);
  bytes.append(row.value);
  bytes.push_back('\0');  // longer than its mark even when the value is empty
  return bytes;
}

Result<StoredRow> decode_row(std::string_view bytes) {
  Reader reader(bytes);
  if (reader.number(1) != static_cast<std::uint64_t>(kRow)) return damaged("row");
  StoredRow row;
  row.version = decode_ordered(reader.take(kOrderedBytes));
  if (!reader.ok() || reader.at_end()) return damaged("row");
  row.value = reader.rest().substr(0, reader.rest().size() - 1);
  return row;
}

std::string encode_intent(const Intent& intent) {
  std::string bytes = intent_mark(intent.transaction);
  append_number(bytes, intent.home, 8);
  bytes.push_back(static_cast<char>(intent.action));
  bytes.append(intent.value);
  return bytes;
}

Result<Intent> decode_intent(std::string_view bytes) {
  Reader reader(bytes);
  if (reader.number(1) != static_cast<std::uint64_t>(kIntent)) return damaged("intent");
  Intent intent;
  intent.transaction = decode_ordered(reader.take(kOrderedBytes));
  intent.home = reader.number(8);
  intent.action = static_cast<Action>(reader.number(1));
  intent.value = reader.rest();
  const bool known = intent.action >= Action::put && intent.action <= Action::append;
  if (!reader.ok() || !known) return damaged("intent");
  return intent;
}

std::string encode_header(const Header& header) {
  std::string bytes;
  append_number(bytes, header.epoch, 8);
  append_number(bytes, header.right, 8);
  append_text(bytes, header.from);
  append_text(bytes, header.to);
  if (header.split) {
    append_text(bytes, header.split->at);
    append_number(bytes, header.split->leaf, 8);
  }
  return bytes;
}

Result<Header> decode_header(std::string_view bytes) {
  Header header;
  Reader reader(bytes);
  header.epoch = reader.number(8);
  header.right = reader.number(8);
  header.from = reader.text();
  header.to = reader.text();
  if (!reader.at_end()) {
    Split split;
    split.at = reader.text();
    split.leaf = reader.number(8);
    header.split = std::move(split);
  }
  if (!reader.ok()) return damaged("header");
  return header;
}

std::string encode_keys(const std::vector<std::string>& keys) {
  std::string bytes(1, '\1');  // a record is never empty
  for (const std::string& key : keys) append_text(bytes, key);
  return bytes;
}
Result<std::vector<std::string>> decode_keys(std::string_view bytes) {
  std::vector<std::string> keys;
  Reader reader(bytes);
  reader.take(1);
  while (!reader.at_end()) keys.emplace_back(reader.text());
  if (!reader.ok()) return damaged("transaction record");
  return keys;
}

std::string encode_sums(const std::vector<std::int64_t>& sums) {
  std::string bytes;
  for (const std::int64_t sum : sums) append_number(bytes, static_cast<std::uint64_t>(sum), 8);
  return bytes;
}
std::vector<std::int64_t> decode_sums(std::string_view bytes) {
  std::vector<std::int64_t> sums;
  for (Reader reader(bytes); !reader.at_end();)
    sums.push_back(static_cast<std::int64_t>(reader.number(8)));
  return sums;
}

}  // namespace stator::store::rados
