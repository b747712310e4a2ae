#include "client/client.h"

#include <fmt/format.h>
#include <libdeflate.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/clock.h"
#include "client/failure.h"

namespace stator::client {
namespace {

constexpr std::int64_t kFirstWaitMs = 50;
constexpr std::int64_t kLongestWaitMs = 5'000;

Result<void> check_crc(const HttpAnswer& answer) {
  const std::string_view stated = answer.header("x-amz-crc32");
  if (stated.empty()) return {};
  const std::uint32_t found = libdeflate_crc32(0, answer.body.data(), answer.body.size());
  if (stated == std::to_string(found)) return {};
  return fail(ErrorCode::unavailable, "the answer was damaged on its way: its CRC is not what the server stated");
}

}  // namespace

Client::Client(Options options, Url url)
    : options_(std::move(options)),
      url_(std::move(url)),
      signer_(options_.credentials, options_.region, "dynamodb"),
      connection_(url_, options_.timeouts),
      random_(std::random_device()()) {}

Result<std::unique_ptr<Client>> Client::create(const Options& options) {
  TRY(Options resolved, resolve(options));
  TRY(Url url, parse_url(resolved.endpoint));
  return std::unique_ptr<Client>(new Client(std::move(resolved), std::move(url)));
}

Result<std::string> Client::attempt(std::string_view target, std::string_view request) {
  const std::string timestamp = signature_timestamp(base::SystemClock().now_ms());
  Headers headers = {{"content-type", "application/x-amz-json-1.0"},
                     {"host", url_.host_header()},
                     {"x-amz-date", timestamp},
                     {"x-amz-target", std::string(target)}};
  const std::string& token = signer_.credentials().session_token;
  if (!token.empty()) headers.emplace_back("x-amz-security-token", token);
  const std::size_t query = url_.path.find('?');
  const std::string authorization = signer_.authorization(
      {"POST", std::string_view(url_.path).substr(0, query),
       query == std::string::npos ? std::string_view() : std::string_view(url_.path).substr(query + 1), headers,
       request},
      timestamp);
  headers.emplace_back("authorization", authorization);
  TRY(HttpAnswer answer, connection_.post(url_.path, headers, request));
  TRY_VOID(check_crc(answer));
  if (answer.status == 200) return std::move(answer.body);
  return tl::unexpected(failed_call(answer));
}

// The usual "full jitter": many clients that failed together do not come back together.
void Client::wait_before_attempt(int number) {
  const std::int64_t longest = std::min(kLongestWaitMs, kFirstWaitMs << std::min(number - 1, 16));
  const std::int64_t wait_ms = std::uniform_int_distribution<std::int64_t>(longest / 2, longest)(random_);
  std::this_thread::sleep_for(std::chrono::milliseconds(wait_ms));
}

Result<std::string> Client::call_text(std::string_view target, std::string_view request) {
  for (int number = 1;; ++number) {
    const bool kept = connection_.kept();
    Result<std::string> answer = attempt(target, request);
    if (answer || number >= options_.attempts || !worth_another_attempt(answer.error())) return answer;
    // A server closes connections that were idle for long; the next one says whether it is there at all.
    const bool idle_closed = kept && failure_of(answer.error()) == nullptr;
    if (!idle_closed) wait_before_attempt(number);
  }
}

Result<Json> Client::call(std::string_view target, const Json& request) {
  // Bytes that are not UTF-8 cannot be sent as JSON; replaced, the server's answer names them.
  TRY(const std::string text, call_text(target, request.dump(-1, ' ', false, Json::error_handler_t::replace)));
  Json answer = Json::parse(text, nullptr, false);
  if (answer.is_discarded()) {
    return fail(ErrorCode::unavailable,
                fmt::format("{} did not answer in JSON; is it a DynamoDB endpoint?", options_.endpoint));
  }
  return answer;
}

}  // namespace stator::client
