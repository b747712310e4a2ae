#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace stator::base {

// Text from outside (a request, a disk, another host) as part of one line of the log: everything but printable ASCII becomes an
// escape, so that nobody can begin a line of his own or send codes to a terminal; what is long is cut.
[[nodiscard]] std::string log_text(std::string_view text);
// All that is known of an error, also what no answer shows.
[[nodiscard]] std::string log_text(const Error& error);

}  // namespace stator::base
