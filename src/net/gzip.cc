#include "net/gzip.h"

#include <libdeflate.h>

#include <algorithm>

#include "base/check.h"
#include "net/text.h"

namespace stator::net {

namespace {

// The fastest level: answers are compressed on the reactor's thread, while others wait.
constexpr int kLevel = 1;

struct FreeCompressor {
  void operator()(libdeflate_compressor* it) const noexcept { libdeflate_free_compressor(it); }
};
struct FreeDecompressor {
  void operator()(libdeflate_decompressor* it) const noexcept { libdeflate_free_decompressor(it); }
};

// A q of 0, 0.0, 0.00 or 0.000 refuses a coding.
bool refused(std::string_view parameters) noexcept {
  const std::size_t equals = parameters.find('=');
  if (equals == std::string_view::npos) return false;
  if (!equals_ignoring_case(trim(parameters.substr(0, equals)), "q")) return false;
  const std::string_view value = trim(parameters.substr(equals + 1));
  return !value.empty() && value.find_first_not_of("0.") == std::string_view::npos;
}

}  // namespace

struct Gzip::Codecs {
  std::unique_ptr<libdeflate_compressor, FreeCompressor> compressor;
  std::unique_ptr<libdeflate_decompressor, FreeDecompressor> decompressor;

  libdeflate_result inflate_once(ContentEncoding encoding, std::string_view from, char* to,
                                 std::size_t room, std::size_t* used, std::size_t* made) {
    libdeflate_decompressor* const with = decompressor.get();
    if (encoding == ContentEncoding::gzip) {
      return libdeflate_gzip_decompress_ex(with, from.data(), from.size(), to, room, used, made);
    }
    const libdeflate_result result =
        libdeflate_zlib_decompress_ex(with, from.data(), from.size(), to, room, used, made);
    if (result != LIBDEFLATE_BAD_DATA) return result;
    return libdeflate_deflate_decompress_ex(with, from.data(), from.size(), to, room, used, made);
  }
};

Gzip::Gzip() : codecs_(std::make_unique<Codecs>()) {}
Gzip::~Gzip() = default;

std::uint32_t crc32(std::string_view bytes) noexcept {
  return libdeflate_crc32(0, bytes.data(), bytes.size());
}

bool accepts_gzip(std::string_view accept_encoding) noexcept {
  while (!accept_encoding.empty()) {
    const std::size_t comma = accept_encoding.find(',');
    const std::string_view entry = accept_encoding.substr(0, comma);
    const std::size_t semicolon = entry.find(';');
    if (equals_ignoring_case(trim(entry.substr(0, semicolon)), "gzip")) {
      return semicolon == std::string_view::npos || !refused(entry.substr(semicolon + 1));
    }
    if (comma == std::string_view::npos) break;
    accept_encoding.remove_prefix(comma + 1);
  }
  return false;
}

bool Gzip::compress(std::string_view from, base::Buffer& to) {
  to.clear();
  if (!codecs_->compressor) {
    codecs_->compressor.reset(libdeflate_alloc_compressor(kLevel));
    CHECK(codecs_->compressor != nullptr);
  }
  char* const room = to.prepare(from.size());
  const std::size_t size = libdeflate_gzip_compress(codecs_->compressor.get(), from.data(),
                                                    from.size(), room, from.size());
  to.commit(size);
  return size != 0;
}

Gzip::Inflated Gzip::inflate(ContentEncoding encoding, std::string_view from, base::Buffer& to,
                             std::size_t bytes_max, std::size_t padding) {
  to.clear();
  if (!codecs_->decompressor) {
    codecs_->decompressor.reset(libdeflate_alloc_decompressor());
    CHECK(codecs_->decompressor != nullptr);
  }
  // Room is guessed from the compressed size and multiplied until it is enough, because the size
  // that gzip itself states is the sender's claim.
  std::size_t room = std::clamp<std::size_t>(from.size() * 4, 4096, bytes_max + 1);
  do {
    std::size_t used = 0;
    std::size_t made = 0;
    char* const at = to.prepare(room + padding);
    const libdeflate_result result = codecs_->inflate_once(encoding, from, at, room, &used, &made);
    if (result == LIBDEFLATE_INSUFFICIENT_SPACE) {
      if (to.size() + room > bytes_max) return Inflated::too_large;
      room = std::min(room * 4, bytes_max + 1 - to.size());
      continue;
    }
    if (result != LIBDEFLATE_SUCCESS) return Inflated::malformed;
    if (encoding != ContentEncoding::gzip && used != from.size()) return Inflated::malformed;
    to.commit(made);
    if (to.size() > bytes_max) return Inflated::too_large;
    from.remove_prefix(used);
    room = std::min(room, bytes_max + 1 - to.size());
  } while (!from.empty());
  return Inflated::done;
}

}  // namespace stator::net
