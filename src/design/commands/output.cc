#include "design/commands/output.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>

#include "design/load.h"

namespace stator::design {

void stop(const std::string& message, int exit_code) {
  std::fprintf(stderr, "stator design: %s\n", message.c_str());
  throw CLI::RuntimeError(exit_code);
}

void stop(const Error& error) { stop(error.message); }

Model model_or_stop(const std::string& path) {
  auto model = load_model(path);
  if (!model) {
    std::fprintf(stderr, "%s\n", model.error().message.c_str());
    throw CLI::RuntimeError(kExitUsage);
  }
  return std::move(*model);
}

Result<std::string> read_file(const std::string& path) {
  std::stringstream text;
  if (path == "-") {
    text << std::cin.rdbuf();
    return text.str();
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) return invalid(fmt::format("{}: cannot be read", path));
  text << file.rdbuf();
  return text.str();
}

void write_output(const std::string& path, const std::string& text) {
  if (path.empty() || path == "-") {
    std::fwrite(text.data(), 1, text.size(), stdout);
    return;
  }
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) stop(fmt::format("{}: cannot be written", path));
}

}  // namespace stator::design
