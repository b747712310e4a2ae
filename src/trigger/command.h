#pragma once

#include "trigger/options.h"

namespace CLI {
class App;
}

namespace stator::trigger {

// Adds `stator trigger` to the command line.
CLI::App* add_trigger_command(CLI::App& app, Options& options);

// Runs until SIGTERM or SIGINT; the process's exit code is returned.
int run(const Options& options);

}  // namespace stator::trigger
