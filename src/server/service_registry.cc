#include "server/service_registry.h"

#include <fmt/format.h>

#include <cstdio>
#include <optional>
#include <span>

#include "auth/authorization.h"
#include "base/log_text.h"
#include "base/task.h"
#include "service/codecs.h"
#include "service/error.h"

namespace stator::server {
namespace {

enum class Protocol : std::uint8_t { query, json, cbor };

constexpr std::string_view kForm = "application/x-www-form-urlencoded";
constexpr std::string_view kServicePath = "/service/";
constexpr std::string_view kOperationPath = "/operation/";

// One request on its way. The service and its operation may be in the body, in a header or in the path.
struct Route {
  const ServiceEntry* entry = nullptr;
  Protocol protocol = Protocol::json;
  std::string operation;
};

Result<service::Value> decode(Protocol protocol, std::string_view body) {
  switch (protocol) {
    case Protocol::query:
      return service::decode_form(body);
    case Protocol::json:
      return service::decode_json(body);
    case Protocol::cbor:
      return service::decode_cbor(body);
  }
  return service::Value();
}

// Errors that come before the service: what the signature says.
Error authentication_error(const Error& error) {
  const bool absent = error.code == ErrorCode::missing_authentication;
  return service::refuse(absent ? "MissingAuthenticationToken" : "IncompleteSignature",
                         absent ? "MissingAuthenticationTokenException" : "IncompleteSignatureException",
                         error.message.empty() ? "Missing Authentication Token" : error.message, 403)
      .value();
}

// The names of an error that has none in the service's model: a fault of ours.
service::ServiceError fault() { return {"InternalFailure", "InternalFailure", 500}; }

void finish_error(net::Exchange& exchange, const Route& route, const Error& error, std::string_view content_type) {
  const auto* known = dynamic_cast<const service::ServiceError*>(error.detail.get());
  const service::ServiceError unknown = fault();
  const service::ServiceError& named = known != nullptr ? *known : unknown;
  if (known == nullptr) std::fprintf(stderr, "stator: error: %s\n", base::log_text(error).c_str());
  if (route.protocol == Protocol::query) {
    exchange.body().append(service::encode_xml_error(route.entry->xml_namespace, error, exchange.request_id()));
    return exchange.finish(named.status, "text/xml");
  }
  service::Value body = service::Value::structure();
  body.set("__type", route.protocol == Protocol::cbor ? fmt::format("{}#{}", route.entry->model_namespace, named.shape)
                                                      : named.shape);
  body.set("message", error.message);
  // Clients that knew the service by the Query protocol match on its codes.
  exchange.add_header("x-amzn-query-error", fmt::format("{};{}", named.code, named.status < 500 ? "Sender" : "Receiver"));
  if (route.protocol == Protocol::cbor) exchange.add_header("smithy-protocol", "rpc-v2-cbor");
  exchange.body().append(route.protocol == Protocol::cbor ? service::encode_cbor(body) : service::encode_json(body));
  exchange.finish(named.status, content_type);
}

void finish_answer(net::Exchange& exchange, const Route& route, const service::Value& answer,
                   std::string_view content_type) {
  switch (route.protocol) {
    case Protocol::query:
      exchange.body().append(
          service::encode_xml(route.operation, route.entry->xml_namespace, answer, exchange.request_id()));
      break;
    case Protocol::json:
      exchange.body().append(answer.is_null() ? "{}" : service::encode_json(answer));
      break;
    case Protocol::cbor:
      exchange.add_header("smithy-protocol", "rpc-v2-cbor");
      exchange.body().append(service::encode_cbor(answer.is_null() ? service::Value::structure() : answer));
      break;
  }
  exchange.finish(200, content_type);
}

std::string_view answer_type_of(const net::Exchange& exchange, const Route& route) {
  if (route.protocol == Protocol::query) return "text/xml";
  if (route.protocol == Protocol::cbor) return "application/cbor";
  return exchange.request().content_type.starts_with("application/x-amz-json-1.1") ? "application/x-amz-json-1.1"
                                                                                     : "application/x-amz-json-1.0";
}

base::Detached serve(net::Exchange& exchange, Route route, std::string_view account_id) {
  const net::Request& request = exchange.request();
  const std::string_view content_type = answer_type_of(exchange, route);
  const Result<auth::Credential> credential =
      auth::authenticate({request.authorization, request.x_amz_date,
                          request.x_amz_date.empty() ? request.header("date") : "", request.query});
  if (!credential) {
    finish_error(exchange, route, authentication_error(credential.error()), content_type);
    co_return;
  }
  const Result<service::Value> input = decode(route.protocol, request.body);
  if (!input) {
    finish_error(exchange, route, input.error(), content_type);
    co_return;
  }
  const service::Call call{route.operation, *input, credential->region, account_id};
  const Result<service::Value> answer = co_await route.entry->service->call(call);
  if (answer) {
    finish_answer(exchange, route, *answer, content_type);
  } else {
    finish_error(exchange, route, answer.error(), content_type);
  }
}

// prefix.Operation or /service/prefix/operation/Operation
std::string_view operation_in(std::string_view text, std::string_view before, std::string_view prefix,
                              std::string_view between) {
  if (!text.starts_with(before)) return {};
  text.remove_prefix(before.size());
  if (!text.starts_with(prefix)) return {};
  text.remove_prefix(prefix.size());
  return text.starts_with(between) ? text.substr(between.size()) : std::string_view();
}

// The service of a request; nothing where it is none of these.
std::optional<Route> find_route(const net::Request& request, std::span<const ServiceEntry> entries) {
  for (const ServiceEntry& entry : entries) {
    std::string_view operation = operation_in(request.x_amz_target, "", entry.target_prefix, ".");
    Protocol protocol = Protocol::json;
    if (operation.empty()) {
      operation = operation_in(request.path, kServicePath, entry.target_prefix, kOperationPath);
      protocol = Protocol::cbor;
    }
    if (!operation.empty()) return Route{&entry, protocol, std::string(operation)};
  }
  if (!request.content_type.starts_with(kForm)) return std::nullopt;
  service::FormTarget target = service::find_form_target(request.body);
  if (target.action.empty()) return std::nullopt;
  for (const ServiceEntry& entry : entries) {
    if (entry.api_version.empty() || target.version != entry.api_version) continue;
    return Route{&entry, Protocol::query, std::move(target.action)};
  }
  return std::nullopt;
}

}  // namespace

bool ServiceRegistry::handle(net::Exchange& exchange) const {
  std::optional<Route> route = find_route(exchange.request(), entries_);
  if (!route) return false;
  serve(exchange, *std::move(route), account_id_);
  return true;
}

bool ServiceRegistry::turn_away(net::Exchange& exchange, const std::string& message) const {
  const std::optional<Route> route = find_route(exchange.request(), entries_);
  if (!route) return false;
  constexpr const char* kName = "ServiceUnavailable";
  finish_error(exchange, *route, service::refuse(kName, kName, message, 503).value(), answer_type_of(exchange, *route));
  return true;
}

}  // namespace stator::server
