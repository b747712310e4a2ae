#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "service/value.h"

// The protocols of AWS services: what a request says and how an answer is put. Decoders refuse what is malformed, no UTF-8, too
// deep or of too many values with a ServiceError, in time that grows with the size of the body alone; encoders cannot fail.
namespace stator::service {

// AWS Query: a form in the body, XML in the answer. The form's Action and Version stay among the members.
[[nodiscard]] Result<Value> decode_form(std::string_view body);
// Which operation a form asks for, without taking the rest of it apart; empty where it does not say.
struct FormTarget {
  std::string action;
  std::string version;
};
[[nodiscard]] FormTarget find_form_target(std::string_view body);
// <OperationResponse><OperationResult>...; `answer` null: no Result.
[[nodiscard]] std::string encode_xml(std::string_view operation, std::string_view xml_namespace, const Value& answer,
                                     std::string_view request_id);
[[nodiscard]] std::string encode_xml_error(std::string_view xml_namespace, const Error& error,
                                           std::string_view request_id);

// AWS JSON 1.0 and 1.1.
[[nodiscard]] Result<Value> decode_json(std::string_view body);
[[nodiscard]] std::string encode_json(const Value& value);

// Smithy RPC v2 CBOR.
[[nodiscard]] Result<Value> decode_cbor(std::string_view body);
[[nodiscard]] std::string encode_cbor(const Value& value);

}  // namespace stator::service
