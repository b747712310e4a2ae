#include "net/gzip.h"

#include <isa-l/crc.h>
#include <libdeflate.h>

#include <algorithm>
#include <charconv>
#include <cmath>

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

// The q of an entry's parameters, 0 to 1. As the service does, takes the first `q=` for it wherever that stands, and a
// value that is no number for one.
double quality(std::string_view parameters) noexcept {
  const std::size_t begin = parameters.find("q=");
  if (begin == std::string_view::npos) return 1;
  std::string_view value = parameters.substr(begin + 2);
  value = trim(value.substr(0, value.find(';')));
  double result = 1;
  const char* const end = value.data() + value.size();
  const auto [stopped, error] = std::from_chars(value.data(), end, result, std::chars_format::fixed);
  if (error != std::errc() || stopped != end || std::isnan(result)) return 1;
  return std::clamp(result, 0.0, 1.0);
}

// What an Accept-Encoding header says of one coding.
struct Preference {
  double quality = 0;
  int rank = 1'000'000;  // place in the header; named ones come before those that `*` allows
};

bool is_better(const Preference& a, const Preference& b) noexcept {
  if (a.quality > b.quality) return true;
  return !(b.quality > a.quality) && a.rank < b.rank;
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
  return crc32_gzip_refl(0, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
}

ContentEncoding choose_encoding(std::string_view accept_encoding) noexcept {
  Preference gzip;
  Preference deflate;
  Preference rest;
  bool has_gzip = false;
  bool has_deflate = false;
  for (int rank = 0; !accept_encoding.empty(); ++rank) {
    const std::size_t comma = accept_encoding.find(',');
    const std::string_view entry = accept_encoding.substr(0, comma);
    const std::size_t semicolon = entry.find(';');
    const std::string_view name = trim(entry.substr(0, semicolon));
    const double q = semicolon == std::string_view::npos ? 1 : quality(entry.substr(semicolon + 1));
    const Preference named = {q, rank};
    if (equals_ignoring_case(name, "gzip")) {
      if (is_better(named, gzip)) gzip = named;
      has_gzip = true;
    } else if (equals_ignoring_case(name, "deflate")) {
      if (is_better(named, deflate)) deflate = named;
      has_deflate = true;
    } else if (name == "*") {
      rest.quality = q;
    }
    if (comma == std::string_view::npos) break;
    accept_encoding.remove_prefix(comma + 1);
  }
  if (!has_gzip) gzip = rest;
  if (!has_deflate) deflate = rest;
  if (gzip.quality <= 0 && deflate.quality <= 0) return ContentEncoding::identity;
  return is_better(deflate, gzip) ? ContentEncoding::deflate : ContentEncoding::gzip;
}

bool Gzip::compress(ContentEncoding encoding, std::string_view from, base::Buffer& to) {
  to.clear();
  if (!codecs_->compressor) {
    codecs_->compressor.reset(libdeflate_alloc_compressor(kLevel));
    CHECK(codecs_->compressor != nullptr);
  }
  char* const room = to.prepare(from.size());
  const auto compress_with =
      encoding == ContentEncoding::gzip ? libdeflate_gzip_compress : libdeflate_zlib_compress;
  const std::size_t size =
      compress_with(codecs_->compressor.get(), from.data(), from.size(), room, from.size());
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
