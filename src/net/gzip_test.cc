#include "net/gzip.h"

#include <gtest/gtest.h>
#include <libdeflate.h>

#include <string>
#include <vector>

namespace stator::net {
namespace {

std::string gzip(std::string_view text) {
  Gzip codec;
  base::Buffer out;
  EXPECT_TRUE(codec.compress(ContentEncoding::gzip, text, out));
  return std::string(out.view());
}

TEST(Crc32, IsThatOfGzip) {
  EXPECT_EQ(crc32("123456789"), 0xCBF43926U);
  EXPECT_EQ(crc32(""), 0U);
  EXPECT_EQ(crc32(std::string_view()), 0U);
}

TEST(ChooseEncoding, FollowsTheClient) {
  struct Case {
    std::string_view header;
    ContentEncoding chosen;
  };
  constexpr Case kCases[] = {
      {"", ContentEncoding::identity},
      {"identity", ContentEncoding::identity},
      {"br, x-gzip", ContentEncoding::identity},
      {"gzip", ContentEncoding::gzip},
      {"GZIP , br", ContentEncoding::gzip},
      {"deflate", ContentEncoding::deflate},
      {"gzip, deflate", ContentEncoding::gzip},
      {"deflate, gzip", ContentEncoding::deflate},
      {"gzip;q=0.5, deflate;q=0.8", ContentEncoding::deflate},
      {"gzip;q=0", ContentEncoding::identity},
      {"gzip;q=0, gzip;q=1, gzip;q=0", ContentEncoding::gzip},
      {"br, gzip;q=0.0001", ContentEncoding::gzip},
      {"deflate;q=0.5, gzip;q=0.", ContentEncoding::deflate},
      {"deflate;q=0.5, gzip;q=0.x", ContentEncoding::gzip},
      {"deflate;q=0.5, gzip;q=31", ContentEncoding::gzip},
      {"deflate;q=-0.5, gzip;q=0.2", ContentEncoding::gzip},
      {"deflate;q=0.5, gzip;q=1;q=0.2", ContentEncoding::gzip},
      {"gzip;q =0;q=1", ContentEncoding::gzip},
      {"gzip;nq=0;q=1", ContentEncoding::identity},
      {"gzip; q=0.000, deflate;q=0.001", ContentEncoding::deflate},
      {"gzip;q=1.0, deflate", ContentEncoding::gzip},
      {"*", ContentEncoding::gzip},
      {"*;q=0", ContentEncoding::identity},
      {"*, deflate", ContentEncoding::deflate},
      {"*, gzip;q=0.5", ContentEncoding::deflate},
      {"gzipped, ,;q=1", ContentEncoding::identity},
  };
  for (const Case& tested : kCases) EXPECT_EQ(choose_encoding(tested.header), tested.chosen) << tested.header;
}

TEST(Gzip, GivesBackWhatItCompressed) {
  const std::string text(100'000, 'a');
  Gzip codec;
  base::Buffer out;
  ASSERT_EQ(codec.inflate(ContentEncoding::gzip, gzip(text), out, text.size(), 64),
            Gzip::Inflated::done);
  EXPECT_EQ(out.view(), text);
  EXPECT_GE(out.capacity(), out.size() + 64);
}

TEST(Gzip, LeavesAloneWhatDoesNotShrink) {
  Gzip codec;
  base::Buffer out;
  EXPECT_FALSE(codec.compress(ContentEncoding::gzip, "0123456789abcdef", out));
  EXPECT_TRUE(out.empty());
}

TEST(Gzip, StopsAtTheLimit) {
  const std::string zeros(1'000'000, '\0');
  Gzip codec;
  base::Buffer out;
  const std::string bomb = gzip(zeros);
  EXPECT_EQ(codec.inflate(ContentEncoding::gzip, bomb, out, zeros.size() - 1, 64),
            Gzip::Inflated::too_large);
  EXPECT_EQ(codec.inflate(ContentEncoding::gzip, bomb, out, zeros.size(), 64),
            Gzip::Inflated::done);
  EXPECT_EQ(codec.inflate(ContentEncoding::gzip, bomb + bomb, out, zeros.size(), 64),
            Gzip::Inflated::too_large);
}

TEST(Gzip, TakesSeveralMembers) {
  Gzip codec;
  base::Buffer out;
  const std::string a(2000, 'a');
  const std::string b(3000, 'b');
  ASSERT_EQ(codec.inflate(ContentEncoding::gzip, gzip(a) + gzip(b), out, 10'000, 64),
            Gzip::Inflated::done);
  EXPECT_EQ(out.view(), a + b);
}

TEST(Gzip, RefusesDamagedInput) {
  Gzip codec;
  base::Buffer out;
  std::string zipped = gzip(std::string(5000, 'x'));
  EXPECT_EQ(codec.inflate(ContentEncoding::gzip, zipped + "tail", out, 10'000, 64),
            Gzip::Inflated::malformed);
  EXPECT_EQ(
      codec.inflate(ContentEncoding::gzip, zipped.substr(0, zipped.size() - 1), out, 10'000, 64),
      Gzip::Inflated::malformed);
  zipped[zipped.size() - 6] ^= 1;  // its checksum
  EXPECT_EQ(codec.inflate(ContentEncoding::gzip, zipped, out, 10'000, 64),
            Gzip::Inflated::malformed);
  EXPECT_EQ(codec.inflate(ContentEncoding::gzip, "plain", out, 10'000, 64),
            Gzip::Inflated::malformed);
}

TEST(Gzip, TakesDeflateWithAndWithoutHeader) {
  const std::string text(5000, 'y');
  libdeflate_compressor* compressor = libdeflate_alloc_compressor(6);
  std::vector<char> room(1000);
  Gzip codec;
  base::Buffer out;
  std::size_t size =
      libdeflate_zlib_compress(compressor, text.data(), text.size(), room.data(), room.size());
  EXPECT_EQ(codec.inflate(ContentEncoding::deflate, {room.data(), size}, out, 10'000, 64),
            Gzip::Inflated::done);
  EXPECT_EQ(out.view(), text);
  size =
      libdeflate_deflate_compress(compressor, text.data(), text.size(), room.data(), room.size());
  EXPECT_EQ(codec.inflate(ContentEncoding::deflate, {room.data(), size}, out, 10'000, 64),
            Gzip::Inflated::done);
  EXPECT_EQ(out.view(), text);
  EXPECT_EQ(codec.inflate(ContentEncoding::deflate, {room.data(), size}, out, 4999, 64),
            Gzip::Inflated::too_large);
  libdeflate_free_compressor(compressor);
}

}  // namespace
}  // namespace stator::net
