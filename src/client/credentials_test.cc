#include "client/credentials.h"

#include <gtest/gtest.h>

namespace stator::client {
namespace {

constexpr std::string_view kFile = R"(# a comment
[default]
aws_access_key_id = AKID1
aws_secret_access_key=secret=with=equals
region = eu-west-1

[profile work]
; another comment
aws_access_key_id=AKID2
aws_secret_access_key = two
aws_session_token = token==
s3 =
  max_concurrent_requests = 20

[ third ]
region=us-west-2
)";

TEST(Profile, IsReadFromItsSection) {
  Profile first;
  ASSERT_TRUE(read_profile(kFile, "default", first));
  EXPECT_EQ("AKID1", first.credentials.access_key_id);
  EXPECT_EQ("secret=with=equals", first.credentials.secret_access_key);
  EXPECT_EQ("", first.credentials.session_token);
  EXPECT_EQ("eu-west-1", first.region);

  Profile second;
  ASSERT_TRUE(read_profile(kFile, "work", second));
  EXPECT_EQ("AKID2", second.credentials.access_key_id);
  EXPECT_EQ("two", second.credentials.secret_access_key);
  EXPECT_EQ("token==", second.credentials.session_token);
  EXPECT_EQ("", second.region);

  Profile third;
  ASSERT_TRUE(read_profile(kFile, "third", third));
  EXPECT_EQ("us-west-2", third.region);
}

TEST(Profile, IsMissedWhereThereIsNone) {
  Profile profile;
  EXPECT_FALSE(read_profile(kFile, "profile work", profile));
  EXPECT_FALSE(read_profile(kFile, "other", profile));
  EXPECT_FALSE(read_profile("", "default", profile));
  EXPECT_FALSE(read_profile("[", "default", profile));
  EXPECT_EQ("", profile.region);
}

TEST(Profile, ThatIsNamedButNowhereIsAnError) {
  const Environment nothing = [](const char*) -> std::optional<std::string> { return "/nonexistent"; };
  EXPECT_TRUE(load_profile("default", false, nothing));
  const Result<Profile> profile = load_profile("mine", true, nothing);
  ASSERT_FALSE(profile);
  EXPECT_NE(std::string::npos, profile.error().message.find("'mine'")) << profile.error().message;
}

}  // namespace
}  // namespace stator::client
