#include "client/client.h"

#include <gtest/gtest.h>

#include "client/scripted_server.h"

namespace stator::client {
namespace {

constexpr std::string_view kTarget = "DynamoDB_20120810.ListTables";

std::unique_ptr<Client> client_of(const ScriptedServer& server, int attempts = 3) {
  Options options;
  options.endpoint = server.url();
  options.region = "eu-west-1";
  options.credentials = {"AKID", "secret", "a-token"};
  options.attempts = attempts;
  Result<std::unique_ptr<Client>> client = Client::create(options);
  EXPECT_TRUE(client);
  return std::move(*client);
}

std::string throttled() { return http_answer(400, R"({"__type":"x#ThrottlingException","message":"slow down"})"); }

TEST(Client, SendsASignedRequestAndReadsTheAnswer) {
  // CRC-32 of {"TableNames":["t"]}
  ScriptedServer server({http_answer(200, R"({"TableNames":["t"]})", "x-amz-crc32: 2143629153\r\n")});
  const Result<Json> answer = client_of(server)->call(kTarget, {{"Limit", 1}});
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ("t", (*answer)["TableNames"][0]);
  const std::string request = server.requests().at(0);
  EXPECT_TRUE(request.starts_with("POST / HTTP/1.1\r\n")) << request;
  EXPECT_TRUE(request.ends_with("\r\n\r\n{\"Limit\":1}")) << request;
  for (const std::string_view part :
       {"x-amz-target: DynamoDB_20120810.ListTables\r\n", "x-amz-security-token: a-token\r\n",
        "content-type: application/x-amz-json-1.0\r\n", "authorization: AWS4-HMAC-SHA256 Credential=AKID/",
        "/eu-west-1/dynamodb/aws4_request, "
        "SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-amz-target, "}) {
    EXPECT_NE(std::string::npos, request.find(part)) << part << " is not in " << request;
  }
}

TEST(Client, GivesTheServersError) {
  ScriptedServer server({http_answer(400, R"({"__type":"x#ResourceNotFoundException","message":"none"})")});
  const Result<Json> answer = client_of(server)->call(kTarget, Json::object());
  ASSERT_FALSE(answer);
  EXPECT_EQ(ErrorCode::table_not_found, answer.error().code);
  EXPECT_EQ("ResourceNotFoundException", wire_code(answer.error()));
  EXPECT_EQ(1u, server.requests().size());
}

TEST(Client, TriesAgainAfterThrottlingServerErrorsAndLostConnections) {
  ScriptedServer server({throttled(), http_answer(500, ""), "", http_answer(200, "{}")});
  EXPECT_TRUE(client_of(server, 4)->call_text(kTarget, "{}"));
  EXPECT_EQ(4u, server.requests().size());
}

TEST(Client, GivesUpAfterTheLastAttempt) {
  ScriptedServer server({throttled(), throttled(), throttled(), http_answer(200, "{}")});
  const Result<std::string> answer = client_of(server, 3)->call_text(kTarget, "{}");
  ASSERT_FALSE(answer);
  EXPECT_EQ("ThrottlingException: slow down", answer.error().message);
  EXPECT_EQ(3u, server.requests().size());
}

TEST(Client, DoesNotTrustADamagedAnswer) {
  ScriptedServer server({http_answer(200, "{\"damaged\":1}", "x-amz-crc32: 1\r\n"), http_answer(200, "{\"whole\":1}")});
  const Result<std::string> answer = client_of(server)->call_text(kTarget, "{}");
  ASSERT_TRUE(answer);
  EXPECT_EQ("{\"whole\":1}", *answer);
}

TEST(Client, OpensANewConnectionWhereTheServerClosesThem) {
  const std::string closing = http_answer(200, "{}", "Connection: close\r\n");
  ScriptedServer server({http_answer(200, "{}"), "", closing, http_answer(200, "{}")});
  const auto client = client_of(server);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(client->call_text(kTarget, "{}")) << i;
  EXPECT_EQ(4u, server.requests().size());
}

TEST(Client, SaysWhereItCouldNotConnect) {
  std::string url;
  {
    ScriptedServer gone({});
    url = gone.url();
  }
  Options options;
  options.endpoint = url;
  options.attempts = 2;
  const Result<Json> answer = (*Client::create(options))->call(kTarget, Json::object());
  ASSERT_FALSE(answer);
  EXPECT_EQ(ErrorCode::unavailable, answer.error().code);
  EXPECT_EQ("cannot connect to " + url.substr(7) + ": Connection refused", answer.error().message);
}

TEST(Client, SaysWhenTheAnswerIsNotJson) {
  ScriptedServer server({http_answer(200, "<html>")});
  const Result<Json> answer = client_of(server)->call(kTarget, Json::object());
  ASSERT_FALSE(answer);
  EXPECT_NE(std::string::npos, answer.error().message.find("is it a DynamoDB endpoint?"));
}

}  // namespace
}  // namespace stator::client
