#include "auth/authorization.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace stator::auth {
namespace {

constexpr std::string_view kAlgorithm = "AWS4-HMAC-SHA256";

struct Parameters {
  std::string_view credential;
  std::string_view signature;
  std::string_view signed_headers;
};

// Credential=..., SignedHeaders=..., Signature=...; between them commas, blanks or both.
Parameters parse_parameters(std::string_view text) {
  Parameters result;
  for (;;) {
    while (!text.empty() && (text.front() == ' ' || text.front() == ',')) text.remove_prefix(1);
    if (text.empty()) return result;
    const std::string_view part = text.substr(0, std::min(text.find(','), text.find(' ')));
    text.remove_prefix(part.size());
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view name = part.substr(0, equals);
    const std::string_view value = part.substr(equals + 1);
    if (name == "Credential") result.credential = value;
    if (name == "Signature") result.signature = value;
    if (name == "SignedHeaders") result.signed_headers = value;
  }
}

Result<Credential> parse_credential(std::string_view text) {
  if (std::count(text.begin(), text.end(), '/') != 4) {
    return fail(ErrorCode::incomplete_signature,
                fmt::format("Credential must have exactly 5 slash-delimited elements, e.g. "
                            "keyid/date/region/service/term, got '{}'",
                            text));
  }
  Credential credential;
  for (std::string_view* part :
       {&credential.access_key_id, &credential.date, &credential.region, &credential.service}) {
    const std::size_t slash = text.find('/');
    *part = text.substr(0, slash);
    text.remove_prefix(slash + 1);
  }
  return credential;
}

Error missing_token() {
  return {ErrorCode::missing_authentication, "Request is missing Authentication Token"};
}

}  // namespace

Result<Credential> authenticate(const SignedRequest& request) {
  const std::string_view header = request.authorization;
  const bool in_query = request.query.find("X-Amz-Algorithm") != std::string_view::npos;
  if (in_query && !header.empty()) {
    return fail(ErrorCode::invalid_signature,
                "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.");
  }
  if (!header.starts_with("AWS4-")) return tl::unexpected(missing_token());
  const std::size_t space = std::min(header.find(' '), header.size());
  const std::string_view algorithm = header.substr(0, space);
  const Parameters parameters = parse_parameters(header.substr(space));
  std::string missing;
  if (parameters.credential.empty()) missing += "Authorization header requires 'Credential' parameter. ";
  if (parameters.signature.empty()) missing += "Authorization header requires 'Signature' parameter. ";
  if (parameters.signed_headers.empty()) missing += "Authorization header requires 'SignedHeaders' parameter. ";
  if (request.x_amz_date.empty() && request.date.empty()) {
    missing += "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ";
  }
  if (!missing.empty()) {
    return fail(ErrorCode::incomplete_signature, fmt::format("{}Authorization={}", missing, header));
  }
  if (algorithm != kAlgorithm) {
    return fail(ErrorCode::incomplete_signature,
                fmt::format("Unsupported AWS 'algorithm': '{}' (only AWS4-HMAC-SHA256 for now). ", algorithm));
  }
  return parse_credential(parameters.credential);
}

}  // namespace stator::auth
