#include "bench/load/redis_requests.h"

#include <fmt/format.h>

#include "bench/load/item.h"

namespace stator::bench {

std::string RedisGet(std::uint64_t index) {
  const std::string key = ItemKey(index);
  return fmt::format("*2\r\n$3\r\nGET\r\n${}\r\n{}\r\n", key.size(), key);
}

std::string RedisSet(std::uint64_t index, std::uint64_t version) {
  const std::string key = ItemKey(index);
  const std::string value = RedisValue(index, version);
  return fmt::format("*3\r\n$3\r\nSET\r\n${}\r\n{}\r\n${}\r\n{}\r\n", key.size(), key, value.size(),
                     value);
}

}  // namespace stator::bench
