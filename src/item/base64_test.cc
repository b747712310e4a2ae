#include "item/base64.h"

#include <gtest/gtest.h>

#include <string>

namespace stator::item {
namespace {

std::string encoded(std::string_view bytes) {
  base::Buffer out;
  append_base64(out, bytes);
  return std::string(out.view());
}

TEST(Base64, WritesTheExamplesOfTheStandard) {
  const struct {
    std::string_view bytes, text;
  } cases[] = {{"", ""},
               {"f", "Zg=="},
               {"fo", "Zm8="},
               {"foo", "Zm9v"},
               {"foob", "Zm9vYg=="},
               {"fooba", "Zm9vYmE="},
               {"foobar", "Zm9vYmFy"},
               {"\xfb\xff\xfe", "+//+"}};
  base::Arena arena;
  for (const auto& c : cases) {
    EXPECT_EQ(encoded(c.bytes), c.text);
    EXPECT_EQ(base64_decode(c.text, arena), c.bytes) << c.text;
  }
}

TEST(Base64, ReadsBackEveryByteAtEveryPlace) {
  base::Arena arena;
  for (std::size_t size = 1; size <= 5; ++size) {
    for (std::size_t place = 0; place < size; ++place) {
      for (int byte = 0; byte < 256; ++byte) {
        std::string bytes(size, 'x');
        bytes[place] = static_cast<char>(byte);
        ASSERT_EQ(base64_decode(encoded(bytes), arena), bytes);
      }
    }
  }
}

TEST(Base64, RefusesWhatItWouldNotWrite) {
  base::Arena arena;
  for (const std::string_view text :
       {"Z", "Zg", "Zg=", "Zg==\n", "Zh==", "Zm9=", "====", "Z===", "=g==", "Zg==Zg==", "Zm=v",
        "Zm9-", "Zm9_", " Zm9", "Zm9\xff", "Zm8=Zm9v", "Zm 9"}) {
    EXPECT_EQ(base64_decode(text, arena), std::nullopt) << text;
  }
}

TEST(Base64, AppendsBehindWhatIsThere) {
  base::Buffer out;
  out.append("B:");
  append_base64(out, "foo");
  append_base64(out, "");
  EXPECT_EQ(out.view(), "B:Zm9v");
}

}  // namespace
}  // namespace stator::item
