// Large attributes as gzip: it carries its size and a checksum, and every language can read it.
#include <libdeflate.h>

#include <memory>

#include "stator/model/codec.h"

namespace stator::model {
namespace {

constexpr int kLevel = 6;
constexpr std::size_t kPlainBytesMax = 64 << 20;
constexpr std::string_view kMagic = "\x1f\x8b";
constexpr std::size_t kGzipBytesMin = 18;  // header and trailer

struct FreeCompressor {
  void operator()(libdeflate_compressor* one) const { libdeflate_free_compressor(one); }
};
struct FreeDecompressor {
  void operator()(libdeflate_decompressor* one) const { libdeflate_free_decompressor(one); }
};

std::string gzip(const std::string& plain) {
  const std::unique_ptr<libdeflate_compressor, FreeCompressor> compressor(
      libdeflate_alloc_compressor(kLevel));
  if (!compressor) return {};
  std::string out(libdeflate_gzip_compress_bound(compressor.get(), plain.size()), '\0');
  out.resize(libdeflate_gzip_compress(compressor.get(), plain.data(), plain.size(), out.data(),
                                      out.size()));
  return out;
}

std::optional<std::string> gunzip(const std::string& packed) {
  if (packed.size() < kGzipBytesMin) return std::nullopt;
  // The last four bytes are the size, lowest first.
  std::size_t size = 0;
  for (std::size_t i = 1; i <= 4; ++i)
    size = size << 8 | static_cast<unsigned char>(packed[packed.size() - i]);
  if (size > kPlainBytesMax) return std::nullopt;
  const std::unique_ptr<libdeflate_decompressor, FreeDecompressor> decompressor(
      libdeflate_alloc_decompressor());
  std::string plain(size, '\0');
  std::size_t written = 0;
  if (!decompressor ||
      libdeflate_gzip_decompress(decompressor.get(), packed.data(), packed.size(), plain.data(),
                                 plain.size(), &written) != LIBDEFLATE_SUCCESS)
    return std::nullopt;
  if (written != size) return std::nullopt;
  return plain;
}

}  // namespace

AttributeValue compressed(AttributeValue value, std::size_t from_bytes) {
  const bool text = value.is(AttributeType::string);
  if (!text && !value.is(AttributeType::binary)) return value;
  const std::string& plain = text ? value.as_string() : value.as_binary().bytes;
  // Bytes that look compressed always are, so that a reader cannot mistake them.
  const bool disguised = !text && plain.starts_with(kMagic);
  if (plain.size() < from_bytes && !disguised) return value;
  std::string packed = gzip(plain);
  if (packed.empty() || (packed.size() >= plain.size() && !disguised)) return value;
  return Binary(std::move(packed));
}

std::optional<AttributeValue> decompressed(const AttributeValue& value, bool as_text) {
  if (!value.is(AttributeType::binary)) return value;
  const std::string& bytes = value.as_binary().bytes;
  if (!as_text && !bytes.starts_with(kMagic)) return value;
  std::optional<std::string> plain = gunzip(bytes);
  if (!plain) return std::nullopt;
  if (as_text) return AttributeValue(std::move(*plain));
  return AttributeValue(Binary(std::move(*plain)));
}

}  // namespace stator::model
