#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace stator::client {

struct Credentials {
  std::string access_key_id;
  std::string secret_access_key;
  std::string session_token;  // empty: long-term keys
};

// What one profile of the AWS configuration files says; members that it leaves out are empty.
struct Profile {
  Credentials credentials;
  std::string region;
};

// Looks up an environment variable; nothing where it is unset or empty. Injected for tests.
using Environment = std::function<std::optional<std::string>(const char* name)>;
[[nodiscard]] std::optional<std::string> process_environment(const char* name);

// Reads the members of profile `name` out of the text of a credentials file or a config file (where sections are called
// "profile name") into `profile`. Whether the section exists is returned.
bool read_profile(std::string_view text, std::string_view name, Profile& profile);

// The profile from ~/.aws/credentials and ~/.aws/config, or where AWS_SHARED_CREDENTIALS_FILE and AWS_CONFIG_FILE
// point. Files that do not exist are empty. An error where neither file knows a profile that is `required`.
[[nodiscard]] Result<Profile> load_profile(const std::string& name, bool required, const Environment& environment);

}  // namespace stator::client
