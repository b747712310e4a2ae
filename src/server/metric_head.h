#pragma once

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <string_view>

namespace stator::server {

// What stands before the samples of a metric in the text for Prometheus.
inline void append_head(std::string& out, std::string_view name, std::string_view type, std::string_view help) {
  fmt::format_to(std::back_inserter(out), "# HELP {0} {1}\n# TYPE {0} {2}\n", name, help, type);
}

}  // namespace stator::server
