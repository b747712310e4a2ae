#include "client/options.h"

#include <fmt/format.h>

namespace stator::client {
namespace {

std::string endpoint_from(const Environment& environment) {
  if (const auto own = environment("AWS_ENDPOINT_URL_DYNAMODB")) return *own;
  return environment("AWS_ENDPOINT_URL").value_or("http://127.0.0.1:8000");
}

Credentials keys_from(const Environment& environment) {
  return {environment("AWS_ACCESS_KEY_ID").value_or(""), environment("AWS_SECRET_ACCESS_KEY").value_or(""),
          environment("AWS_SESSION_TOKEN").value_or("")};
}

bool complete(const Credentials& keys) { return !keys.access_key_id.empty() && !keys.secret_access_key.empty(); }

}  // namespace

Result<Options> resolve(Options options, const Environment& environment) {
  if (options.endpoint.empty()) options.endpoint = endpoint_from(environment);
  TRY(const Url url, parse_url(options.endpoint));
  const bool named = !options.profile.empty();
  const std::string name = named ? options.profile : environment("AWS_PROFILE").value_or("default");
  TRY(const Profile profile, load_profile(name, named, environment));

  if (!complete(options.credentials) && !named) options.credentials = keys_from(environment);
  if (!complete(options.credentials)) options.credentials = profile.credentials;
  if (!complete(options.credentials)) {
    // A server on this machine takes any keys; nobody should have to invent some.
    if (!url.loopback()) {
      return invalid(fmt::format(
          "no credentials for {}: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a profile with --profile",
          options.endpoint));
    }
    options.credentials = {"stator", "stator", ""};
  }

  if (options.region.empty() && named) options.region = profile.region;
  if (options.region.empty()) options.region = environment("AWS_REGION").value_or("");
  if (options.region.empty()) options.region = environment("AWS_DEFAULT_REGION").value_or(profile.region);
  if (options.region.empty()) {
    if (!url.loopback()) {
      return invalid(fmt::format("no region for {}: set AWS_REGION or give --region", options.endpoint));
    }
    options.region = "us-east-1";
  }
  return options;
}

}  // namespace stator::client
