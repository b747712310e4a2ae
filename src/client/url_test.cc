#include "client/url.h"

#include <gtest/gtest.h>

namespace stator::client {
namespace {

TEST(Url, TakesAddressesApart) {
  struct Case {
    std::string_view text;
    bool tls;
    std::string_view host, port, path, header;
  };
  constexpr Case kCases[] = {
      {"http://127.0.0.1:8000", false, "127.0.0.1", "8000", "/", "127.0.0.1:8000"},
      {"http://localhost", false, "localhost", "80", "/", "localhost"},
      {"http://localhost:443", false, "localhost", "443", "/", "localhost:443"},
      {"https://dynamodb.eu-west-1.amazonaws.com", true, "dynamodb.eu-west-1.amazonaws.com", "443", "/",
       "dynamodb.eu-west-1.amazonaws.com"},
      {"https://host:443/a/b?c=d", true, "host", "443", "/a/b?c=d", "host"},
      {"http://host?c=d", false, "host", "80", "/?c=d", "host"},
      {"http://[::1]:8000/x", false, "::1", "8000", "/x", "[::1]:8000"},
      {"http://[fe80::1]", false, "fe80::1", "80", "/", "[fe80::1]"},
  };
  for (const Case& one : kCases) {
    const Result<Url> url = parse_url(one.text);
    ASSERT_TRUE(url) << one.text;
    EXPECT_EQ(one.tls, url->tls) << one.text;
    EXPECT_EQ(one.host, url->host) << one.text;
    EXPECT_EQ(one.port, url->port) << one.text;
    EXPECT_EQ(one.path, url->path) << one.text;
    EXPECT_EQ(one.header, url->host_header()) << one.text;
  }
}

TEST(Url, RefusesWhatIsNone) {
  for (const std::string_view text : {"", "localhost:8000", "ftp://host", "http://", "http://:80", "http://host:",
                                      "http://host:0", "http://host:65536", "http://host:8o", "http://[::1",
                                      "http://[::1]8000", "http://user@host", "http://ho st", "http://host/\r\nX: y"}) {
    EXPECT_FALSE(parse_url(text)) << text;
  }
}

TEST(Url, KnowsLoopback) {
  EXPECT_TRUE(parse_url("http://localhost:1")->loopback());
  EXPECT_TRUE(parse_url("http://127.3.2.1:1")->loopback());
  EXPECT_TRUE(parse_url("http://[::1]:1")->loopback());
  EXPECT_FALSE(parse_url("http://10.0.0.1:1")->loopback());
  EXPECT_FALSE(parse_url("http://localhost.example.com")->loopback());
}

}  // namespace
}  // namespace stator::client
