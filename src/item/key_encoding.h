#pragma once

#include <cstdint>
#include <string_view>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/result.h"
#include "item/value.h"

namespace stator::item {

// Order-preserving encoding of key values: memcmp order of encodings is DynamoDB's order of values of one
// type. Every encoding is self-delimiting and no encoding is a prefix of another, so parts can be written
// one after the other. The type is not stored: the key schema knows it. See docs/formats/keys.md.
//
//   string, binary := (byte | 00 -> 00 FF)* 00 01
//   number         := see key_encoding.cc (sign and exponent in one byte, two digits per byte behind it)
void append_key_part(base::Buffer& out, const Value& value);

// Reads one part of the given type from the front of `bytes` and moves `bytes` behind it. Strings without
// escapes are views into `bytes`, the rest lives in the arena.
[[nodiscard]] Result<Value> read_key_part(std::string_view& bytes, Type type, base::Arena& arena);

// Moves `bytes` behind its first part; to their end where they are damaged.
void skip_key_part(std::string_view& bytes, Type type) noexcept;

// Start of the range of strings or binaries that begin with `prefix`: the encoding without its terminator.
void append_key_prefix(base::Buffer& out, std::string_view prefix);

// The hash that places a partition key: 32 bits of XXH3 over its encoding. A stored format: never changes.
[[nodiscard]] std::uint32_t partition_hash(std::string_view encoded_partition_key) noexcept;

// The smallest byte string above every string that starts with `prefix`, in place; empty means "no bound".
void increment_prefix(base::Buffer& prefix);

}  // namespace stator::item
