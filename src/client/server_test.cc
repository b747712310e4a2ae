// The client against a server process of this build.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "client/client.h"

namespace stator::client {
namespace {

class ServerProcess {
 public:
  ServerProcess() {
    int ends[2];
    EXPECT_EQ(0, pipe2(ends, O_CLOEXEC));
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    std::string arguments[] = {STATOR_BINARY, "serve", "--port", "0", "--in-memory"};
    char* argv[] = {arguments[0].data(), arguments[1].data(), arguments[2].data(),
                    arguments[3].data(), arguments[4].data(), nullptr};
    EXPECT_EQ(0, posix_spawn(&process_, argv[0], &actions, nullptr, argv, environ));
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    char c = 0;
    while (read(ends[0], &c, 1) == 1 && c != '\n') line_ += c;
    close(ends[0]);
  }
  ~ServerProcess() {
    kill(process_, SIGTERM);
    waitpid(process_, nullptr, 0);
  }
  // "stator is ready on http://127.0.0.1:4711 (data in memory, lost at exit)"
  [[nodiscard]] std::string url() const {
    const std::size_t begin = line_.find("http://");
    return begin == std::string::npos ? line_ : line_.substr(begin, line_.find(' ', begin) - begin);
  }

 private:
  pid_t process_ = 0;
  std::string line_;
};

TEST(ClientWithServer, WritesAndReads) {
  const ServerProcess server;
  Options options;
  options.endpoint = server.url();
  Result<std::unique_ptr<Client>> client = Client::create(options);
  ASSERT_TRUE(client) << client.error().message;
  const auto call = [&](const std::string& name, const std::string& request) {
    return (*client)->call("DynamoDB_20120810." + name, Json::parse(request));
  };
  const Result<Json> created = call("CreateTable", R"({"TableName":"table","BillingMode":"PAY_PER_REQUEST",
      "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
      "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}]})");
  ASSERT_TRUE(created) << created.error().message;
  const Result<Json> put = call("PutItem", R"({"TableName":"table","Item":{"pk":{"S":"caf\u00e9"},"n":{"N":"1.50"}}})");
  ASSERT_TRUE(put) << put.error().message;
  const Result<Json> got = call("GetItem", R"({"TableName":"table","Key":{"pk":{"S":"caf\u00e9"}}})");
  ASSERT_TRUE(got) << got.error().message;
  EXPECT_EQ("1.5", (*got)["Item"]["n"]["N"]);

  const Result<Json> refused = call("PutItem", R"json({"TableName":"table","Item":{"pk":{"S":"caf\u00e9"}},
      "ConditionExpression":"attribute_not_exists(pk)","ReturnValuesOnConditionCheckFailure":"ALL_OLD"})json");
  ASSERT_FALSE(refused);
  EXPECT_EQ("ConditionalCheckFailedException", wire_code(refused.error()));
  EXPECT_EQ("1.5", failure_of(refused.error())->body["Item"]["n"]["N"]);
  const Result<Json> nowhere = call("GetItem", R"({"TableName":"other","Key":{"pk":{"S":"a"}}})");
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(ErrorCode::table_not_found, nowhere.error().code);
}

}  // namespace
}  // namespace stator::client
