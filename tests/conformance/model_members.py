"""The members of the service's model and requests that hold one of them, right or just past its bounds."""

import copy

import botocore.session

TARGETS = {"dynamodb": "DynamoDB_20120810", "dynamodbstreams": "DynamoDBStreams_20120810"}
# Members of features that are not there: docs/compatibility.md says that they are not looked at.
NOT_LOOKED_AT = {
    "ReplicaUpdates", "GlobalTableWitnessUpdates", "MultiRegionConsistency", "ResourcePolicy", "GlobalTableSourceArn",
    "GlobalTableSettingsReplicationMode", "VectorIndexes", "VectorIndexUpdates"}
TABLE = "the-table-that-is-there"
A = {"S": "a"}
KEY = {"pk": A, "sk": A}
INDEX = {
    "IndexName": "gsi", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["x"]}}
LOCAL_INDEX = {
    **INDEX, "IndexName": "lsi",
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]}
SHARD = "shardId-00000001700000000000-00000000"


def requests(names):
    """A request of each operation that is right but for what a test puts into it."""
    table, arn = names["table"], names["arn"]
    action = {"TableName": table, "Key": KEY}
    statement = f"SELECT * FROM \"{table}\" WHERE pk = ? AND sk = ?"
    return {
        "BatchExecuteStatement": {"Statements": [{"Statement": statement, "Parameters": [A, A]}]},
        "BatchGetItem": {"RequestItems": {table: {"Keys": [KEY]}}},
        "BatchWriteItem": {"RequestItems": {table: [{"PutRequest": {"Item": KEY}}]}},
        "CreateTable": {
            "TableName": names["new"], "BillingMode": "PAY_PER_REQUEST", "KeySchema": LOCAL_INDEX["KeySchema"],
            "AttributeDefinitions": [{"AttributeName": n, "AttributeType": "S"} for n in ("pk", "sk")]},
        "DeleteItem": action,
        "DeleteTable": {"TableName": names["new"]},
        "ExecuteStatement": {"Statement": statement, "Parameters": [A, A]},
        "ExecuteTransaction": {"TransactStatements": [{"Statement": statement, "Parameters": [A, A]}]},
        "GetItem": action,
        "PutItem": {"TableName": table, "Item": KEY},
        "Query": {"TableName": table, "KeyConditions": {"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [A]}}},
        "Scan": {"TableName": table},
        "ListTagsOfResource": {"ResourceArn": arn},
        "TagResource": {"ResourceArn": arn, "Tags": [{"Key": "a", "Value": "b"}]},
        "UntagResource": {"ResourceArn": arn, "TagKeys": ["a"]},
        "TransactGetItems": {"TransactItems": [{"Get": action}]},
        "TransactWriteItems": {"TransactItems": [{"Delete": action}]},
        "UpdateContributorInsights": {"TableName": table, "ContributorInsightsAction": "DISABLE"},
        "UpdateItem": action,
        "UpdateTable": {"TableName": table, "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]},
        "UpdateTimeToLive": {"TableName": table, "TimeToLiveSpecification": {"Enabled": False, "AttributeName": "ttl"}},
        "DescribeStream": {"StreamArn": names["stream"]},
        "GetRecords": {"ShardIterator": names["iterator"]},
        "GetShardIterator": {"StreamArn": names["stream"], "ShardId": names["shard"], "ShardIteratorType": "LATEST"},
        "DescribeTable": {"TableName": table}, "DescribeTimeToLive": {"TableName": table},
        "DescribeContinuousBackups": {"TableName": table}, "DescribeContributorInsights": {"TableName": table},
        "DescribeLimits": {}, "DescribeEndpoints": {}, "ListTables": {}, "ListStreams": {}, "ListContributorInsights": {},
    }


SERVED = requests(dict.fromkeys(("table", "arn", "new", "stream", "shard", "iterator"), TABLE))


# What a structure that a test has to add consists of, where the model's required members are not enough for it.
PARTS = {
    "AttributeValue": A, "GlobalSecondaryIndex": INDEX, "CreateGlobalSecondaryIndexAction": INDEX, "LocalSecondaryIndex": LOCAL_INDEX,
    "Condition": {"ComparisonOperator": "EQ", "AttributeValueList": [A]}, "AttributeValueUpdate": {"Value": A},
    "ExpectedAttributeValue": {"Value": A}, "WriteRequest": {"PutRequest": {"Item": KEY}}, "KeysAndAttributes": {"Keys": [KEY]},
    "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5}, "Put": {"Item": KEY}, "Key": KEY,
    "Get": {"Key": KEY}, "Delete": {"Key": KEY}, "Update": {"Key": KEY, "UpdateExpression": "SET a = b"},
    "ConditionCheck": {"Key": KEY, "ConditionExpression": "attribute_exists(a)"},
    "ShardFilter": {"Type": "CHILD_SHARDS", "ShardId": SHARD}, "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"},
    "SSESpecification": {"Enabled": True, "SSEType": "KMS"},
}


def sample(shape, number=0):
    """Something that the shape allows; another one for each number."""
    limits = shape.metadata
    if shape.name in PARTS:
        made = copy.deepcopy(PARTS[shape.name])
        if shape.type_name == "structure" and "TableName" in shape.members:
            made["TableName"] = TABLE
        return made
    if shape.type_name == "structure":
        return {name: sample(shape.members[name], number) for name in shape.required_members}
    if shape.type_name == "list":
        return [sample(shape.member, i) for i in range(max(1, limits.get("min", 1)))]
    if shape.type_name == "map":
        return {sample(shape.key, number): sample(shape.value, number)}
    if shape.type_name == "string":
        return limits["enum"][0] if "enum" in limits else f"x{number:03}".ljust(limits.get("min", 0), "x")
    return {"integer": 1, "long": 1, "boolean": True}[shape.type_name]


def past(shape):
    """What is just past the bounds of a shape, by the name of the bound."""
    limits, found = shape.metadata, {}
    low, high = limits.get("min"), limits.get("max")
    if shape.type_name == "string":
        if "enum" in limits:
            found["enum"] = "nonsense"
        if low:
            found["shortest"] = "x" * (low - 1)
        if high:
            found["longest"] = "x" * (high + 1)
        if "pattern" in limits:
            found["pattern"] = "!" * max(low or 1, 1)
    elif shape.type_name == "list":
        if low:
            found["fewest"] = [sample(shape.member, i) for i in range(low - 1)]
        if high:
            found["most"] = [sample(shape.member, i) for i in range(high + 1)]
    elif shape.type_name == "map":
        if low:
            found["fewest"] = {}
        if high:
            found["most"] = {sample(shape.key, i): sample(shape.value, i) for i in range(high + 1)}
    elif shape.type_name in ("integer", "long"):
        if low is not None:
            found["least"] = low - 1
        if high is not None:
            found["greatest"] = high + 1
    return found


def walk(shape, path=(), stack=()):
    """Every member below a shape, as a path of steps and its shape."""
    if shape.name in stack or shape.name == "AttributeValue":
        return
    stack = (*stack, shape.name)
    if shape.type_name == "structure":
        for name, member in shape.members.items():
            if name in NOT_LOOKED_AT:
                continue
            yield (*path, name), member, name in shape.required_members
            yield from walk(member, (*path, name), stack)
    elif shape.type_name == "list":
        yield (*path, "[]"), shape.member, False
        yield from walk(shape.member, (*path, "[]"), stack)
    elif shape.type_name == "map":
        yield (*path, "{key}"), shape.key, False
        yield (*path, "{}"), shape.value, False
        yield from walk(shape.value, (*path, "{}"), stack)


def changed(request, shape, path, change):
    """The request with `change` made to the container that holds the last step; what is missing on the way is added."""
    request = copy.deepcopy(request)
    at = request
    for step in path[:-1]:
        if step == "[]":
            shape, place = shape.member, 0
            at[:] = at or [sample(shape)]
        elif step == "{}":
            shape, place = shape.value, next(iter(at), None)
            if place is None:
                place = "x"
                at[place] = sample(shape)
        else:
            shape, place = shape.members[step], step
            if place not in at:
                at[place] = sample(shape)
        at = at[place]
    change(at, path[-1])
    return request


def member_at(shape, path):
    for step in path:
        if step in INSIDE:
            shape = getattr(shape, INSIDE[step])
        else:
            shape = shape.members[step]
    return shape


INSIDE = {"[]": "member", "{}": "value", "{key}": "key"}


def put(value):
    def change(at, step):
        if step == "[]":
            at[:] = [value, *at[1:]]
        elif step == "{key}":
            first = next(iter(at.values()), A)
            at.clear()
            at[value] = first
        elif step == "{}":
            at[next(iter(at), "x")] = value
        else:
            at[step] = value

    return change


def without(at, step):
    at.pop(step, None)


def models():
    session = botocore.session.get_session()
    for service in TARGETS:
        model = session.get_service_model(service)
        for name in model.operation_names:
            yield service, name, model.operation_model(name).input_shape


def cases():
    for service, operation, shape in models():
        if operation not in SERVED:
            continue
        for path, member, required in walk(shape) if shape else ():
            for bound, value in past(member).items():
                yield service, operation, path, bound, value
            if required:
                yield service, operation, path, "required", None


def upward(shape):
    """Whether the model has an upper bound."""
    return shape.type_name in ("structure", "boolean") or not {"longest", "most", "greatest", "enum"}.isdisjoint(past(shape))


SHAPES = {operation: shape for _, operation, shape in models()}


EXPRESSIONS = {
    "ConditionExpression": "attribute_exists(a)", "FilterExpression": "attribute_exists(a)", "ProjectionExpression": "a"}
ACTIONS = {"Put", "Update", "Delete", "ConditionCheck", "PutRequest", "DeleteRequest"}


def alone(request, shape, path):
    """The request without what cannot go together with the member: older parameters, another action, no expression at all."""
    request = copy.deepcopy(request)
    at = request
    for step in path:
        if step in ACTIONS:
            at.clear()
        if step == "ProvisionedThroughput":
            at.pop("BillingMode", None)
        if step == "KeyConditionExpression" or step.startswith("ExpressionAttribute"):
            at.pop("KeyConditions", None)
            for name, text in EXPRESSIONS.items():
                if name in shape.members:
                    at.setdefault(name, text)
                    break
            if "KeyConditionExpression" in shape.members:
                at.setdefault("KeyConditionExpression", "pk = :a0")
        if step in INSIDE:
            shape, step = getattr(shape, INSIDE[step]), 0 if step == "[]" else next(iter(at), None)
        else:
            shape = shape.members[step]
        if (isinstance(at, dict) and step not in at) or (isinstance(at, list) and not at):
            if shape.type_name != "structure":
                break
            at[step] = sample(shape)
        at = at[step]
    return request
