#include "net/response.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "net/exchange.h"
#include "net/request_id.h"

namespace stator::net {
namespace {

TEST(DateLine, FormatsAsHttpWantsIt) {
  DateLine date;
  date.update(784111777);
  EXPECT_EQ(date.view(), "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n");
  date.update(1709210096);  // a leap day
  EXPECT_EQ(date.view(), "Date: Thu, 29 Feb 2024 12:34:56 GMT\r\n");
}

TEST(ResponseHead, HasAllLinesOfAnAnswer) {
  DateLine date;
  date.update(784111777);
  base::Buffer out;
  append_head(out, {.status = 200,
                    .content_type = "application/json",
                    .request_id = "ID",
                    .date_line = date.view(),
                    .extra_headers = "A: b\r\n",
                    .body_size = 12,
                    .body_crc32 = 4294967295U});
  EXPECT_EQ(out.view(),
            "HTTP/1.1 200 OK\r\nServer: Server\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
            "Content-Type: application/json\r\nContent-Length: 12\r\nx-amzn-RequestId: ID\r\n"
            "x-amz-crc32: 4294967295\r\nA: b\r\n\r\n");
}

TEST(ResponseHead, SaysWhatIsSpecial) {
  base::Buffer out;
  append_head(out, {.status = 431, .persistence = Persistence::close, .content_encoding = "gzip", .cors = true});
  const std::string text(out.view());
  EXPECT_TRUE(text.starts_with("HTTP/1.1 431 Request Header Fields Too Large\r\n")) << text;
  EXPECT_NE(text.find("Connection: close\r\n"), std::string::npos);
  EXPECT_NE(text.find("Content-Encoding: gzip\r\n"), std::string::npos);
  EXPECT_NE(text.find("Access-Control-Allow-Origin: *\r\n"), std::string::npos);
  EXPECT_EQ(text.find("Content-Type"), std::string::npos);
}

TEST(RequestIds, AreDistinctAndOfTheRightShape) {
  RequestIds ids;
  RequestIds others;
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    for (RequestIds* each : {&ids, &others}) {
      std::string id(Exchange::kRequestIdSize, ' ');
      each->write(id.data());
      EXPECT_EQ(id.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"), std::string::npos);
      EXPECT_TRUE(seen.insert(id).second);
    }
  }
}

}  // namespace
}  // namespace stator::net
