#pragma once

#include <string>

#include "engine/engine.h"
#include "net/exchange.h"

namespace stator::server {

struct EndpointOptions {
  std::string account_id;
  std::string region;  // of requests that do not tell theirs
};

// Answers HTTP requests with the DynamoDB protocol: checks what comes before the operation (method, content type, JSON,
// target, credentials), runs the operation, writes answer or error. Called by every reactor at once.
class Endpoint final : public net::Handler {
 public:
  Endpoint(engine::Engine& engine, EndpointOptions options)
      : engine_(engine), options_(std::move(options)) {}

  void handle(net::Exchange& exchange) override;

 private:
  engine::Engine& engine_;
  EndpointOptions options_;
};

}  // namespace stator::server
