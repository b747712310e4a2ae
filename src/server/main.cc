#include <CLI/CLI.hpp>

#include "design/commands/commands.h"
#include "server/serve_command.h"
#include "server/version.h"
#include "simulate/simulate_command.h"
#include "top/command.h"
#include "trigger/command.h"

int main(int argc, char** argv) {
  CLI::App app("Stator: a database that speaks the DynamoDB protocol.\n"
               "Every AWS SDK and the AWS CLI work with it unchanged; point them at its endpoint.",
               "stator");
  app.set_version_flag("--version", stator::server::version_text());
  app.require_subcommand(1);
  stator::server::ServeOptions serve_options;
  stator::server::add_serve_command(app, serve_options);
  stator::design::add_design_command(app);
  stator::simulate::add_simulate_command(app);
  stator::top::add_top_command(app);
  stator::trigger::Options trigger_options;
  const CLI::App* trigger = stator::trigger::add_trigger_command(app, trigger_options);
  app.footer("Start with: stator serve\nHelp on a command: stator serve --help");
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::RuntimeError& ended) {
    return ended.get_exit_code();  // a command that has done its work, or has said why not
  } catch (const CLI::ParseError& error) {
    // One clear line; CLI11's own report would print the help text as well, and not name a command that there is not.
    const std::vector<std::string> unknown = app.remaining();
    if (app.get_subcommands().empty() && !unknown.empty()) {
      std::fprintf(stderr, "stator: there is no command '%s' (see stator --help)\n", unknown.front().c_str());
    } else {
      std::fprintf(stderr, "stator: %s (see stator --help)\n", error.what());
    }
    return 2;
  }
  if (trigger->parsed()) return stator::trigger::run(trigger_options);
  // Every other command has done its work while the line was parsed.
  return app.got_subcommand("serve") ? stator::server::serve(serve_options) : 0;
}
