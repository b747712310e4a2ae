#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "base/buffer.h"
#include "net/http_parser.h"

namespace stator::net {

// CRC-32 as IEEE 802.3 has it, which is that of gzip and of x-amz-crc32.
[[nodiscard]] std::uint32_t crc32(std::string_view bytes) noexcept;

// The coding for an answer to a client with this Accept-Encoding header: the one with the greater q; with equal ones, the one that
// is named before the other or before `*`; gzip where only `*` allows both. q=0 refuses. Identity where neither is allowed.
[[nodiscard]] ContentEncoding choose_encoding(std::string_view accept_encoding) noexcept;

// Zips and unzips whole bodies. Keeps its working memory (about 200 KiB each way, made at first
// use), so each reactor has one. One thread.
class Gzip {
 public:
  enum class Inflated : std::uint8_t { done, too_large, malformed };

  Gzip();
  ~Gzip();
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;

  // Replaces the content of `to` by `from` in gzip's or (for deflate) zlib's form; false, with `to` left empty, where that
  // is not smaller.
  bool compress(ContentEncoding encoding, std::string_view from, base::Buffer& to);

  // Replaces the content of `to` by what `from` unzips to, and leaves `padding` unused bytes behind
  // it. What unzips to more than `bytes_max` is too_large, found without making room for all of it.
  // `from` may be several gzip members, as RFC 1952 allows. `deflate` may come with zlib's header
  // or bare.
  Inflated inflate(ContentEncoding encoding, std::string_view from, base::Buffer& to,
                   std::size_t bytes_max, std::size_t padding);

 private:
  struct Codecs;
  std::unique_ptr<Codecs> codecs_;
};

}  // namespace stator::net
