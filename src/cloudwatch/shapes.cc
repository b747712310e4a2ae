// Written by src/service/make_shapes.py: the limits of every member of every request, one table.

#include "cloudwatch/shapes.h"

namespace stator::cloudwatch {
namespace {

using enum service::Shape::Kind;
using service::Pattern;

constexpr service::Shape kShapes[] = {
    {"AccountId", string, 1, 255, "", Pattern::xml_text},
    {"ActionPrefix", string, 1, 1024, "", Pattern::no_control},
    {"ActionsEnabled", boolean, 0, 0},
    {"AlarmDescription", string, 0, 1024, "", Pattern::xml_text},
    {"AlarmName", string, 1, 255, "", Pattern::no_control},
    {"AlarmNamePrefix", string, 1, 255, "", Pattern::no_control},
    {"AlarmNames", list, 0, 100, "AlarmName"},
    {"AlarmPromQLCriteria", structure, 0, 0, "Query!:Query PendingPeriod:PendingPeriod RecoveryPeriod:RecoveryPeriod"},
    {"AlarmType", string, 0, 0, "CompositeAlarm MetricAlarm"},
    {"AlarmTypes", list, 0, 10, "AlarmType"},
    {"ComparisonOperator", string, 0, 0,
     "GreaterThanOrEqualToThreshold GreaterThanThreshold LessThanThreshold LessThanOrEqualToThreshold "
     "LessThanLowerOrGreaterThanUpperThreshold LessThanLowerThreshold GreaterThanUpperThreshold"},
    {"ContributorId", string, 1, 16, "", Pattern::xml_text},
    {"DatapointsToAlarm", integer, 1, 2147483647},
    {"DeleteAlarms", structure, 0, 0, "AlarmNames!:AlarmNames"},
    {"DescribeAlarmHistory", structure, 0, 0,
     "AlarmName:AlarmName AlarmContributorId:ContributorId AlarmTypes:AlarmTypes "
     "HistoryItemType:HistoryItemType StartDate:Timestamp EndDate:Timestamp MaxRecords:MaxRecords "
     "NextToken:NextToken ScanBy:ScanBy"},
    {"DescribeAlarms", structure, 0, 0,
     "AlarmNames:AlarmNames AlarmNamePrefix:AlarmNamePrefix AlarmTypes:AlarmTypes "
     "ChildrenOfAlarmName:AlarmName ParentsOfAlarmName:AlarmName StateValue:StateValue "
     "ActionPrefix:ActionPrefix MaxRecords:MaxRecords NextToken:NextToken"},
    {"DescribeAlarmsForMetric", structure, 0, 0,
     "MetricName!:MetricName Namespace!:Namespace Statistic:Statistic ExtendedStatistic:ExtendedStatistic "
     "Dimensions:Dimensions Period:Period Unit:StandardUnit"},
    {"Dimension", structure, 0, 0, "Name!:DimensionName Value!:DimensionValue"},
    {"DimensionFilter", structure, 0, 0, "Name!:DimensionName Value:DimensionValue"},
    {"DimensionFilters", list, 0, 10, "DimensionFilter"},
    {"DimensionName", string, 1, 255, "", Pattern::xml_text},
    {"DimensionValue", string, 1, 1024, "", Pattern::xml_text},
    {"Dimensions", list, 0, 30, "Dimension"},
    {"DisableAlarmActions", structure, 0, 0, "AlarmNames!:AlarmNames"},
    {"EnableAlarmActions", structure, 0, 0, "AlarmNames!:AlarmNames"},
    {"EvaluateLowSampleCountPercentile", string, 1, 255, "", Pattern::xml_text},
    {"EvaluationCriteria", structure, 0, 0, "PromQLCriteria:AlarmPromQLCriteria"},
    {"EvaluationInterval", integer, 10, 3600},
    {"EvaluationPeriods", integer, 1, 2147483647},
    {"ExtendedStatistic", string, 1, 64, "", Pattern::xml_text},
    {"ExtendedStatistics", list, 1, 10, "ExtendedStatistic"},
    {"GetInsightRuleReport", structure, 0, 0,
     "RuleName!:InsightRuleName StartTime!:Timestamp EndTime!:Timestamp Period!:Period "
     "MaxContributorCount:InsightRuleUnboundInteger Metrics:InsightRuleMetricList "
     "OrderBy:InsightRuleOrderBy"},
    {"GetMetricData", structure, 0, 0,
     "MetricDataQueries!:MetricDataQueries StartTime!:Timestamp EndTime!:Timestamp NextToken:NextToken "
     "ScanBy:ScanBy MaxDatapoints:GetMetricDataMaxDatapoints LabelOptions:LabelOptions"},
    {"GetMetricDataLabelTimezone", string, 0, 16, "", Pattern::xml_text},
    {"GetMetricDataMaxDatapoints", integer, -2147483648, 2147483647},
    {"GetMetricStatistics", structure, 0, 0,
     "Namespace!:Namespace MetricName!:MetricName Dimensions:Dimensions StartTime!:Timestamp "
     "EndTime!:Timestamp Period!:Period Statistics:Statistics ExtendedStatistics:ExtendedStatistics "
     "Unit:StandardUnit"},
    {"HistoryItemType", string, 0, 0, "ConfigurationUpdate StateUpdate Action AlarmContributorStateUpdate AlarmContributorAction"},
    {"IncludeLinkedAccounts", boolean, 0, 0},
    {"InsightRuleMetricList", list, 0, 20, "InsightRuleMetricName"},
    {"InsightRuleMetricName", string, 1, 32, "", Pattern::printable_ascii},
    {"InsightRuleName", string, 1, 128, "", Pattern::printable_ascii},
    {"InsightRuleOrderBy", string, 1, 32, "", Pattern::printable_ascii},
    {"InsightRuleUnboundInteger", integer, -2147483648, 2147483647},
    {"LabelOptions", structure, 0, 0, "Timezone:GetMetricDataLabelTimezone"},
    {"ListMetrics", structure, 0, 0,
     "Namespace:Namespace MetricName:MetricName Dimensions:DimensionFilters NextToken:NextToken "
     "RecentlyActive:RecentlyActive IncludeLinkedAccounts:IncludeLinkedAccounts OwningAccount:AccountId"},
    {"MaxRecords", integer, 1, 100},
    {"Metric", structure, 0, 0, "Namespace:Namespace MetricName:MetricName Dimensions:Dimensions"},
    {"MetricDataQueries", list, 0, 500, "MetricDataQuery"},
    {"MetricDataQuery", structure, 0, 0,
     "Id!:MetricId MetricStat:MetricStat Expression:MetricExpression Label:MetricLabel "
     "ReturnData:ReturnData Period:Period AccountId:AccountId"},
    {"MetricExpression", string, 1, 2048, "", Pattern::xml_text},
    {"MetricId", string, 1, 255, "", Pattern::xml_text},
    {"MetricLabel", string, 0, 2048, "", Pattern::xml_text},
    {"MetricName", string, 1, 255, "", Pattern::xml_text},
    {"MetricStat", structure, 0, 0, "Metric!:Metric Period!:Period Stat!:Stat Unit:StandardUnit"},
    {"Namespace", string, 1, 255, "", Pattern::no_leading_colon},
    {"NextToken", string, 0, 1024, "", Pattern::xml_text},
    {"PendingPeriod", integer, 0, 86400},
    {"Period", integer, 1, 2147483647},
    {"PutMetricAlarm", structure, 0, 0,
     "AlarmName!:AlarmName AlarmDescription:AlarmDescription ActionsEnabled:ActionsEnabled "
     "OKActions:ResourceList AlarmActions:ResourceList InsufficientDataActions:ResourceList "
     "MetricName:MetricName Namespace:Namespace Statistic:Statistic ExtendedStatistic:ExtendedStatistic "
     "Dimensions:Dimensions Period:Period Unit:StandardUnit EvaluationPeriods:EvaluationPeriods "
     "DatapointsToAlarm:DatapointsToAlarm Threshold:Threshold ComparisonOperator:ComparisonOperator "
     "TreatMissingData:TreatMissingData EvaluateLowSampleCountPercentile:EvaluateLowSampleCountPercentile "
     "Metrics:PutMetricAlarm.Metrics Tags:TagList ThresholdMetricId:MetricId "
     "EvaluationCriteria:EvaluationCriteria EvaluationInterval:EvaluationInterval"},
    {"PutMetricAlarm.Metrics", list, 0, 20, "MetricDataQuery"},
    {"Query", string, 1, 10000, "", Pattern::xml_text},
    {"RecentlyActive", string, 0, 0, "PT3H"},
    {"RecoveryPeriod", integer, 0, 86400},
    {"ResourceList", list, 0, 5, "ResourceName"},
    {"ResourceName", string, 1, 1024, "", Pattern::no_control},
    {"ReturnData", boolean, 0, 0},
    {"ScanBy", string, 0, 0, "TimestampDescending TimestampAscending"},
    {"SetAlarmState", structure, 0, 0, "AlarmName!:AlarmName StateValue!:StateValue StateReason!:StateReason StateReasonData:StateReasonData"},
    {"StandardUnit", string, 0, 0,
     "Seconds Microseconds Milliseconds Bytes Kilobytes Megabytes Gigabytes Terabytes Bits Kilobits "
     "Megabits Gigabits Terabits Percent Count Bytes/Second Kilobytes/Second Megabytes/Second "
     "Gigabytes/Second Terabytes/Second Bits/Second Kilobits/Second Megabits/Second Gigabits/Second "
     "Terabits/Second Count/Second None"},
    {"Stat", string, 1, 64, "", Pattern::xml_text},
    {"StateReason", string, 0, 1023, "", Pattern::xml_text},
    {"StateReasonData", string, 0, 4000, "", Pattern::xml_text},
    {"StateValue", string, 0, 0, "INSUFFICIENT_DATA ALARM OK"},
    {"Statistic", string, 0, 0, "SampleCount Average Sum Minimum Maximum"},
    {"Statistics", list, 1, 5, "Statistic"},
    {"Tag", structure, 0, 0, "Key!:TagKey Value!:TagValue"},
    {"TagKey", string, 1, 128, "", Pattern::xml_text},
    {"TagList", list, 0, 50, "Tag"},
    {"TagValue", string, 0, 256, "", Pattern::xml_text},
    {"Threshold", real, -0x1.0000000000000p+360, 0x1.0000000000000p+360},
    {"Timestamp", time, -62135596800, 253402300799},
    {"TreatMissingData", string, 1, 255, "", Pattern::xml_text},
};

}  // namespace

std::span<const service::Shape> shapes() { return kShapes; }

}  // namespace stator::cloudwatch
