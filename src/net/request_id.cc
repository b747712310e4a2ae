#include "net/request_id.h"

#include <bit>
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
  static constexpr char kAlphabet[] = "0123456789ABCDEFGHIJKLMNOPQRSTUV";
  constexpr std::size_t kCharactersPerWord = 13;  // 65 bits: the last has 4 random ones
  static_assert(Exchange::kRequestIdSize % kCharactersPerWord == 0);
  for (std::size_t i = 0; i < Exchange::kRequestIdSize; i += kCharactersPerWord) {
    std::uint64_t bits = next();
    for (std::size_t j = 0; j < kCharactersPerWord; ++j, bits >>= 5)
      to[i + j] = kAlphabet[bits & 31];
  }
}

}  // namespace stator::net
