#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "net/head_pieces.h"

namespace stator::net {

// The plain heads that came lately. A client sends nearly the same head with each of its requests: date, signature, length of the
// body and the number of the call differ, and nothing else. Such a head is known by comparing it, which is a fraction of parsing
// it and of all that is then made of its headers. One thread.
class HeadMemo {
 public:
  struct Head {
    HeadPieces pieces;
    std::size_t bytes = 0;
    // Heads of the same number say the same but for the bytes of the signature, the date and the length of the body; no other
    // head in this process has it. 0 is no head.
    std::uint64_t number = 0;
  };

  // The head that `data` begins with, if it is a known one, and the length of its body; null otherwise. Valid until the next
  // call of either.
  [[nodiscard]] const Head* find(const char* data, std::size_t size, std::size_t& body_bytes) noexcept;

  // Of a plain head that was not found, with all its bytes. Not every one is kept: heads that never come again would cost more
  // than they gain.
  void offer(std::string_view head, const HeadPieces& pieces);

 private:
  // A part of a value that differs from one request to the next.
  enum class Kind : std::uint8_t { hexadecimal, visible, length };
  struct Part {
    std::uint32_t begin;
    std::uint32_t end;
    Kind kind;
  };
  struct Entry {
    Head head;
    std::string text;
    std::vector<Part> parts;  // in their order
  };
  static constexpr std::size_t kEntries = 8;
  static constexpr std::size_t kHeadBytesMax = 4096;
  static constexpr unsigned kOffersForOne = 16;

  static bool matches(const Entry& entry, const char* data, std::size_t& body_bytes) noexcept;
  static std::vector<Part> changing_parts(std::string_view head, const HeadPieces& pieces);
  static void add_part(std::vector<Part>& parts, std::string_view head, const HeadPieces& pieces, Piece name_at, Piece value);

  std::array<Entry, kEntries> entries_;
  std::array<std::uint8_t, kEntries> order_{0, 1, 2, 3, 4, 5, 6, 7};  // those that are found often come first
  unsigned offers_ = kOffersForOne - 1;
};

}  // namespace stator::net
