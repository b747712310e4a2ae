// Redis commands, as bytes ready to be sent.
#ifndef STATOR_BENCH_LOAD_REDIS_REQUESTS_H_
#define STATOR_BENCH_LOAD_REDIS_REQUESTS_H_

#include <cstdint>
#include <string>

namespace stator::bench {

std::string RedisGet(std::uint64_t index);
std::string RedisSet(std::uint64_t index, std::uint64_t version);

}  // namespace stator::bench

#endif  // STATOR_BENCH_LOAD_REDIS_REQUESTS_H_
