#include "cloudwatch/webhook.h"

#include <gtest/gtest.h>

namespace stator::cloudwatch {
namespace {

bool allowed(std::string_view list, std::string_view url) {
  const std::optional<WebhookUrl> parsed = WebhookUrl::parse(url);
  return parsed && WebhookTargets::parse(list).value().allows(*parsed);
}

TEST(WebhookUrl, IsTakenApart) {
  const auto url = WebhookUrl::parse("http://Example.com:8080/a/b?c=d#e");
  ASSERT_TRUE(url);
  EXPECT_EQ(url->host, "example.com");
  EXPECT_EQ(url->authority(), "example.com:8080");
  EXPECT_EQ(url->path, "/a/b?c=d");
  EXPECT_EQ(WebhookUrl::parse("http://[::1]?x")->authority(), "[::1]:80");
  EXPECT_EQ(WebhookUrl::parse("http://[::1]?x")->path, "/?x");
}

TEST(WebhookUrl, RefusesWhatIsNone) {
  for (const char* url : {"", "ftp://a", "https://a", "http://", "http://a b", "http://a/\r\nX: y", "http://a/\n", "http://a:0",
                          "http://a:99999", "http://a:80x", "http://user@a/", "http://a/\xc3\xbc", "http://[::1", "http://*",
                          "http://a:80:80/"}) {
    EXPECT_FALSE(WebhookUrl::parse(url)) << url;
  }
}

TEST(WebhookTargets, AreThisMachineUnlessListed) {
  const WebhookTargets usual;
  for (const char* url : {"http://localhost:1/", "http://127.0.0.1/", "http://127.9.9.9:80/x", "http://[::1]:8/"}) {
    EXPECT_TRUE(usual.allows(*WebhookUrl::parse(url))) << url;
  }
  for (const char* url : {"http://10.0.0.1/", "http://127.0.0.1.example.com/", "http://0.0.0.0/", "http://169.254.169.254/",
                          "http://localhost.example/", "http://2130706433/", "http://127.1/", "http://[::ffff:127.0.0.1]/"}) {
    EXPECT_FALSE(usual.allows(*WebhookUrl::parse(url))) << url;
  }
}

TEST(WebhookTargets, AreListed) {
  EXPECT_TRUE(allowed("hooks.example.com,10.0.0.1:8080", "http://HOOKS.example.com:99/"));
  EXPECT_TRUE(allowed("hooks.example.com,10.0.0.1:8080", "http://10.0.0.1:8080/"));
  EXPECT_FALSE(allowed("hooks.example.com,10.0.0.1:8080", "http://10.0.0.1/"));
  EXPECT_FALSE(allowed("hooks.example.com,10.0.0.1:8080", "http://127.0.0.1:8080/"));
  EXPECT_TRUE(allowed("*", "http://anywhere/"));
  EXPECT_TRUE(allowed("*:81,loopback", "http://anywhere:81/"));
  EXPECT_FALSE(allowed("*:81,loopback", "http://anywhere:82/"));
  EXPECT_TRUE(allowed("*:81,loopback", "http://localhost:82/"));
  EXPECT_FALSE(allowed("", "http://localhost/"));
  EXPECT_FALSE(WebhookTargets::parse("a b"));
  EXPECT_FALSE(WebhookTargets::parse("a,,b"));
  EXPECT_FALSE(WebhookTargets::parse("a:b"));
}

}  // namespace
}  // namespace stator::cloudwatch
