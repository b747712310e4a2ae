#include "net/request_id.h"

#include <bit>
#include <cstring>
#include <random>

#include "net/exchange.h"

namespace stator::net {

RequestIds::RequestIds() {
  std::random_device device;
  for (std::uint64_t& word : state_) word = (std::uint64_t{device()} << 32) | device();
  state_[0] |= 1;  // the generator must not start from all zeros
}

// xoshiro256++, by David Blackman and Sebastiano Vigna, who placed it in the public domain.
std::uint64_t RequestIds::next() noexcept {
  const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

void RequestIds::write(char* to) noexcept {
  // A random byte for each character rather than five bits: the loop below then works on many at
  // once.
  std::uint64_t words[(Exchange::kRequestIdSize + 7) / 8];
  for (std::uint64_t& word : words) word = next();
  char random[sizeof(words)];
  std::memcpy(random, words, sizeof(words));
  for (std::size_t i = 0; i < Exchange::kRequestIdSize; ++i) {
    const auto digit = static_cast<char>(random[i] & 31);
    to[i] = static_cast<char>(digit + '0' + (digit > 9 ? 'A' - '0' - 10 : 0));
  }
}

}  // namespace stator::net
