#include "client/command_line.h"

#include <CLI/CLI.hpp>

namespace stator::client {

void add_connection_options(CLI::App& app, Options& options) {
  app.add_option("--endpoint,--endpoint-url", options.endpoint,
                 "Server to talk to (default: AWS_ENDPOINT_URL, or http://127.0.0.1:8000)")
      ->type_name("URL")
      ->check([](const std::string& text) {
        const Result<Url> url = parse_url(text);
        return url ? std::string() : url.error().message;
      });
  app.add_option("--region", options.region, "Region to sign for (default: AWS_REGION, the profile's, us-east-1)")
      ->type_name("NAME");
  app.add_option(
         "--profile", options.profile,
         "Profile of ~/.aws to take keys and region from (default: AWS_PROFILE, or the keys in the environment)")
      ->type_name("NAME");
}

}  // namespace stator::client
