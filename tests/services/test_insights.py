"""Contributor Insights: which keys are used most."""

import datetime

import botocore.exceptions
import pytest

HOUR = datetime.timedelta(hours=1)


def report(endpoint, rule, **more):
    now = datetime.datetime.now(datetime.timezone.utc)
    return endpoint.client("cloudwatch").get_insight_rule_report(
        RuleName=rule, StartTime=now - HOUR, EndTime=now + HOUR, Period=3600, **more)


@pytest.fixture(scope="module")
def table(endpoint):
    dynamodb = endpoint.client("dynamodb")
    dynamodb.create_table(
        TableName="watched", BillingMode="PAY_PER_REQUEST",
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")])
    return dynamodb


def test_hot_keys_are_found(endpoint, table):
    answer = table.update_contributor_insights(TableName="watched", ContributorInsightsAction="ENABLE")
    assert answer["ContributorInsightsStatus"] == "ENABLING"
    for number in range(30):
        table.put_item(TableName="watched", Item={"pk": {"S": "hot"}, "sk": {"S": str(number % 3)}})
        table.put_item(TableName="watched", Item={"pk": {"S": f"cold-{number}"}, "sk": {"S": "x"}})
    for _ in range(4):
        table.query(TableName="watched", KeyConditionExpression="#p = :p", ExpressionAttributeNames={"#p": "pk"},
                    ExpressionAttributeValues={":p": {"S": "hot"}}, ConsistentRead=True)
    described = table.describe_contributor_insights(TableName="watched")
    assert described["ContributorInsightsStatus"] == "ENABLED"
    assert described["ContributorInsightsMode"] == "ACCESSED_AND_THROTTLED_KEYS"
    rules = described["ContributorInsightsRuleList"]
    assert [rule.split("-")[1] for rule in rules] == ["PKC", "SKC", "PKT", "SKT"]
    by_key = report(endpoint, rules[0])
    assert by_key["KeyLabels"] == ["PARTITION_KEY"]
    assert by_key["Contributors"][0]["Keys"] == ["hot"]
    assert by_key["Contributors"][0]["ApproximateAggregateValue"] == pytest.approx(34, abs=64 / 64)
    assert by_key["AggregateValue"] == 64
    pairs = report(endpoint, rules[1], MaxContributorCount=3)
    assert {tuple(one["Keys"]) for one in pairs["Contributors"]} == {("hot", "0"), ("hot", "1"), ("hot", "2")}
    assert report(endpoint, rules[2])["Contributors"] == []


def test_modes_and_lists(endpoint, table):
    table.update_contributor_insights(TableName="watched", ContributorInsightsAction="ENABLE",
                                      ContributorInsightsMode="THROTTLED_KEYS")
    described = table.describe_contributor_insights(TableName="watched")
    assert [rule.split("-")[1] for rule in described["ContributorInsightsRuleList"]] == ["PKT", "SKT"]
    listed = table.list_contributor_insights()["ContributorInsightsSummaries"]
    assert [(one["TableName"], one["ContributorInsightsStatus"]) for one in listed] == [("watched", "ENABLED")]
    answer = table.update_contributor_insights(TableName="watched", ContributorInsightsAction="DISABLE")
    assert answer["ContributorInsightsStatus"] == "DISABLING"
    described = table.describe_contributor_insights(TableName="watched")
    assert (described["ContributorInsightsStatus"], described["ContributorInsightsMode"]) == ("DISABLED", "THROTTLED_KEYS")
    assert "ContributorInsightsRuleList" not in described
    assert table.list_contributor_insights()["ContributorInsightsSummaries"] == []


def test_what_is_so_already(table):
    def ask(action, **more):
        return table.update_contributor_insights(TableName="watched", ContributorInsightsAction=action, **more)[
            "ContributorInsightsStatus"]

    assert [ask("DISABLE"), ask("ENABLE"), ask("ENABLE")] == ["DISABLED", "ENABLING", "ENABLED"]
    assert ask("ENABLE", ContributorInsightsMode="THROTTLED_KEYS") == "ENABLING"
    assert [ask("ENABLE"), ask("DISABLE"), ask("DISABLE")] == ["ENABLING", "DISABLING", "DISABLED"]


def test_a_table_without_sort_key_has_no_rules_about_pairs(table):
    table.create_table(TableName="plain", BillingMode="PAY_PER_REQUEST",
                       KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
                       AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}])
    table.update_contributor_insights(TableName="plain", ContributorInsightsAction="ENABLE")
    rules = table.describe_contributor_insights(TableName="plain")["ContributorInsightsRuleList"]
    assert [rule.split("-")[1] for rule in rules] == ["PKC", "PKT"]
    table.delete_table(TableName="plain")


def test_refusals(endpoint, table):
    with pytest.raises(table.exceptions.ResourceNotFoundException):
        table.describe_contributor_insights(TableName="nothing")
    with pytest.raises(table.exceptions.ResourceNotFoundException, match="Index: nothing not found for table: watched"):
        table.update_contributor_insights(TableName="watched", IndexName="nothing", ContributorInsightsAction="ENABLE")
    with pytest.raises(botocore.exceptions.ClientError) as refused:
        table.update_contributor_insights(TableName="watched", ContributorInsightsAction="PERHAPS")
    assert refused.value.response["Error"]["Code"] == "ValidationException"
    with pytest.raises(botocore.exceptions.ClientError) as refused:
        report(endpoint, "no-such-rule")
    assert refused.value.response["Error"]["Code"] == "ResourceNotFoundException"
