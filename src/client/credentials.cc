#include "client/credentials.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace stator::client {
namespace {

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r";
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

// "[profile  name]" and "[name]" both give "name".
std::string_view section_name(std::string_view line) {
  const std::size_t end = line.find(']');
  std::string_view name = trim(line.substr(1, end == std::string_view::npos ? end : end - 1));
  constexpr std::string_view kProfile = "profile";
  if (name.starts_with(kProfile) && name.size() > kProfile.size() &&
      (name[kProfile.size()] == ' ' || name[kProfile.size()] == '\t')) {
    name = trim(name.substr(kProfile.size()));
  }
  return name;
}

void take_member(std::string_view name, std::string_view value, Profile& profile) {
  if (name == "aws_access_key_id") profile.credentials.access_key_id = value;
  if (name == "aws_secret_access_key") profile.credentials.secret_access_key = value;
  if (name == "aws_session_token") profile.credentials.session_token = value;
  if (name == "region") profile.region = value;
}

std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string file_path(const Environment& environment, const char* variable, const char* name) {
  if (const auto path = environment(variable)) return *path;
  return environment("HOME").value_or("") + "/.aws/" + name;
}

}  // namespace

std::optional<std::string> process_environment(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

bool read_profile(std::string_view text, std::string_view name, Profile& profile) {
  bool inside = false;
  bool found = false;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = trim(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (line.empty() || line.front() == '#' || line.front() == ';') continue;
    if (line.front() == '[') {
      inside = section_name(line) == name;
      found = found || inside;
      continue;
    }
    const std::size_t equals = line.find('=');
    if (!inside || equals == std::string_view::npos) continue;
    take_member(trim(line.substr(0, equals)), trim(line.substr(equals + 1)), profile);
  }
  return found;
}

Result<Profile> load_profile(const std::string& name, bool required, const Environment& environment) {
  const std::string config = file_path(environment, "AWS_CONFIG_FILE", "config");
  const std::string credentials = file_path(environment, "AWS_SHARED_CREDENTIALS_FILE", "credentials");
  Profile profile;
  // Keys in the credentials file win over keys in the config file, as in the SDKs.
  const bool in_config = read_profile(file_text(config), name, profile);
  const bool in_credentials = read_profile(file_text(credentials), name, profile);
  if (required && !in_config && !in_credentials) {
    return invalid(fmt::format("there is no profile '{}' in {} or {}", name, credentials, config));
  }
  return profile;
}

}  // namespace stator::client
