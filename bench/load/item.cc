#include "bench/load/item.h"

#include <fmt/format.h>

#include "bench/load/random.h"

namespace stator::bench {
namespace {

constexpr std::uint64_t kRowSeed = 0x526f77;
constexpr std::uint64_t kRedisSeed = 0x5265646973;

// What a payload of this many characters adds up to with the other attributes is kItemBytes.
// Numbers count one byte for two digits and one more: "created" has ten digits, six bytes.
constexpr std::size_t kKeyBytes = sizeof("key-000000000000") - 1;
constexpr std::size_t kCreatedBytes = sizeof("created") - 1 + 6;
constexpr std::size_t kKindBytes = sizeof("kind") - 1 + sizeof("bench") - 1;
constexpr std::size_t kPayloadNameBytes = sizeof("payload") - 1;
constexpr std::size_t kItemPayload =
    kItemBytes - (2 + kKeyBytes) - kCreatedBytes - kKindBytes - kPayloadNameBytes;
constexpr std::size_t kRowKeyBytes = sizeof("part-00000000") - 1 + sizeof("row-000") - 1;
constexpr std::size_t kRowPayload =
    kItemBytes - (4 + kRowKeyBytes) - kCreatedBytes - kKindBytes - kPayloadNameBytes;

std::uint64_t Mix(std::uint64_t seed, std::uint64_t index, std::uint64_t version) {
  Random random(seed ^ (index * 2 + 1) ^ (version << 56));
  return random.Next();
}

// A number of ten digits that does not end in zero, as trailing zeros do not count to the size.
std::uint64_t Created(std::uint64_t index) { return 1700000001 + index % 10000000 * 10; }

}  // namespace

std::string RandomText(std::uint64_t seed, std::size_t length) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  Random random(seed);
  std::string text(length, '\0');
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < length; ++i, bits >>= 6) {
    if (i % 10 == 0) {
      bits = random.Next();
    }
    text[i] = kAlphabet[bits & 63];
  }
  return text;
}

std::string ItemKey(std::uint64_t index) { return fmt::format("key-{:012}", index); }

std::string ItemJson(std::uint64_t index, std::uint64_t version) {
  return fmt::format(R"({{"pk":{{"S":"{}"}},"created":{{"N":"{}"}},)"
                     R"("kind":{{"S":"bench"}},"payload":{{"S":"{}"}}}})",
                     ItemKey(index), Created(index),
                     RandomText(Mix(0, index, version), kItemPayload));
}

std::string IndexedItemJson(std::uint64_t index, std::uint64_t version) {
  constexpr std::size_t kIndexedPayload = kItemPayload - 48;  // What the three attributes take.
  return fmt::format(R"({{"pk":{{"S":"{}"}},"created":{{"N":"{}"}},"kind":{{"S":"bench"}},)"
                     R"("owner":{{"S":"owner-{:06}"}},"day":{{"S":"2026-{:03}"}},)"
                     R"("status":{{"S":"status-{}"}},"payload":{{"S":"{}"}}}})",
                     ItemKey(index), Created(index), index % 1000, index % 365, version % 8,
                     RandomText(Mix(0, index, version), kIndexedPayload));
}

std::string ExpiringItemJson(std::uint64_t index, std::uint64_t expires) {
  return fmt::format(R"({{"pk":{{"S":"expiring-{:012}"}},"expires":{{"N":"{}"}},)"
                     R"("payload":{{"S":"{}"}}}})",
                     index, expires, RandomText(Mix(0, index, 0), kItemPayload));
}

std::string PartitionKey(std::uint64_t index) { return fmt::format("part-{:08}", index); }

std::string RowJson(std::uint64_t index) {
  return fmt::format(R"({{"pk":{{"S":"{}"}},"sk":{{"S":"row-{:03}"}},"created":{{"N":"{}"}},)"
                     R"("kind":{{"S":"bench"}},"payload":{{"S":"{}"}}}})",
                     PartitionKey(index / kRowsPerPartition), index % kRowsPerPartition,
                     Created(index), RandomText(Mix(kRowSeed, index, 0), kRowPayload));
}

std::string RedisValue(std::uint64_t index, std::uint64_t version) {
  return RandomText(Mix(kRedisSeed, index, version), kItemBytes);
}

}  // namespace stator::bench
