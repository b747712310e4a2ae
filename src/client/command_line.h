#pragma once

#include "client/options.h"

namespace CLI {
class App;
}

namespace stator::client {

// Adds --endpoint, --region and --profile, which every command that talks to a server takes.
void add_connection_options(CLI::App& app, Options& options);

}  // namespace stator::client
