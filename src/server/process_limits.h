#pragma once

#include <cstddef>

#include "base/result.h"

namespace stator::server {

// Makes the process one that a closed pipe, a limit of file sizes or a missing standard stream does not end: writes fail instead,
// and no file of the data gets the number of standard error. Called before anything is opened.
void prepare_process();

// How the file descriptors that the process may have are shared out. What connections may take is bounded, so that they never
// keep the store from opening a file.
struct DescriptorPlan {
  std::size_t connections_max = 0;
  int store_files_max = -1;  // -1: there is no need for a bound
};
// Raises the limit of the process to what it may be. The error says that it is too low to serve anybody.
[[nodiscard]] Result<DescriptorPlan> plan_descriptors(std::size_t connections_wanted, unsigned threads);
// The same, of so many descriptors.
[[nodiscard]] Result<DescriptorPlan> plan_descriptors(std::size_t limit, std::size_t connections_wanted, unsigned threads);

}  // namespace stator::server
