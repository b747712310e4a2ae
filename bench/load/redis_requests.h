// Redis commands, as bytes ready to be sent.
#pragma once

#include <cstdint>
#include <string>

namespace stator::bench {

std::string RedisGet(std::uint64_t index);
std::string RedisSet(std::uint64_t index, std::uint64_t version);

}  // namespace stator::bench
