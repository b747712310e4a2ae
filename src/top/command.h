#pragma once

namespace CLI {
class App;
}

namespace stator::top {

// Adds `stator top` to the command line; it runs while the line is parsed.
void add_top_command(CLI::App& app);

}  // namespace stator::top
