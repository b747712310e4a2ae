#pragma once

#include <string>

#include "base/result.h"
#include "design/model.h"

// What the commands of the studio have in common: reading a file, writing a result, stopping with a message.
namespace stator::design {

inline constexpr int kExitFailed = 1;  // the check, proof or comparison did not hold
inline constexpr int kExitUsage = 2;   // the command could not do its work
inline constexpr int kExitImpossible = 3;  // the models are read, and there is no way from one to the other

// Prints `stator design: message` and ends the command.
[[noreturn]] void stop(const std::string& message, int exit_code = kExitUsage);
[[noreturn]] void stop(const Error& error);

// The model, or the end of the command with every problem of the file.
[[nodiscard]] Model model_or_stop(const std::string& path);

// A whole file; "-" is the standard input.
[[nodiscard]] Result<std::string> read_file(const std::string& path);
// To a file, or to the standard output where `path` is empty or "-".
void write_output(const std::string& path, const std::string& text);

}  // namespace stator::design
