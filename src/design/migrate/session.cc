#include "design/migrate/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "client/failure.h"

namespace stator::design {

namespace {

using client::Json;

constexpr int kLostAttempts = 8;  // of a call that gets no answer
constexpr std::int64_t kFirstWaitMs = 50;
constexpr std::int64_t kLongestWaitMs = 5'000;
constexpr std::size_t kBatchGetKeys = 100;

struct Interruption final : ErrorDetail {};

bool throttled(const Error& error) {
  return error.code == ErrorCode::throughput_exceeded || error.code == ErrorCode::throttled;
}

// Of one table, or the sum of a list; nothing where the endpoint does not tell.
double consumed(const Json& answer, double otherwise) {
  const auto found = answer.find("ConsumedCapacity");
  if (found == answer.end()) return otherwise;
  if (found->is_object()) return found->value("CapacityUnits", otherwise);
  double sum = 0;
  for (const Json& one : *found) sum += one.value("CapacityUnits", 0.0);
  return sum;
}

void add(std::atomic<double>& sum, double units) {
  double before = sum.load();
  while (!sum.compare_exchange_weak(before, before + units)) {
  }
}

}  // namespace

Error interrupted() {
  return Error{ErrorCode::unavailable, "stopped by a signal; call it again to go on", std::make_shared<Interruption>()};
}

bool is_interrupted(const Error& error) { return dynamic_cast<const Interruption*>(error.detail.get()) != nullptr; }

double write_units_about(const Json& item) {
  return std::max(1.0, std::ceil(static_cast<double>(item.dump().size()) / 1400));
}

Result<std::unique_ptr<Session>> Session::create(const client::Options& options, Throttle& throttle) {
  client::Options own = options;
  own.attempts = 1;  // attempts are made here, where throttling slows everything down
  TRY(auto client, client::Client::create(own));
  return std::unique_ptr<Session>(new Session(std::move(client), throttle));
}

Result<Json> Session::call(std::string_view operation, Json& request, RateLimit& limit, std::atomic<double>& used,
                           double units_about) {
  request["ReturnConsumedCapacity"] = "TOTAL";
  const std::string target = fmt::format("DynamoDB_20120810.{}", operation);
  for (int refused = 0, lost = 0;;) {
    const auto wait = std::chrono::ceil<std::chrono::milliseconds>(limit.take(units_about));
    if (throttle_.stop.requested() || (wait.count() > 0 && throttle_.stop.wait_ms(wait.count()))) {
      return tl::unexpected<Error>(interrupted());
    }
    auto answer = client_->call(target, request);
    if (answer) {
      const double units = consumed(*answer, units_about);
      limit.correct(units - units_about);
      limit.speed_up();
      add(used, units);
      return answer;
    }
    if (client::wire_code(answer.error()) == "ConditionalCheckFailedException") add(used, units_about);  // billed, too
    if (!client::worth_another_attempt(answer.error())) return answer;
    if (throttled(answer.error())) {
      limit.slow_down();
      throttle_.refused.fetch_add(1);
      ++refused;
    } else if (++lost >= kLostAttempts) {
      return answer;
    }
    throttle_.stop.wait_ms(std::min(kLongestWaitMs, kFirstWaitMs << std::min(refused + lost - 1, 10)));
  }
}

Result<Json> Session::read(std::string_view operation, Json request, double units_about) {
  return call(operation, request, throttle_.read, throttle_.read_units, units_about);
}

Result<bool> Session::write(std::string_view operation, Json request, double units_about) {
  const auto done = call(operation, request, throttle_.write, throttle_.write_units, units_about);
  if (done) return true;
  if (client::wire_code(done.error()) == "ConditionalCheckFailedException") return false;
  return tl::unexpected<Error>(done.error());
}

Result<Json> Session::get(const std::string& table, const Json& key) {
  TRY(const Json answer, read("GetItem", {{"TableName", table}, {"Key", key}, {"ConsistentRead", true}}, 1));
  return answer.contains("Item") ? answer["Item"] : Json();
}

Result<std::vector<Json>> Session::get_many(const std::string& table, std::vector<Json> keys) {
  std::vector<Json> items;
  while (!keys.empty()) {
    const std::size_t count = std::min(keys.size(), kBatchGetKeys);
    const std::vector<Json> some(keys.end() - static_cast<std::ptrdiff_t>(count), keys.end());
    keys.resize(keys.size() - count);
    TRY(const Json answer,
        read("BatchGetItem", {{"RequestItems", {{table, {{"Keys", some}, {"ConsistentRead", true}}}}}},
             static_cast<double>(count)));
    const Json responses = answer.value("Responses", Json::object());
    for (const Json& item : responses.value(table, Json::array())) items.push_back(item);
    const Json left = answer.value("UnprocessedKeys", Json::object());
    if (!left.contains(table)) continue;
    for (const Json& key : left[table].value("Keys", Json::array())) keys.push_back(key);
  }
  return items;
}

}  // namespace stator::design
