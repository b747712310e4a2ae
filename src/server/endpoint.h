#pragma once

#include <functional>
#include <string>

#include "engine/engine.h"
#include "expr/expression.h"
#include "insights/insights.h"
#include "metrics/recorder.h"
#include "net/exchange.h"
#include "server/service_registry.h"
#include "server/slow_log.h"

namespace stator::server {

struct EndpointOptions {
  std::string account_id;
  std::string region;  // of requests that do not tell theirs
  metrics::Hub* metrics = nullptr;                         // null: nothing is counted
  insights::Insights* insights = nullptr;                  // null: there are none
  const ServiceRegistry* services = nullptr;               // null: DynamoDB alone
  expr::Layer validation = expr::Layer::current;           // which of the service's layers words the faults of requests
  SlowLog* slow_log = nullptr;                             // null: there is none
  std::function<std::string()> prometheus_text = nullptr;  // what /metrics answers
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
