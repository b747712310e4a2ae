// Written by src/service/make_shapes.py: the limits of every member of every request, one table.

#include "autoscaling/shapes.h"

namespace stator::autoscaling {
namespace {

using enum service::Shape::Kind;
using service::Pattern;

constexpr service::Shape kShapes[] = {
    {"AdjustmentType", string, 0, 0, "ChangeInCapacity PercentChangeInCapacity ExactCapacity"},
    {"Cooldown", integer, 0, 2147483647},
    {"CustomizedMetricSpecification", structure, 0, 0,
     "MetricName:MetricName Namespace:MetricNamespace Dimensions:MetricDimensions "
     "Statistic:MetricStatistic Unit:MetricUnit Metrics:TargetTrackingMetricDataQueries"},
    {"DeleteScalingPolicy", structure, 0, 0,
     "PolicyName!:ResourceIdMaxLen1600 ServiceNamespace!:ServiceNamespace ResourceId!:ResourceIdMaxLen1600 "
     "ScalableDimension!:ScalableDimension"},
    {"DeleteScheduledAction", structure, 0, 0,
     "ServiceNamespace!:ServiceNamespace ScheduledActionName!:ResourceIdMaxLen1600 "
     "ResourceId!:ResourceIdMaxLen1600 ScalableDimension!:ScalableDimension"},
    {"DeregisterScalableTarget", structure, 0, 0,
     "ServiceNamespace!:ServiceNamespace ResourceId!:ResourceIdMaxLen1600 "
     "ScalableDimension!:ScalableDimension"},
    {"DescribeScalableTargets", structure, 0, 0,
     "ServiceNamespace!:ServiceNamespace ResourceIds:ResourceIdsMaxLen1600 "
     "ScalableDimension:ScalableDimension MaxResults:MaxResults NextToken:XmlString"},
    {"DescribeScalingActivities", structure, 0, 0,
     "ServiceNamespace!:ServiceNamespace ResourceId:ResourceIdMaxLen1600 "
     "ScalableDimension:ScalableDimension MaxResults:MaxResults NextToken:XmlString "
     "IncludeNotScaledActivities:IncludeNotScaledActivities"},
    {"DescribeScalingPolicies", structure, 0, 0,
     "PolicyNames:ResourceIdsMaxLen1600 ServiceNamespace!:ServiceNamespace ResourceId:ResourceIdMaxLen1600 "
     "ScalableDimension:ScalableDimension MaxResults:MaxResults NextToken:XmlString"},
    {"DescribeScheduledActions", structure, 0, 0,
     "ScheduledActionNames:ResourceIdsMaxLen1600 ServiceNamespace!:ServiceNamespace "
     "ResourceId:ResourceIdMaxLen1600 ScalableDimension:ScalableDimension MaxResults:MaxResults "
     "NextToken:XmlString"},
    {"DisableScaleIn", boolean, 0, 0},
    {"Expression", string, 1, 2048, "", Pattern::xml_text},
    {"Id", string, 1, 255, "", Pattern::xml_text},
    {"IncludeNotScaledActivities", boolean, 0, 0},
    {"MaxResults", integer, 1, 50},
    {"MetricAggregationType", string, 0, 0, "Average Minimum Maximum"},
    {"MetricDimension", structure, 0, 0, "Name!:MetricDimensionName Value!:MetricDimensionValue"},
    {"MetricDimensionName", string, 1, 255, "", Pattern::xml_text},
    {"MetricDimensionValue", string, 1, 1024, "", Pattern::xml_text},
    {"MetricDimensions", list, 0, 30, "MetricDimension"},
    {"MetricName", string, 1, 255, "", Pattern::xml_text},
    {"MetricNamespace", string, 1, 255, "", Pattern::xml_text},
    {"MetricScale", real, -0x1.0000000000000p+360, 0x1.0000000000000p+360},
    {"MetricStatistic", string, 0, 0, "Average Minimum Maximum SampleCount Sum"},
    {"MetricType", string, 0, 0,
     "DynamoDBReadCapacityUtilization DynamoDBWriteCapacityUtilization ALBRequestCountPerTarget "
     "RDSReaderAverageCPUUtilization RDSReaderAverageDatabaseConnections "
     "EC2SpotFleetRequestAverageCPUUtilization EC2SpotFleetRequestAverageNetworkIn "
     "EC2SpotFleetRequestAverageNetworkOut SageMakerVariantInvocationsPerInstance "
     "ECSServiceAverageCPUUtilization ECSServiceAverageMemoryUtilization "
     "AppStreamAverageCapacityUtilization ComprehendInferenceUtilization "
     "LambdaProvisionedConcurrencyUtilization CassandraReadCapacityUtilization "
     "CassandraWriteCapacityUtilization KafkaBrokerStorageUtilization ElastiCacheEngineCPUUtilization "
     "ElastiCacheDatabaseMemoryUsagePercentage ElastiCachePrimaryEngineCPUUtilization "
     "ElastiCacheReplicaEngineCPUUtilization ElastiCacheDatabaseMemoryUsageCountedForEvictPercentage "
     "NeptuneReaderAverageCPUUtilization SageMakerVariantProvisionedConcurrencyUtilization "
     "ElastiCacheDatabaseCapacityUsageCountedForEvictPercentage "
     "SageMakerInferenceComponentInvocationsPerCopy WorkSpacesAverageUserSessionsCapacityUtilization "
     "SageMakerInferenceComponentConcurrentRequestsPerCopyHighResolution "
     "SageMakerVariantConcurrentRequestsPerModelHighResolution"},
    {"MetricUnit", string, 1, 255, "", Pattern::xml_text},
    {"MinAdjustmentMagnitude", integer, 0, 2147483647},
    {"PolicyName", string, 1, 256, "", Pattern::printable},
    {"PolicyType", string, 0, 0, "StepScaling TargetTrackingScaling PredictiveScaling"},
    {"PredefinedMetricSpecification", structure, 0, 0, "PredefinedMetricType!:MetricType ResourceLabel:ResourceLabel"},
    {"PredictiveScalingCustomizedMetricSpecification", structure, 0, 0, "MetricDataQueries!:PredictiveScalingMetricDataQueries"},
    {"PredictiveScalingMaxCapacityBreachBehavior", string, 0, 0, "HonorMaxCapacity IncreaseMaxCapacity"},
    {"PredictiveScalingMaxCapacityBuffer", integer, 0, 100},
    {"PredictiveScalingMetric", structure, 0, 0,
     "Dimensions:PredictiveScalingMetricDimensions MetricName:PredictiveScalingMetricName "
     "Namespace:PredictiveScalingMetricNamespace"},
    {"PredictiveScalingMetricDataQueries", list, 0, 10, "PredictiveScalingMetricDataQuery"},
    {"PredictiveScalingMetricDataQuery", structure, 0, 0,
     "Id!:Id Expression:Expression MetricStat:PredictiveScalingMetricStat Label:XmlString "
     "ReturnData:ReturnData"},
    {"PredictiveScalingMetricDimension", structure, 0, 0, "Name!:PredictiveScalingMetricDimensionName Value!:PredictiveScalingMetricDimensionValue"},
    {"PredictiveScalingMetricDimensionName", string, 1, 255, "", Pattern::xml_text},
    {"PredictiveScalingMetricDimensionValue", string, 1, 1024, "", Pattern::xml_text},
    {"PredictiveScalingMetricDimensions", list, 0, 30, "PredictiveScalingMetricDimension"},
    {"PredictiveScalingMetricName", string, 1, 255, "", Pattern::xml_text},
    {"PredictiveScalingMetricNamespace", string, 1, 255, "", Pattern::xml_text},
    {"PredictiveScalingMetricSpecification", structure, 0, 0,
     "TargetValue!:MetricScale "
     "PredefinedMetricPairSpecification:PredictiveScalingPredefinedMetricPairSpecification "
     "PredefinedScalingMetricSpecification:PredictiveScalingPredefinedScalingMetricSpecification "
     "PredefinedLoadMetricSpecification:PredictiveScalingPredefinedLoadMetricSpecification "
     "CustomizedScalingMetricSpecification:PredictiveScalingCustomizedMetricSpecification "
     "CustomizedLoadMetricSpecification:PredictiveScalingCustomizedMetricSpecification "
     "CustomizedCapacityMetricSpecification:PredictiveScalingCustomizedMetricSpecification"},
    {"PredictiveScalingMetricSpecifications", list, 0, 10, "PredictiveScalingMetricSpecification"},
    {"PredictiveScalingMetricStat", structure, 0, 0, "Metric!:PredictiveScalingMetric Stat!:XmlString Unit:PredictiveScalingMetricUnit"},
    {"PredictiveScalingMetricType", string, 1, 128, "", Pattern::xml_text},
    {"PredictiveScalingMetricUnit", string, 1, 1023, "", Pattern::xml_text},
    {"PredictiveScalingMode", string, 0, 0, "ForecastOnly ForecastAndScale"},
    {"PredictiveScalingPolicyConfiguration", structure, 0, 0,
     "MetricSpecifications!:PredictiveScalingMetricSpecifications Mode:PredictiveScalingMode "
     "SchedulingBufferTime:PredictiveScalingSchedulingBufferTime "
     "MaxCapacityBreachBehavior:PredictiveScalingMaxCapacityBreachBehavior "
     "MaxCapacityBuffer:PredictiveScalingMaxCapacityBuffer"},
    {"PredictiveScalingPredefinedLoadMetricSpecification", structure, 0, 0, "PredefinedMetricType!:PredictiveScalingMetricType ResourceLabel:ResourceLabel"},
    {"PredictiveScalingPredefinedMetricPairSpecification", structure, 0, 0, "PredefinedMetricType!:PredictiveScalingMetricType ResourceLabel:ResourceLabel"},
    {"PredictiveScalingPredefinedScalingMetricSpecification", structure, 0, 0, "PredefinedMetricType!:PredictiveScalingMetricType ResourceLabel:ResourceLabel"},
    {"PredictiveScalingSchedulingBufferTime", integer, 0, 3600},
    {"PutScalingPolicy", structure, 0, 0,
     "PolicyName!:PolicyName ServiceNamespace!:ServiceNamespace ResourceId!:ResourceIdMaxLen1600 "
     "ScalableDimension!:ScalableDimension PolicyType:PolicyType "
     "StepScalingPolicyConfiguration:StepScalingPolicyConfiguration "
     "TargetTrackingScalingPolicyConfiguration:TargetTrackingScalingPolicyConfiguration "
     "PredictiveScalingPolicyConfiguration:PredictiveScalingPolicyConfiguration"},
    {"PutScheduledAction", structure, 0, 0,
     "ServiceNamespace!:ServiceNamespace Schedule:ResourceIdMaxLen1600 Timezone:ResourceIdMaxLen1600 "
     "ScheduledActionName!:ScheduledActionName ResourceId!:ResourceIdMaxLen1600 "
     "ScalableDimension!:ScalableDimension StartTime:TimestampType EndTime:TimestampType "
     "ScalableTargetAction:ScalableTargetAction"},
    {"RegisterScalableTarget", structure, 0, 0,
     "ServiceNamespace!:ServiceNamespace ResourceId!:ResourceIdMaxLen1600 "
     "ScalableDimension!:ScalableDimension MinCapacity:ResourceCapacity MaxCapacity:ResourceCapacity "
     "RoleARN:ResourceIdMaxLen1600 SuspendedState:SuspendedState Tags:TagMap"},
    {"ResourceCapacity", integer, 1, 2147483647},
    {"ResourceIdMaxLen1600", string, 1, 1600, "", Pattern::xml_text},
    {"ResourceIdsMaxLen1600", list, 0, 50, "ResourceIdMaxLen1600"},
    {"ResourceLabel", string, 1, 1023, "", Pattern::xml_text},
    {"ReturnData", boolean, 0, 0},
    {"ScalableDimension", string, 0, 0,
     "ecs:service:DesiredCount ec2:spot-fleet-request:TargetCapacity "
     "elasticmapreduce:instancegroup:InstanceCount appstream:fleet:DesiredCapacity "
     "dynamodb:table:ReadCapacityUnits dynamodb:table:WriteCapacityUnits dynamodb:index:ReadCapacityUnits "
     "dynamodb:index:WriteCapacityUnits rds:cluster:ReadReplicaCount "
     "sagemaker:variant:DesiredInstanceCount custom-resource:ResourceType:Property "
     "comprehend:document-classifier-endpoint:DesiredInferenceUnits "
     "comprehend:entity-recognizer-endpoint:DesiredInferenceUnits lambda:function:ProvisionedConcurrency "
     "cassandra:table:ReadCapacityUnits cassandra:table:WriteCapacityUnits kafka:broker-storage:VolumeSize "
     "elasticache:cache-cluster:Nodes elasticache:replication-group:NodeGroups "
     "elasticache:replication-group:Replicas neptune:cluster:ReadReplicaCount "
     "sagemaker:variant:DesiredProvisionedConcurrency sagemaker:inference-component:DesiredCopyCount "
     "workspaces:workspacespool:DesiredUserSessions"},
    {"ScalableTargetAction", structure, 0, 0, "MinCapacity:ResourceCapacity MaxCapacity:ResourceCapacity"},
    {"ScalingAdjustment", integer, -2147483648, 2147483647},
    {"ScalingSuspended", boolean, 0, 0},
    {"ScheduledActionName", string, 1, 256, "", Pattern::action_name},
    {"ServiceNamespace", string, 0, 0,
     "cassandra dynamodb ecs kafka lambda rds sagemaker appstream comprehend custom-resource ec2 "
     "elasticache elasticmapreduce neptune workspaces"},
    {"StepAdjustment", structure, 0, 0,
     "MetricIntervalLowerBound:MetricScale MetricIntervalUpperBound:MetricScale "
     "ScalingAdjustment!:ScalingAdjustment"},
    {"StepAdjustments", list, 0, 20, "StepAdjustment"},
    {"StepScalingPolicyConfiguration", structure, 0, 0,
     "AdjustmentType:AdjustmentType StepAdjustments:StepAdjustments "
     "MinAdjustmentMagnitude:MinAdjustmentMagnitude Cooldown:Cooldown "
     "MetricAggregationType:MetricAggregationType"},
    {"SuspendedState", structure, 0, 0,
     "DynamicScalingInSuspended:ScalingSuspended DynamicScalingOutSuspended:ScalingSuspended "
     "ScheduledScalingSuspended:ScalingSuspended"},
    {"TagKey", string, 1, 128, "", Pattern::xml_text},
    {"TagMap", map, 0, 50, "TagKey TagValue"},
    {"TagValue", string, 0, 256, "", Pattern::xml_text},
    {"TargetTrackingMetric", structure, 0, 0,
     "Dimensions:TargetTrackingMetricDimensions MetricName:TargetTrackingMetricName "
     "Namespace:TargetTrackingMetricNamespace"},
    {"TargetTrackingMetricDataQueries", list, 0, 10, "TargetTrackingMetricDataQuery"},
    {"TargetTrackingMetricDataQuery", structure, 0, 0,
     "Expression:Expression Id!:Id Label:XmlString MetricStat:TargetTrackingMetricStat "
     "ReturnData:ReturnData"},
    {"TargetTrackingMetricDimension", structure, 0, 0, "Name!:TargetTrackingMetricDimensionName Value!:TargetTrackingMetricDimensionValue"},
    {"TargetTrackingMetricDimensionName", string, 1, 255, "", Pattern::xml_text},
    {"TargetTrackingMetricDimensionValue", string, 1, 1024, "", Pattern::xml_text},
    {"TargetTrackingMetricDimensions", list, 0, 30, "TargetTrackingMetricDimension"},
    {"TargetTrackingMetricName", string, 1, 255, "", Pattern::xml_text},
    {"TargetTrackingMetricNamespace", string, 1, 255, "", Pattern::xml_text},
    {"TargetTrackingMetricStat", structure, 0, 0, "Metric!:TargetTrackingMetric Stat!:XmlString Unit:TargetTrackingMetricUnit"},
    {"TargetTrackingMetricUnit", string, 1, 1023, "", Pattern::xml_text},
    {"TargetTrackingScalingPolicyConfiguration", structure, 0, 0,
     "TargetValue!:MetricScale PredefinedMetricSpecification:PredefinedMetricSpecification "
     "CustomizedMetricSpecification:CustomizedMetricSpecification ScaleOutCooldown:Cooldown "
     "ScaleInCooldown:Cooldown DisableScaleIn:DisableScaleIn"},
    {"TimestampType", time, -62135596800, 253402300799},
    {"XmlString", string, 0, 2048, "", Pattern::xml_text},
};

}  // namespace

std::span<const service::Shape> shapes() { return kShapes; }

}  // namespace stator::autoscaling
