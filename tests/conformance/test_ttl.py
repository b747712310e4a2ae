"""UpdateTimeToLive, DescribeTimeToLive, and which items expire.

How soon an expired item goes is the server's affair: the service takes minutes to days. The tests that wait
for it run only with STATOR_EXPIRY_S, the seconds within which it is to happen.
"""

import os
import time

import pytest

from wire import NAME_PATTERN, NOT_NULL, assert_error, assert_invalid, assert_violations, longer, shorter, violation

EXPIRY_S = float(os.environ.get("STATOR_EXPIRY_S", "0"))
DISABLED = {"TimeToLiveDescription": {"TimeToLiveStatus": "DISABLED"}}
YEAR_S = 365 * 24 * 3600


@pytest.fixture
def table(create):
    return create("ttl", {"pk": "S"})


@pytest.fixture(scope="module")
def untouched(create):
    """A table whose setting no test changes."""
    return create("ttl", {"pk": "S"})


def setting(name="ttl", enabled=True):
    return {"AttributeName": name, "Enabled": enabled}


def post(db, table, specification):
    return db.post("UpdateTimeToLive", {"TableName": table, "TimeToLiveSpecification": specification})


def described(db, table):
    return db.call("DescribeTimeToLive", TableName=table)


def at(member):
    return "timeToLiveSpecification." + member


CONSTRAINTS = {
    "nothing": ({}, [(None, "timeToLiveSpecification", NOT_NULL)]),
    "empty": ({"TimeToLiveSpecification": {}},
              [(None, at("attributeName"), NOT_NULL), (None, at("enabled"), NOT_NULL)]),
    "no name": ({"TimeToLiveSpecification": {"Enabled": True}}, [(None, at("attributeName"), NOT_NULL)]),
    "no answer": ({"TimeToLiveSpecification": {"AttributeName": "a"}}, [(None, at("enabled"), NOT_NULL)]),
    "empty name": ({"TimeToLiveSpecification": setting("")}, [("", at("attributeName"), longer(1))]),
    "long name": ({"TimeToLiveSpecification": setting("a" * 256)}, [("a" * 256, at("attributeName"), shorter(255))]),
}


@pytest.mark.parametrize("members, found", CONSTRAINTS.values(), ids=CONSTRAINTS.keys())
def test_constraints(db, members, found):
    answer = db.post("UpdateTimeToLive", {"TableName": "no-such-table", **members})
    assert_violations(answer, *[violation(*f) for f in found])


@pytest.mark.parametrize(
    "specification", ["x", {"AttributeName": "a", "Enabled": 1}, {"AttributeName": 1, "Enabled": True}],
    ids=["structure", "answer", "name"])
def test_types_come_first(db, specification):
    answer = post(db, "no-such-table", specification)
    assert (answer.status, answer.code) == (400, "SerializationException")


CALLS = {
    "UpdateTimeToLive": {"TimeToLiveSpecification": setting()},
    "DescribeTimeToLive": {},
}
each_operation = pytest.mark.parametrize("operation, members", CALLS.items(), ids=CALLS.keys())


@each_operation
def test_table_name_is_required(db, operation, members):
    assert_invalid(
        db.post(operation, members), "The parameter 'TableName' is required but was not present in the request")


@each_operation
def test_bad_table_name(db, operation, members):
    answer = db.post(operation, {"TableName": "abc;", **members})
    assert_violations(answer, violation("abc;", "tableName", NAME_PATTERN))


@each_operation
def test_no_such_table(db, operation, members):
    assert_error(
        db.post(operation, {"TableName": "no-such-table", **members}), "ResourceNotFoundException",
        "Requested resource not found: Table: no-such-table not found")


def test_never_enabled(db, untouched):
    assert described(db, untouched) == DISABLED
    assert_invalid(post(db, untouched, setting(enabled=False)), "TimeToLive is already disabled")
    assert described(db, untouched) == DISABLED


def test_enabling(db, table):
    specification = setting("expires-at")
    assert post(db, table, specification).json() == {"TimeToLiveSpecification": specification}
    answer = described(db, table)["TimeToLiveDescription"]
    assert answer["AttributeName"] == "expires-at"
    assert answer["TimeToLiveStatus"] in ("ENABLED", "ENABLING")


def test_refused_once_enabled(db, table):
    assert post(db, table, setting()).status == 200
    assert_invalid(post(db, table, setting()), "TimeToLive is already enabled")
    different = "TimeToLive is active on a different AttributeName: current AttributeName is ttl"
    assert_invalid(post(db, table, setting("other")), different)
    assert_invalid(post(db, table, setting("other", enabled=False)), different)
    assert described(db, table)["TimeToLiveDescription"]["AttributeName"] == "ttl"


def test_disabling(db, table):
    """The service refuses a second change within the hour; a server need not."""
    assert post(db, table, setting()).status == 200
    answer = post(db, table, setting(enabled=False))
    if answer.status == 400:
        assert_invalid(answer, "Time to live has been modified multiple times within a fixed interval")
        return
    assert answer.json() == {"TimeToLiveSpecification": setting(enabled=False)}
    assert described(db, table) == DISABLED


@pytest.mark.parametrize("name", ["pk", "a" * 255, "with space", "#x"])
def test_any_attribute_will_do(db, table, name):
    assert post(db, table, setting(name)).status == 200
    assert described(db, table)["TimeToLiveDescription"]["AttributeName"] == name


def test_a_setting_goes_with_its_table(db, unique, create):
    first = create("ttl", {"pk": "S"})
    assert post(db, first, setting()).status == 200
    second = create("ttl", {"pk": "S"})
    assert described(db, second) == DISABLED


# Expiry.

def number(value):
    return {"N": str(value)}


# What is stored, as a function of now, and whether it goes.
VALUES = {
    "a moment ago": (lambda now: number(now - 10), True),
    "four years ago": (lambda now: number(now - 4 * YEAR_S), True),
    "a fraction": (lambda now: number(f"{now - 10}.5"), True),
    "an exponent": (lambda now: number(f"{(now - 10) // 10}e1"), True),
    "an hour from now": (lambda now: number(now + 3600), False),
    "more than five years ago": (lambda now: number(now - 6 * YEAR_S), False),
    "milliseconds": (lambda now: number(now * 1000), False),
    "zero": (lambda now: number(0), False),
    "negative": (lambda now: number(-now), False),
    "a string": (lambda now: {"S": str(now - 10)}, False),
    "a set": (lambda now: {"NS": [str(now - 10)]}, False),
    "a list": (lambda now: {"L": [number(now - 10)]}, False),
    "within a map": (lambda now: {"M": {"ttl": number(now - 10)}}, False),
}


@pytest.fixture(scope="module")
def survivors(db, create):
    """The names of VALUES whose items are left once an item written last is gone."""
    table = create("ttl", {"pk": "S"})
    now = int(time.time())
    for name, (value, _) in VALUES.items():
        db.call("PutItem", TableName=table, Item={"pk": {"S": name}, "ttl": value(now)})
    db.call("PutItem", TableName=table, Item={"pk": {"S": "no ttl"}})
    assert post(db, table, setting()).status == 200
    gone = {name for name, (_, goes) in VALUES.items() if goes}
    deadline = time.monotonic() + EXPIRY_S
    while True:
        left = {i["pk"]["S"] for i in db.call("Scan", TableName=table, ConsistentRead=True)["Items"]}
        if not left & gone or time.monotonic() > deadline:
            return left
        time.sleep(0.1)


waits = pytest.mark.skipif(not EXPIRY_S, reason="STATOR_EXPIRY_S is not set")


@waits
@pytest.mark.parametrize("name", VALUES)
def test_expiry(survivors, name):
    assert (name not in survivors) == VALUES[name][1]


@waits
def test_an_item_without_the_attribute_stays(survivors):
    assert "no ttl" in survivors


@waits
def test_expired_items_leave_the_indexes(db, indexed_table, unique):
    group = {"S": unique("group")}
    item = {"pk": group, "sk": {"S": "a"}, "gpk": group, "lsk": group, "expires": number(int(time.time()) - 10)}
    db.call("PutItem", TableName=indexed_table, Item=item)
    post(db, indexed_table, setting("expires"))
    deadline = time.monotonic() + EXPIRY_S

    def found(**members):
        return db.call("Query", TableName=indexed_table, ExpressionAttributeValues={":g": group}, **members)["Count"]

    while found(KeyConditionExpression="pk = :g") and time.monotonic() < deadline:
        time.sleep(0.1)
    assert found(KeyConditionExpression="pk = :g") == 0
    assert found(KeyConditionExpression="pk = :g", IndexName="lsi") == 0
    assert found(KeyConditionExpression="gpk = :g", IndexName="gsi") == 0


def test_without_the_setting_nothing_expires(db, untouched):
    item = {"pk": {"S": "old"}, "ttl": number(int(time.time()) - 10)}
    db.call("PutItem", TableName=untouched, Item=item)
    time.sleep(min(EXPIRY_S, 2))
    assert db.call("GetItem", TableName=untouched, Key={"pk": {"S": "old"}})["Item"] == item
