#include <fmt/format.h>

#include <chrono>

#include "client/http.h"
#include "trigger/event.h"
#include "trigger/handler.h"

namespace stator::trigger {
namespace {

const std::string kInvokePath = "/2015-03-31/functions/function/invocations";

// Runtime emulators answer 200 whatever happens; an error is known by its body.
bool is_error_body(const Json& body) {
  return body.is_object() && body.contains("errorMessage") && body.contains("errorType");
}

std::string error_text(const Json& body, const std::string& otherwise) {
  if (!body.is_object() || !body.contains("errorMessage") || !body["errorMessage"].is_string()) return otherwise;
  return body["errorMessage"].get<std::string>();
}

class HttpHandler final : public Handler {
 public:
  HttpHandler(client::Url url, std::int64_t timeout_ms)
      : path_(url.path.size() > 1 ? url.path : kInvokePath),
        timeout_(timeout_ms),
        connection_(std::move(url), {.connect_ms = 5'000, .answer_ms = timeout_ms}) {}

  Outcome invoke(const std::string& event) override {
    const bool kept = connection_.kept();
    const auto begin = std::chrono::steady_clock::now();
    if (const Result<void> connected = connection_.connect(); !connected) {
      return {Outcome::Kind::unreachable, connected.error().message, ""};
    }
    Result<client::HttpAnswer> answer = post(event);
    if (!answer) {
      // A server may have closed a connection that was idle: then the function has not seen the event, and is not to
      // blame.
      const bool in_time = std::chrono::steady_clock::now() - begin < timeout_;
      return {kept && in_time ? Outcome::Kind::unreachable : Outcome::Kind::failed, answer.error().message, ""};
    }
    const Json body = Json::parse(answer->body, nullptr, false);
    if (answer->status == 429 || answer->status == 503) {
      return {Outcome::Kind::unreachable, error_text(body, fmt::format("HTTP status {}", answer->status)), ""};
    }
    if (answer->status < 200 || answer->status > 299) {
      return {Outcome::Kind::failed, error_text(body, fmt::format("HTTP status {}", answer->status)), ""};
    }
    const std::string_view function_error = answer->header("x-amz-function-error");
    if (!function_error.empty() || is_error_body(body)) {
      return {Outcome::Kind::failed, error_text(body, std::string(function_error)), ""};
    }
    return {Outcome::Kind::success, "", std::move(answer->body)};
  }

 private:
  Result<client::HttpAnswer> post(const std::string& event) {
    return connection_.post(path_, {{"content-type", "application/json"}, {"x-amz-invocation-type", "RequestResponse"}},
                            event);
  }

  std::string path_;
  std::chrono::milliseconds timeout_;
  client::HttpConnection connection_;
};

}  // namespace

std::unique_ptr<Handler> make_http_handler(client::Url url, std::int64_t timeout_ms) {
  return std::make_unique<HttpHandler>(std::move(url), timeout_ms);
}

}  // namespace stator::trigger
