#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace stator::cloudwatch {

// An http:// address taken apart.
struct WebhookUrl {
  std::string host;  // without the brackets of an IPv6 address
  std::string port = "80";
  std::string path = "/";  // with the query

  // Nothing where it is none: another scheme, a user, a control character, a space, a port that is no number.
  [[nodiscard]] static std::optional<WebhookUrl> parse(std::string_view url);
  // host:port as a request's Host header has it.
  [[nodiscard]] std::string authority() const;
};

// The receivers that alarm actions may be sent to: clients name them, so the operator says which hosts this server may talk to.
class WebhookTargets {
 public:
  // This machine alone.
  WebhookTargets();
  // A list with commas: host, host:port, [address]:port, loopback or loopback:port (localhost, 127.0.0.0/8 and ::1), * or *:port (any).
  [[nodiscard]] static Result<WebhookTargets> parse(std::string_view list);

  [[nodiscard]] bool allows(const WebhookUrl& url) const;

 private:
  struct Target {
    std::string host;
    std::string port;  // empty: any
  };
  explicit WebhookTargets(std::vector<Target> targets) : targets_(std::move(targets)) {}
  std::vector<Target> targets_;
};

}  // namespace stator::cloudwatch
