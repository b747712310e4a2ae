#pragma once

namespace CLI {
class App;
}

namespace stator::simulate {

// Adds `stator simulate` to the command line. The command runs in its callback and ends by CLI::RuntimeError where
// its exit code is not 0: 1 for --strict with throttles, 2 for what it could not do.
void add_simulate_command(CLI::App& app);

}  // namespace stator::simulate
