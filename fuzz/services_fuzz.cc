#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "autoscaling/autoscaling.h"
#include "autoscaling/controller.h"
#include "autoscaling/shapes.h"
#include "base/check.h"
#include "base/sync_wait.h"
#include "cloudwatch/cloudwatch.h"
#include "cloudwatch/shapes.h"
#include "service/codecs.h"
#include "service/error.h"
#include "shape_maker.h"
#include "store/open.h"

// Requests of CloudWatch and Application Auto Scaling on a server in memory: bytes for each decoder, and requests that the tables of
// limits make, at, below and above each limit. Whatever comes: no fault of ours, an answer that every protocol can carry, and nothing is
// stored that a start could not use.
namespace {

using namespace stator;

class FixedClock final : public base::Clock {
 public:
  [[nodiscard]] std::int64_t now_ms() const override { return 1'780'272'000'000; }
};

class OneTable final : public autoscaling::CapacityControl {
 public:
  [[nodiscard]] Result<std::int64_t> get(const autoscaling::Resource& resource) override {
    if (resource.table != "x") return fail(ErrorCode::table_not_found, "none");
    return units_;
  }
  [[nodiscard]] Result<void> set(const autoscaling::Resource&, std::int64_t units) override {
    CHECK(units >= 1);
    units_ = units;
    return {};
  }

 private:
  std::int64_t units_ = 5;
};

struct Server {
  explicit Server(store::Store& store_in)
      : store(store_in),
        history(store_in, {}),
        collector(hub, history, clock),
        insights(store_in, clock),
        alarms(store_in, history, clock, {"us-east-1", "123456789012"}, cloudwatch::WebhookTargets::parse("").value()),
        cloudwatch(collector, history, alarms, insights, clock),
        registry(store_in, clock, alarms, history, capacity),
        controller(registry),
        autoscaling(registry) {}

  store::Store& store;
  FixedClock clock;
  metrics::Hub hub;
  metrics::History history;
  metrics::Collector collector;
  insights::Insights insights;
  cloudwatch::Alarms alarms;
  cloudwatch::CloudWatch cloudwatch;
  OneTable capacity;
  autoscaling::Registry registry;
  autoscaling::Controller controller;
  autoscaling::AutoScaling autoscaling;
};

constexpr auto kOperations = std::to_array<std::string_view>(
    {"DeleteAlarms", "DescribeAlarmHistory", "DescribeAlarms", "DescribeAlarmsForMetric", "DisableAlarmActions", "EnableAlarmActions",
     "GetInsightRuleReport", "GetMetricData", "GetMetricStatistics", "ListMetrics", "PutMetricAlarm", "SetAlarmState",
     // From here on those of Application Auto Scaling.
     "DeleteScalingPolicy", "DeleteScheduledAction", "DeregisterScalableTarget", "DescribeScalableTargets", "DescribeScalingActivities",
     "DescribeScalingPolicies", "DescribeScheduledActions", "PutScalingPolicy", "PutScheduledAction", "RegisterScalableTarget"});
constexpr std::size_t kFirstOfScaling = 12;

void check_answer(std::string_view operation, const Result<service::Value>& answer) {
  if (!answer) {
    const auto* known = dynamic_cast<const service::ServiceError*>(answer.error().detail.get());
    CHECK(known != nullptr && known->status < 500);
    CHECK(!service::encode_xml_error("urn:x", answer.error(), "id").empty());
    return;
  }
  CHECK(!service::encode_xml(operation, "urn:x", *answer, "id").empty());
  if (answer->is_null()) return;
  CHECK(service::decode_json(service::encode_json(*answer)));
  CHECK(service::decode_cbor(service::encode_cbor(*answer)));
}

// The input of a call: bytes for a decoder, or what the tables make of them, on its way through a protocol.
Result<service::Value> input_of(fuzz::Bytes& bytes, std::size_t operation) {
  const std::uint8_t way = bytes.byte() % 5;
  if (way < 3) {
    const std::string body = bytes.text(bytes.byte() * 8U);
    return way == 0 ? service::decode_form(body) : way == 1 ? service::decode_json(body) : service::decode_cbor(body);
  }
  const auto shapes = operation < kFirstOfScaling ? cloudwatch::shapes() : autoscaling::shapes();
  const service::Value made = fuzz::ShapeMaker(shapes, bytes).make(kOperations[operation]);
  return way == 3 ? service::decode_json(service::encode_json(made)) : service::decode_cbor(service::encode_cbor(made));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Bytes bytes(data, size);
  const std::unique_ptr<store::Store> store = store::open_memory();
  constexpr int kCallsMax = 12;
  {
    Server server(*store);
    for (int call = 0; call < kCallsMax && !bytes.empty(); ++call) {
      const std::size_t operation = bytes.byte() % kOperations.size();
      const Result<service::Value> input = input_of(bytes, operation);
      if (!input) continue;
      service::Service& service = operation < kFirstOfScaling ? static_cast<service::Service&>(server.cloudwatch) : server.autoscaling;
      check_answer(kOperations[operation],
                   base::sync_wait(service.call({kOperations[operation], *input, "us-east-1", "123456789012"})));
    }
    server.alarms.evaluate();
    server.controller.step();
  }
  Server again(*store);
  CHECK(again.alarms.load());
  CHECK(again.registry.load());
  CHECK(again.alarms.documents().aside() == 0);
  CHECK(again.registry.documents().aside() == 0);
  return 0;
}
