#include "client/options.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "base/temporary_directory.h"

namespace stator::client {
namespace {

class ResolveTest : public testing::Test {
 protected:
  ResolveTest() {
    std::ofstream(folder_ / "credentials") << "[default]\naws_access_key_id=file\naws_secret_access_key=f\n"
                                           << "[work]\naws_access_key_id=work\naws_secret_access_key=w\n";
    std::ofstream(folder_ / "config") << "[profile work]\nregion=eu-central-1\n";
    variables_["AWS_SHARED_CREDENTIALS_FILE"] = folder_ / "credentials";
    variables_["AWS_CONFIG_FILE"] = folder_ / "config";
  }

  void without_files() {
    variables_["AWS_SHARED_CREDENTIALS_FILE"] = "/nonexistent";
    variables_["AWS_CONFIG_FILE"] = "/nonexistent";
  }
  Result<Options> resolved(const Options& options) {
    return resolve(options, [&](const char* name) -> std::optional<std::string> {
      const auto found = variables_.find(name);
      if (found == variables_.end()) return std::nullopt;
      return found->second;
    });
  }

  const base::TemporaryDirectory temporary_;
  const std::filesystem::path& folder_ = temporary_.path();
  std::map<std::string, std::string> variables_;
};

TEST_F(ResolveTest, NeedsNothingOnLoopback) {
  without_files();
  const Result<Options> options = resolved({});
  ASSERT_TRUE(options) << options.error().message;
  EXPECT_EQ("http://127.0.0.1:8000", options->endpoint);
  EXPECT_EQ("us-east-1", options->region);
  EXPECT_FALSE(options->credentials.access_key_id.empty());
}

TEST_F(ResolveTest, LeavesAloneWhatIsComplete) {
  without_files();
  const Result<Options> once = resolved({});
  ASSERT_TRUE(once);
  const Result<Options> twice = resolved(*once);
  ASSERT_TRUE(twice) << twice.error().message;
  EXPECT_EQ(once->credentials.access_key_id, twice->credentials.access_key_id);
}

TEST_F(ResolveTest, WantsKeysAndRegionElsewhere) {
  without_files();
  Options options;
  options.endpoint = "https://dynamodb.eu-west-1.amazonaws.com";
  EXPECT_FALSE(resolved(options));
  variables_["AWS_ACCESS_KEY_ID"] = "a";
  variables_["AWS_SECRET_ACCESS_KEY"] = "b";
  EXPECT_FALSE(resolved(options));
  variables_["AWS_DEFAULT_REGION"] = "eu-west-1";
  EXPECT_TRUE(resolved(options));
}

TEST_F(ResolveTest, EnvironmentWinsOverTheDefaultProfile) {
  EXPECT_EQ("file", resolved({})->credentials.access_key_id);
  variables_["AWS_ACCESS_KEY_ID"] = "a";
  variables_["AWS_SECRET_ACCESS_KEY"] = "b";
  variables_["AWS_SESSION_TOKEN"] = "c";
  variables_["AWS_ENDPOINT_URL"] = "http://localhost:9000";
  EXPECT_EQ("a", resolved({})->credentials.access_key_id);
  EXPECT_EQ("c", resolved({})->credentials.session_token);
  EXPECT_EQ("http://localhost:9000", resolved({})->endpoint);
  variables_["AWS_ENDPOINT_URL_DYNAMODB"] = "http://localhost:9001";
  EXPECT_EQ("http://localhost:9001", resolved({})->endpoint);
}

TEST_F(ResolveTest, ANamedProfileWinsOverTheEnvironment) {
  variables_["AWS_ACCESS_KEY_ID"] = "a";
  variables_["AWS_SECRET_ACCESS_KEY"] = "b";
  variables_["AWS_REGION"] = "us-west-1";
  Options options;
  options.profile = "work";
  EXPECT_EQ("work", resolved(options)->credentials.access_key_id);
  EXPECT_EQ("eu-central-1", resolved(options)->region);
  options.region = "us-east-2";
  EXPECT_EQ("us-east-2", resolved(options)->region);
  options.profile = "nobody";
  EXPECT_FALSE(resolved(options));
}

}  // namespace
}  // namespace stator::client
