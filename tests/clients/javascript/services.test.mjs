// The services beside DynamoDB: CloudWatch over CBOR, Application Auto Scaling over JSON.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  ApplicationAutoScalingClient,
  DescribeScalingPoliciesCommand,
  ObjectNotFoundException,
  PutScalingPolicyCommand,
  RegisterScalableTargetCommand,
} from "@aws-sdk/client-application-auto-scaling";
import {
  CloudWatchClient,
  DeleteAlarmsCommand,
  DescribeAlarmsCommand,
  GetInsightRuleReportCommand,
  GetMetricDataCommand,
  GetMetricStatisticsCommand,
  PutMetricAlarmCommand,
  SetAlarmStateCommand,
} from "@aws-sdk/client-cloudwatch";
import {
  CreateTableCommand,
  DescribeContributorInsightsCommand,
  PutItemCommand,
  UpdateContributorInsightsCommand,
} from "@aws-sdk/client-dynamodb";
import { dropTable, makeClient, tableDefinition, unique } from "./support.mjs";

const options = {
  endpoint: process.env.STATOR_ENDPOINT,
  region: "us-east-1",
  credentials: { accessKeyId: "testkey", secretAccessKey: "testsecret" },
  maxAttempts: 1,
};
const cloudwatch = new CloudWatchClient(options);
const scaling = new ApplicationAutoScalingClient(options);
const dynamodb = makeClient();
const table = unique("services");
const window = () => ({ StartTime: new Date(Date.now() - 3_600_000), EndTime: new Date(Date.now() + 3_600_000) });
const dimensions = [{ Name: "TableName", Value: table }];

before(async () => {
  await dynamodb.send(
    new CreateTableCommand({
      ...tableDefinition(table),
      BillingMode: "PROVISIONED",
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
    }),
  );
  await dynamodb.send(new UpdateContributorInsightsCommand({ TableName: table, ContributorInsightsAction: "ENABLE" }));
  for (let number = 0; number < 3; number += 1) {
    const Item = { pk: { S: "hot" }, sk: { N: String(number) } };
    await dynamodb.send(new PutItemCommand({ TableName: table, Item }));
  }
});

after(async () => {
  await dropTable(table);
  dynamodb.destroy();
  cloudwatch.destroy();
  scaling.destroy();
});

test("metrics are read with their times and units", async () => {
  const answer = await cloudwatch.send(
    new GetMetricStatisticsCommand({
      Namespace: "AWS/DynamoDB",
      MetricName: "ConsumedWriteCapacityUnits",
      Dimensions: dimensions,
      Period: 7200,
      Statistics: ["Sum", "SampleCount"],
      ...window(),
    }),
  );
  assert.equal(answer.Label, "ConsumedWriteCapacityUnits");
  assert.deepEqual(answer.Datapoints.map((point) => [point.Sum, point.SampleCount, point.Unit]), [[3, 3, "Count"]]);
  assert.ok(answer.Datapoints[0].Timestamp instanceof Date);
});

test("metric math", async () => {
  const metric = (Id, MetricName) => ({
    Id,
    ReturnData: false,
    MetricStat: { Stat: "Sum", Period: 3600, Metric: { Namespace: "AWS/DynamoDB", MetricName, Dimensions: dimensions } },
  });
  const answer = await cloudwatch.send(
    new GetMetricDataCommand({
      MetricDataQueries: [metric("w", "ConsumedWriteCapacityUnits"), { Id: "twice", Expression: "w * 2" }],
      ...window(),
    }),
  );
  assert.equal(answer.MetricDataResults.length, 1);
  assert.equal(answer.MetricDataResults[0].Values.reduce((a, b) => a + b, 0), 6);
});

test("alarms, and errors by their names", async () => {
  const AlarmName = unique("alarm");
  await cloudwatch.send(
    new PutMetricAlarmCommand({
      AlarmName,
      Namespace: "AWS/DynamoDB",
      MetricName: "ThrottledRequests",
      Dimensions: dimensions,
      Statistic: "Sum",
      Period: 60,
      EvaluationPeriods: 1,
      Threshold: 1,
      ComparisonOperator: "GreaterThanOrEqualToThreshold",
    }),
  );
  const { MetricAlarms } = await cloudwatch.send(new DescribeAlarmsCommand({ AlarmNames: [AlarmName] }));
  assert.equal(MetricAlarms[0].Threshold, 1);
  assert.ok(MetricAlarms[0].StateUpdatedTimestamp instanceof Date);
  await cloudwatch.send(new DeleteAlarmsCommand({ AlarmNames: [AlarmName] }));
  await assert.rejects(
    cloudwatch.send(new SetAlarmStateCommand({ AlarmName, StateValue: "OK", StateReason: "x" })),
    (error) => error.name === "ResourceNotFound" && error.$metadata.httpStatusCode === 404,
  );
});

test("hot keys", async () => {
  const described = await dynamodb.send(new DescribeContributorInsightsCommand({ TableName: table }));
  const report = await cloudwatch.send(
    new GetInsightRuleReportCommand({ RuleName: described.ContributorInsightsRuleList[0], Period: 60, ...window() }),
  );
  assert.deepEqual(report.Contributors[0].Keys, ["hot"]);
  assert.equal(report.Contributors[0].ApproximateAggregateValue, 3);
});

test("scaling policies", async () => {
  const target = {
    ServiceNamespace: "dynamodb",
    ResourceId: `table/${table}`,
    ScalableDimension: "dynamodb:table:ReadCapacityUnits",
  };
  const policy = {
    ...target,
    PolicyName: "track",
    PolicyType: "TargetTrackingScaling",
    TargetTrackingScalingPolicyConfiguration: {
      TargetValue: 70,
      PredefinedMetricSpecification: { PredefinedMetricType: "DynamoDBReadCapacityUtilization" },
    },
  };
  await assert.rejects(scaling.send(new PutScalingPolicyCommand(policy)), ObjectNotFoundException);
  await scaling.send(new RegisterScalableTargetCommand({ ...target, MinCapacity: 5, MaxCapacity: 50 }));
  const made = await scaling.send(new PutScalingPolicyCommand(policy));
  assert.equal(made.Alarms.length, 2);
  const { ScalingPolicies } = await scaling.send(
    new DescribeScalingPoliciesCommand({ ServiceNamespace: "dynamodb", ResourceId: target.ResourceId }),
  );
  assert.equal(ScalingPolicies[0].TargetTrackingScalingPolicyConfiguration.TargetValue, 70);
});
