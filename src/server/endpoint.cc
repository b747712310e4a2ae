#include "server/endpoint.h"

#include "api/call.h"
#include "api/errors.h"
#include "api/operations.h"
#include "auth/authorization.h"
#include "base/task.h"
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

void finish_error(net::Exchange& exchange, const Error& error, std::string_view content_type) {
  exchange.body().clear();
  const int status = api::write_error(exchange.body(), error);
  exchange.finish(status, content_type);
}

Error unreadable() { return {ErrorCode::serialization, ""}; }

// What comes before any operation: in this order, as the service does.
struct Prepared {
  api::Operation operation;
  api::Json body;
  auth::Credential credential;
};
Result<Prepared> prepare(const net::Request& request, RequestScope& scope) {
  Prepared prepared{};
  if (!request.body.empty()) {
    // The connection's buffer has room behind the body, so that it is parsed where it is.
    const auto parsed = scope.parser.parse(request.body.data(), request.body.size(), false);
    if (parsed.error() != simdjson::SUCCESS) return tl::unexpected(unreadable());
    prepared.body = parsed.value_unsafe();
  }
  prepared.operation = api::find_operation(request.x_amz_target);
  if (prepared.operation == nullptr) return fail(ErrorCode::unknown_operation, "");
  TRY(prepared.credential, auth::authenticate({request.authorization, request.x_amz_date,
                                               request.x_amz_date.empty() ? request.header("date") : "",
                                               request.query}));
  if (request.body.empty()) return tl::unexpected(unreadable());
  if (!prepared.body.is_object()) {
    if (prepared.body.is_array()) {
      std::string operation(request.x_amz_target.substr(request.x_amz_target.find('.') + 1));
      return fail(ErrorCode::serialization, "Unrecognized collection type class com.amazonaws.dynamodb.v20120810." +
                                                operation + "Input");
    }
    return fail(ErrorCode::serialization, "Unexpected value type in payload");
  }
  return prepared;
}

base::Detached serve(net::Exchange& exchange, engine::Engine& engine, std::string_view account_id,
                     std::string_view content_type) {
  std::unique_ptr<RequestScope> scope = RequestScope::take();
  const Result<Prepared> prepared = prepare(exchange.request(), *scope);
  if (!prepared) {
    finish_error(exchange, prepared.error(), content_type);
  } else {
    api::Call call{engine,        prepared->body,
                   exchange.body(), scope->arena,
                   prepared->credential.region, account_id,
                   exchange.request().host};
    const Result<void> done = co_await prepared->operation(call);
    if (done) {
      exchange.finish(200, content_type);
    } else {
      finish_error(exchange, done.error(), content_type);
    }
  }
  RequestScope::give_back(std::move(scope));
}

void answer_health(net::Exchange& exchange, std::string_view region) {
  exchange.body().append("healthy: dynamodb.");
  exchange.body().append(region);
  exchange.body().append(".amazonaws.com ");
  exchange.finish(200, "text/plain");
}

}  // namespace

void Endpoint::handle(net::Exchange& exchange) {
  const net::Request& request = exchange.request();
  if (request.method == "GET" || request.method == "HEAD") return answer_health(exchange, options_.region);
  // The type of a body that is not there does not matter.
  std::string_view content_type = answer_type(request.content_type);
  if (content_type.empty() && request.body.empty()) content_type = kJson;
  if (request.method != "POST" || content_type.empty()) {
    exchange.body().append("<UnknownOperationException/>\n");
    return exchange.finish(404, "application/xml");
  }
  serve(exchange, engine_, options_.account_id, content_type);
}

}  // namespace stator::server
