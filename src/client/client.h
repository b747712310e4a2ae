#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <string_view>

#include "base/result.h"
#include "client/options.h"
#include "client/signature.h"

// A blocking client of any endpoint that speaks the DynamoDB protocol, for command-line tools.
namespace stator::client {

using Json = nlohmann::json;

// What an error of a call carries (Error::detail). Its Error::message is "Code: message", ready to be shown.
struct CallFailure final : ErrorDetail {
  int status = 0;       // of HTTP; 0 where no answer came, and whether the request was carried out is unknown
  std::string code;     // such as "ResourceNotFoundException"; empty where no answer came
  std::string message;  // the service's text
  Json body;            // of the answer, for what else it says (CancellationReasons, Item); null where it is not JSON
};

// Null where the error did not come from a call.
[[nodiscard]] const CallFailure* failure_of(const Error& error);
// The wire code of a failed call, or empty.
[[nodiscard]] std::string_view wire_code(const Error& error);

// Keeps one connection. One thread at a time; several Clients may be used side by side.
class Client {
 public:
  // Fills in what `options` leaves open (`resolve`). Connects at the first call.
  [[nodiscard]] static Result<std::unique_ptr<Client>> create(const Options& options);

  // Sends `request` to an operation ("DynamoDB_20120810.GetItem", "DynamoDBStreams_20120810.GetRecords"). Throttling,
  // server errors and lost connections are tried again after a wait that grows, whatever the operation: like the SDKs,
  // it can carry out a write twice whose answer was lost.
  [[nodiscard]] Result<Json> call(std::string_view target, const Json& request);

  // The same with the texts of request and answer: nothing is parsed.
  [[nodiscard]] Result<std::string> call_text(std::string_view target, std::string_view request);

  // With everything filled in.
  [[nodiscard]] const Options& options() const { return options_; }

 private:
  Client(Options options, Url url);

  [[nodiscard]] Result<std::string> attempt(std::string_view target, std::string_view request);
  void wait_before_attempt(int number);

  Options options_;
  Url url_;
  Signer signer_;
  HttpConnection connection_;
  std::minstd_rand random_;
};

}  // namespace stator::client
