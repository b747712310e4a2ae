#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "client/url.h"

namespace stator::trigger {

// How one invocation ended.
struct Outcome {
  enum class Kind {
    success,
    failed,       // the function ran and failed, or took too long
    unreachable,  // the function did not run: no connection, throttled
  };
  Kind kind = Kind::success;
  std::string message;   // of a failure, for people
  std::string response;  // of a success: what the function returned, as JSON text
};

// Gives events to a function. One thread at a time.
class Handler {
 public:
  virtual ~Handler() = default;
  // `event` is the JSON of a Lambda event. Returns within the handler's time-out, more or less.
  [[nodiscard]] virtual Outcome invoke(const std::string& event) = 0;
};
using MakeHandler = std::function<std::unique_ptr<Handler>()>;

struct ProgramOptions {
  std::string command;  // for /bin/sh
  std::int64_t timeout_ms = 60'000;
  bool read_response = false;            // take stdout as the response; otherwise it goes where stderr goes
  std::vector<std::string> environment;  // "NAME=value", in addition to ours
};
// Runs a program for each event, with the event on stdin. Exit code 0 is success.
[[nodiscard]] std::unique_ptr<Handler> make_program_handler(ProgramOptions options);

// Posts events to the address, as the Lambda service and its runtime emulators take them. A path of "/" stands for that
// of the Invoke operation.
[[nodiscard]] std::unique_ptr<Handler> make_http_handler(client::Url url, std::int64_t timeout_ms);

}  // namespace stator::trigger
