#include "server/endpoint.h"

#include <fmt/format.h>

#include <chrono>

#include "api/call.h"
#include "api/errors.h"
#include "api/operations.h"
#include "auth/authorization.h"
#include "base/task.h"
#include "engine/request.h"
#include "server/known_heads.h"
#include "server/outcome.h"
#include "server/request_scope.h"

namespace stator::server {
namespace {

constexpr std::string_view kJson10 = "application/x-amz-json-1.0";
constexpr std::string_view kJson11 = "application/x-amz-json-1.1";
constexpr std::string_view kJson = "application/json";

// The content type of the answer for that of the request; empty where it is none that the service takes.
std::string_view answer_type(std::string_view content_type) {
  std::string_view type = content_type.substr(0, content_type.find(';'));
  while (!type.empty() && (type.back() == ' ' || type.back() == '\t')) type.remove_suffix(1);
  for (const std::string_view known : {kJson10, kJson11, kJson}) {
    if (type == known) return known;
  }
  return {};
}

void finish_error(net::Exchange& exchange, const Error& error, std::string_view content_type,
                  std::string_view arn_prefix = {}) {
  exchange.body().clear();
  const int status = api::write_error(exchange.body(), error, arn_prefix);
  exchange.finish(status, content_type);
}

std::int64_t now_us() {
  using std::chrono::duration_cast;
  return duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// A condition that failed has consumed something all the same.
void count_refusal(metrics::RequestUsage& usage, const Error& error) {
  const auto* failed = dynamic_cast<const engine::ConditionFailedDetail*>(error.detail.get());
  if (failed == nullptr || !failed->table) return;
  usage.consumed(usage.touch({failed->table->id, failed->table->name}), metrics::Units::write, failed->cost);
}

// Tells the meters how a request ended badly.
void count_error(metrics::RequestUsage& usage, const engine::Engine& engine, metrics::Operation operation,
                 api::Json body, const Error& error, int status) {
  const metrics::Outcome outcome = outcome_of(error, status);
  if (outcome != metrics::Outcome::user_error) touch_tables(usage, engine, body);
  count_refusal(usage, error);
  if (error.code == ErrorCode::transaction_canceled) count_cancellation(usage, engine, body, error);
  usage.finish(operation, outcome, 0);
}

Error unreadable() { return {ErrorCode::serialization, ""}; }

// What comes before any operation: in this order, as the service does.
struct Prepared {
  const api::OperationEntry* operation;
  api::Json body;
  std::string_view region;
};
Result<Prepared> prepare(const net::Request& request, std::string_view content_type, const KnownHeads::Meaning* known,
                         RequestScope& scope) {
  Prepared prepared{};
  if (!request.body.empty()) {
    // The connection's buffer has room behind the body, so that it is parsed where it is.
    const auto parsed = scope.parser.parse(request.body.data(), request.body.size(), false);
    if (parsed.error() != simdjson::SUCCESS) return tl::unexpected(unreadable());
    prepared.body = parsed.value_unsafe();
  }
  if (known != nullptr) {
    prepared.operation = known->operation;
    prepared.region = known->region(request);
  } else {
    prepared.operation = api::find_entry(request.x_amz_target);
    if (prepared.operation == nullptr) return tl::unexpected(api::unknown_operation(request.x_amz_target));
    TRY(const auth::Credential credential,
        auth::authenticate({request.authorization, request.x_amz_date,
                            request.x_amz_date.empty() ? request.header("date") : "", request.query}));
    prepared.region = credential.region;
  }
  if (request.body.empty()) return tl::unexpected(unreadable());
  if (!prepared.body.is_object()) {
    if (prepared.body.is_array()) {
      std::string operation(request.x_amz_target.substr(request.x_amz_target.find('.') + 1));
      return fail(ErrorCode::serialization, "Unrecognized collection type class com.amazonaws.dynamodb.v20120810." +
                                                operation + "Input");
    }
    return fail(ErrorCode::serialization, "Unexpected value type in payload");
  }
  // Not before: the content type of a request without a body is not looked at.
  if (known == nullptr) KnownHeads::local().keep(request, *prepared.operation, content_type, prepared.region);
  return prepared;
}

constexpr int kRefreshesMax = 5;

// Where nodes share a store, this one may not have heard yet of a table that another has made or changed: before a table is
// said not to be there, the catalog is looked at, and a write that was planned with an old one (nothing of it was applied)
// is planned again.
base::Task<Result<void>> run_on_shared_store(const api::OperationEntry& entry, api::Call& call) {
  for (int refreshes = 0;; ++refreshes) {
    Result<void> done = co_await entry.operation(call);
    if (done || refreshes == kRefreshesMax) co_return done;
    const bool stale = store::is_outdated(done.error());
    if (!stale && done.error().code != ErrorCode::table_not_found) co_return done;
    const Result<bool> refreshed = co_await call.engine.catalog.refresh();
    if (!refreshed || (!stale && !*refreshed)) co_return done;
    call.out.clear();
  }
}

base::Task<Result<void>> run(const api::OperationEntry& entry, api::Call& call) {
  return call.engine.store.shared() ? run_on_shared_store(entry, call) : entry.operation(call);
}

base::Detached serve(net::Exchange& exchange, engine::Engine& engine, const EndpointOptions& options,
                     std::string_view content_type, const KnownHeads::Meaning* known) {
  std::unique_ptr<RequestScope> scope = RequestScope::take();
  metrics::RequestUsage* usage = options.metrics != nullptr ? &scope->usage : nullptr;
  const std::int64_t begun_us = usage != nullptr ? now_us() : 0;
  if (usage != nullptr) usage->begin(options.metrics->local());
  const Result<Prepared> prepared = prepare(exchange.request(), content_type, known, *scope);
  if (!prepared) {
    finish_error(exchange, prepared.error(), content_type);
    if (usage != nullptr) usage->finish(metrics::Operation::none, metrics::Outcome::user_error, 0);
  } else {
    api::Call call{engine,        prepared->body,
                   exchange.body(), scope->arena,
                   prepared->region, options.account_id,
                   exchange.request().host, usage, options.insights, options.validation};
    const Result<void> done = co_await run(*prepared->operation, call);
    const metrics::Operation operation = prepared->operation->metric;
    const std::int64_t latency_us = usage != nullptr ? now_us() - begun_us : 0;
    // Counted first: the body is the connection's, and gone when the answer is out.
    if (usage != nullptr && done) usage->finish(operation, metrics::Outcome::success, latency_us);
    if (usage != nullptr && !done) {
      count_error(*usage, engine, operation, prepared->body, done.error(), api::error_status(done.error()));
    }
    if (options.slow_log != nullptr && options.slow_log->is_slow(latency_us)) [[unlikely]] {
      options.slow_log->add(prepared->operation->name, prepared->body, *usage, latency_us,
                            done ? std::string_view() : api::error_name(done.error()));
    }
    if (done) {
      exchange.finish(200, content_type);
    } else {
      const std::string arn_prefix =
          fmt::format("arn:aws:dynamodb:{}:{}:", prepared->region, options.account_id);
      finish_error(exchange, done.error(), content_type, arn_prefix);
    }
  }
  RequestScope::give_back(std::move(scope));
}

// What is asked with GET: the pages of the server itself, and the service's own health check everywhere else.
void answer_page(net::Exchange& exchange, const EndpointOptions& options) {
  const std::string_view path = exchange.request().path;
  if (path == "/healthz") {
    exchange.body().append("ok\n");
    return exchange.finish(200, "text/plain");
  }
  if (path == "/metrics" && options.prometheus_text) {
    exchange.body().append(options.prometheus_text());
    return exchange.finish(200, "text/plain; version=0.0.4; charset=utf-8");
  }
  exchange.body().append("healthy: dynamodb.");
  exchange.body().append(options.region);
  exchange.body().append(".amazonaws.com ");
  exchange.finish(200, "text/plain");
}

}  // namespace

void Endpoint::handle(net::Exchange& exchange) {
  const net::Request& request = exchange.request();
  if (const KnownHeads::Meaning* known = KnownHeads::local().find(request); known != nullptr) {
    serve(exchange, engine_, options_, known->content_type, known);
    return;
  }
  if (request.method == "GET" || request.method == "HEAD") return answer_page(exchange, options_);
  // Requests of DynamoDB go on at once; all others are few.
  if (options_.services != nullptr && !request.x_amz_target.starts_with("DynamoDB") && options_.services->handle(exchange)) {
    return;
  }
  // The type of a body that is not there does not matter.
  std::string_view content_type = answer_type(request.content_type);
  if (content_type.empty() && request.body.empty()) content_type = kJson;
  if (request.method != "POST" || content_type.empty()) {
    exchange.body().append("<UnknownOperationException/>\n");
    return exchange.finish(404, "application/xml");
  }
  serve(exchange, engine_, options_, content_type, nullptr);
}

}  // namespace stator::server
