"""DescribeContinuousBackups of tables whose recovery to a point in time is off, which some libraries look at first."""

import pytest

from wire import NAME_PATTERN, NOT_NULL, assert_error, assert_violations, violation

OFF = {
    "ContinuousBackupsDescription": {
        "ContinuousBackupsStatus": "ENABLED",
        "PointInTimeRecoveryDescription": {"PointInTimeRecoveryStatus": "DISABLED"},
    }
}


@pytest.fixture(scope="module")
def table(create):
    return create("backups", {"pk": "S"})


def test_a_table_is_named_or_told_by_its_arn(db, table):
    arn = db.call("DescribeTable", TableName=table)["Table"]["TableArn"]
    for name in (table, arn):
        assert db.call("DescribeContinuousBackups", TableName=name) == OFF


def test_no_such_table_has_an_exception_of_its_own(db):
    answer = db.post("DescribeContinuousBackups", {"TableName": "no-such-table"})
    assert_error(answer, "TableNotFoundException", "Table not found: no-such-table")


def test_the_table_name_is_required_and_checked(db):
    assert_violations(db.post("DescribeContinuousBackups", {}), violation(None, "tableName", NOT_NULL))
    answer = db.post("DescribeContinuousBackups", {"TableName": "abc;"})
    assert_violations(answer, violation("abc;", "tableName", NAME_PATTERN))
    answer = db.post("DescribeContinuousBackups", {"TableName": 1})
    assert (answer.status, answer.code) == (400, "SerializationException")
