#include "autoscaling/controller.h"

#include <gtest/gtest.h>

#include "autoscaling/autoscaling.h"
#include "base/sync_wait.h"
#include "metrics/test_support.h"
#include "service/codecs.h"
#include "service/error.h"

namespace stator::autoscaling {
namespace {

// One table with read and write capacity.
class FakeCapacity final : public CapacityControl {
 public:
  [[nodiscard]] Result<std::int64_t> get(const Resource& resource) override {
    if (resource.table != "app") return fail(ErrorCode::table_not_found, "none");
    return resource.write ? write : read;
  }
  [[nodiscard]] Result<void> set(const Resource& resource, std::int64_t units) override {
    if (broken) return fail(ErrorCode::limit_exceeded, "too many decreases");
    (resource.write ? write : read) = units;
    return {};
  }
  std::int64_t read = 5;
  std::int64_t write = 5;
  bool broken = false;
};

class Scaling : public testing::Test {
 protected:
  // The error's name, or the answer as JSON.
  std::string call(std::string_view operation, std::string_view json) {
    const service::Value input = service::decode_json(json).value();
    const Result<service::Value> answer = base::sync_wait(service_.call({operation, input, "us-east-1", "123456789012"}));
    if (answer) return service::encode_json(*answer);
    return dynamic_cast<const service::ServiceError&>(*answer.error().detail).shape + ": " + answer.error().message;
  }
  void follow(std::string_view more = "") {
    EXPECT_NE(call("RegisterScalableTarget", with(R"("MinCapacity":5,"MaxCapacity":40)")).find("ScalableTargetARN"),
              std::string::npos);
    EXPECT_NE(call("PutScalingPolicy",
                   with(R"("PolicyName":"track","PolicyType":"TargetTrackingScaling",)"
                        R"("TargetTrackingScalingPolicyConfiguration":{"TargetValue":50,"PredefinedMetricSpecification":)"
                        R"({"PredefinedMetricType":"DynamoDBReadCapacityUtilization"})" +
                        std::string(more) + "}"))
                  .find("PolicyARN"),
              std::string::npos);
  }
  static std::string with(std::string_view members) {
    return R"({"ServiceNamespace":"dynamodb","ResourceId":"table/app","ScalableDimension":"dynamodb:table:ReadCapacityUnits",)" +
           std::string(members) + "}";
  }
  // Minutes in which `units` read units per second are consumed.
  void pass(int minutes, int units) {
    for (int i = 0; i < minutes; ++i) {
      meters_.read_items("app", units * 60 * 2);
      tick();
      meters_.clock.advance_minutes(1);
      tick();
    }
  }
  void tick() {
    ASSERT_TRUE(meters_.collector->tick());
    alarms_.evaluate();
    controller_.step();
  }

  metrics::Meters meters_;
  cloudwatch::Alarms alarms_{*meters_.store, *meters_.history, meters_.clock, {"us-east-1", "123456789012"}};
  FakeCapacity capacity_;
  Registry registry_{*meters_.store, meters_.clock, alarms_, *meters_.history, capacity_};
  Controller controller_{registry_};
  AutoScaling service_{registry_};
};

TEST_F(Scaling, RaisesUnderLoadAndLowersSlowlyAfterwards) {
  follow();
  pass(1, 10);
  EXPECT_EQ(capacity_.read, 5);  // one minute is not enough
  pass(1, 10);
  EXPECT_EQ(capacity_.read, 20);  // 10 is half of it
  pass(4, 15);
  EXPECT_EQ(capacity_.read, 30);
  pass(10, 1);
  EXPECT_EQ(capacity_.read, 30);  // fifteen minutes are wanted
  pass(10, 1);
  EXPECT_EQ(capacity_.read, 5);  // the minimum, although 2 would do
  EXPECT_EQ(capacity_.write, 5);
}

TEST_F(Scaling, StaysWithinMaximumAndCooldown) {
  follow(R"(,"ScaleOutCooldown":600)");
  pass(2, 10);
  EXPECT_EQ(capacity_.read, 20);
  pass(5, 100);
  EXPECT_EQ(capacity_.read, 20);  // the cooldown
  pass(10, 100);
  EXPECT_EQ(capacity_.read, 40);  // the maximum
}

TEST_F(Scaling, NeverLowersWhereItMustNot) {
  follow(R"(,"DisableScaleIn":true)");
  pass(2, 10);
  pass(60, 0);
  EXPECT_EQ(capacity_.read, 20);
}

TEST_F(Scaling, LowersATableWithoutTraffic) {
  follow();
  pass(2, 10);
  pass(20, 0);
  EXPECT_EQ(capacity_.read, 5);
}

TEST_F(Scaling, TellsWhatItDid) {
  follow();
  pass(2, 10);
  capacity_.broken = true;
  pass(20, 0);
  const std::string activities = call("DescribeScalingActivities", R"({"ServiceNamespace":"dynamodb"})");
  EXPECT_NE(activities.find("Setting read capacity units to 20."), std::string::npos) << activities;
  EXPECT_NE(activities.find("\"Successful\""), std::string::npos);
  EXPECT_NE(activities.find("Reason: too many decreases"), std::string::npos);
}

TEST_F(Scaling, ActsOnSchedules) {
  follow();
  EXPECT_EQ(call("PutScheduledAction", with(R"x("ScheduledActionName":"morning","Schedule":"rate(10 minutes)",)x"
                                            R"("ScalableTargetAction":{"MinCapacity":12})")),
            "{}");
  pass(9, 0);
  EXPECT_EQ(capacity_.read, 5);
  pass(2, 0);
  EXPECT_EQ(capacity_.read, 12);
  EXPECT_NE(call("DescribeScalableTargets", R"({"ServiceNamespace":"dynamodb"})").find("\"MinCapacity\":12"),
            std::string::npos);
}

TEST_F(Scaling, IsRememberedAndForgottenWhole) {
  follow();
  Registry again{*meters_.store, meters_.clock, alarms_, *meters_.history, capacity_};
  ASSERT_TRUE(again.load());
  again.read([](const State& state) {
    EXPECT_EQ(state.targets.size(), 1U);
    EXPECT_EQ(state.policies.begin()->second.target_value, 50);
    return 0;
  });
  EXPECT_EQ(alarms_.read([](const auto& all) { return all.size(); }), 2U);
  EXPECT_EQ(call("DeregisterScalableTarget", with(R"("X":1)")), "{}");
  EXPECT_EQ(alarms_.read([](const auto& all) { return all.size(); }), 0U);
  EXPECT_EQ(call("DescribeScalingPolicies", R"({"ServiceNamespace":"dynamodb"})"), R"({"ScalingPolicies":[]})");
}

TEST_F(Scaling, SetsAsideWhatItCannotUse) {
  follow();
  EXPECT_EQ(call("PutScheduledAction", with(R"x("ScheduledActionName":"s","Schedule":"rate(1 day)","ScalableTargetAction":{"MinCapacity":6})x")),
            "{}");
  State state = registry_.read([](const State& now) { return now; });
  const auto change_key = [](const char* table) { return TargetKey{std::string("table/") + table, "dynamodb:table:ReadCapacityUnits"}; };
  const TargetKey key = change_key("app");
  state.targets[change_key("low")] = Target{.min = -7, .max = 9};
  state.targets[{"table/x", "dynamodb:index:ReadCapacityUnits"}] = Target{.min = 1, .max = 9};
  state.policies[{key, "deep"}] = Policy{.configuration = service::Value::structure().set("TargetValue", "x")};
  state.actions[{key, "endless"}] = ScheduledAction{.schedule = "rate(0 minutes)"};
  state.actions[{key, "low"}] = ScheduledAction{.schedule = "rate(1 day)", .min = 0};
  metrics::Documents documents(*meters_.store, "scaling");
  // The form of earlier versions, and a document that is none.
  ASSERT_TRUE(base::sync_wait(documents.put("state", encode_state(state, nullptr))));
  ASSERT_TRUE(base::sync_wait(documents.put("broken", "{")));
  for (int start = 0; start < 3; ++start) {
    Registry again{*meters_.store, meters_.clock, alarms_, *meters_.history, capacity_};
    ASSERT_TRUE(again.load());
    again.read([](const State& now) {
      EXPECT_EQ(now.targets.size(), 1U);
      EXPECT_EQ(now.policies.size(), 1U);
      EXPECT_EQ(now.actions.size(), 1U);
      return 0;
    });
    EXPECT_EQ(again.documents().aside(), 6U);
  }
  ASSERT_TRUE(documents.load());
  EXPECT_EQ(documents.load()->size(), 1U);  // the target
}

TEST_F(Scaling, TakesAPolicyBackWhoseAlarmsCannotBe) {
  EXPECT_NE(call("RegisterScalableTarget", with(R"("MinCapacity":5,"MaxCapacity":40)")).find("ScalableTargetARN"), std::string::npos);
  service::Value alarm = service::Value::structure();
  alarm.set("AlarmName", "x").set("Namespace", "AWS/DynamoDB").set("MetricName", "UserErrors").set("Statistic", "Sum");
  alarm.set("Period", 60).set("EvaluationPeriods", 2).set("Threshold", 1.0).set("ComparisonOperator", "GreaterThanThreshold");
  for (int i = 0; i < 9'999; ++i) {
    alarm.member("AlarmName") = "x" + std::to_string(i);
    ASSERT_TRUE(base::sync_wait(alarms_.put(cloudwatch::check_alarm(alarm).value())));
  }
  const std::string answer = call("PutScalingPolicy", with(R"("PolicyName":"p","PolicyType":"TargetTrackingScaling",)"
                                                           R"("TargetTrackingScalingPolicyConfiguration":{"TargetValue":50,)"
                                                           R"("PredefinedMetricSpecification":{"PredefinedMetricType":)"
                                                           R"("DynamoDBReadCapacityUtilization"}})"));
  EXPECT_TRUE(answer.starts_with("LimitExceededFault: ")) << answer;
  EXPECT_EQ(call("DescribeScalingPolicies", R"({"ServiceNamespace":"dynamodb"})"), R"({"ScalingPolicies":[]})");
  EXPECT_EQ(alarms_.read([](const auto& all) { return all.size(); }), 9'999U);
}

TEST_F(Scaling, RefusesWhatTheServiceRefuses) {
  EXPECT_EQ(call("PutScheduledAction", with(R"x("ScheduledActionName":"x","Schedule":"rate(1 day)","ScalableTargetAction":{})x")),
            "ObjectNotFoundException: No scalable target registered for service namespace: dynamodb, resource ID: "
            "table/app, scalable dimension: dynamodb:table:ReadCapacityUnits");
  EXPECT_EQ(call("RegisterScalableTarget", with(R"("MinCapacity":9,"MaxCapacity":5)")),
            "ValidationException: Maximum capacity cannot be less than minimum capacity");
  EXPECT_EQ(call("RegisterScalableTarget",
                 R"({"ServiceNamespace":"dynamodb","ResourceId":"table/none","ScalableDimension":)"
                 R"("dynamodb:table:ReadCapacityUnits","MinCapacity":1,"MaxCapacity":5})"),
            "ValidationException: DynamoDB table does not exist: table/none");
  EXPECT_EQ(call("RegisterScalableTarget",
                 R"({"ServiceNamespace":"dynamodb","ResourceId":"table/app","ScalableDimension":)"
                 R"("dynamodb:index:ReadCapacityUnits","MinCapacity":1,"MaxCapacity":5})"),
            "ValidationException: Unsupported service namespace, resource type or scalable dimension");
  EXPECT_EQ(call("Unknown", "{}"), "UnknownOperationException: ");
}

}  // namespace
}  // namespace stator::autoscaling
