"""What the data directory of a version holds, and how it is read back."""

import boto3

REGION = "us-east-1"


def connect(url, service="dynamodb"):
    return boto3.client(service, endpoint_url=url, region_name=REGION, aws_access_key_id="me",
                        aws_secret_access_key="secret")


def item(number):
    return {
        "pk": {"S": f"CUST#{number % 7}"},
        "sk": {"S": f"ORDER#{number:05}"},
        "status": {"S": ("OPEN", "SHIPPED")[number % 2]},
        "total": {"N": f"{number}.25"},
        "exact": {"N": "1234567890123456789012345678901234567.8"},
        "photo": {"B": bytes(range(number % 32))},
        "flags": {"M": {"gift": {"BOOL": number % 3 == 0}, "note": {"NULL": True}}},
        "lines": {"L": [{"S": "ä"}, {"N": "-1"}, {"L": []}]},
        "tags": {"SS": ["a", "b", f"t{number}"]},
        "sizes": {"NS": ["1", "2.5", str(number + 100)]},
        "keys": {"BS": [b"x", b"yz"]},
        "expires": {"N": "4102444800"},
    }


def fill(url):
    client = connect(url)
    key = [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]
    client.create_table(
        TableName="orders", BillingMode="PAY_PER_REQUEST", KeySchema=key,
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": kind}
                              for name, kind in (("pk", "S"), ("sk", "S"), ("status", "S"), ("total", "N"))],
        LocalSecondaryIndexes=[{
            "IndexName": "by-total", "Projection": {"ProjectionType": "KEYS_ONLY"},
            "KeySchema": [key[0], {"AttributeName": "total", "KeyType": "RANGE"}]}],
        GlobalSecondaryIndexes=[{
            "IndexName": "by-status", "Projection": {"ProjectionType": "ALL"},
            "KeySchema": [{"AttributeName": "status", "KeyType": "HASH"}, {"AttributeName": "total", "KeyType": "RANGE"}]}],
        StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
        Tags=[{"Key": "team", "Value": "orders"}],
    )
    client.update_time_to_live(TableName="orders", TimeToLiveSpecification={"Enabled": True, "AttributeName": "expires"})
    client.create_table(
        TableName="numbers", ProvisionedThroughput={"ReadCapacityUnits": 5, "WriteCapacityUnits": 6},
        AttributeDefinitions=[{"AttributeName": "n", "AttributeType": "N"}],
        KeySchema=[{"AttributeName": "n", "KeyType": "HASH"}],
    )
    for number in range(40):
        client.put_item(TableName="orders", Item=item(number))
        client.put_item(TableName="numbers", Item={"n": {"N": str(number - 20)}})
    for number in range(0, 40, 5):
        client.delete_item(TableName="orders", Key={name: item(number)[name] for name in ("pk", "sk")})
        client.update_item(TableName="numbers", Key={"n": {"N": str(number - 20)}}, UpdateExpression="SET x = :x",
                           ExpressionAttributeValues={":x": {"S": "changed"}})
    connect(url, "cloudwatch").put_metric_alarm(
        AlarmName="busy", Namespace="AWS/DynamoDB", MetricName="ConsumedReadCapacityUnits", Statistic="Sum", Period=60,
        EvaluationPeriods=5, Threshold=100, ComparisonOperator="GreaterThanThreshold",
        Dimensions=[{"Name": "TableName", "Value": "numbers"}])
    connect(url, "application-autoscaling").register_scalable_target(
        ServiceNamespace="dynamodb", ResourceId="table/numbers", ScalableDimension="dynamodb:table:ReadCapacityUnits",
        MinCapacity=5, MaxCapacity=50)


def read(url):
    """Everything that must be the same after a restart, in a form that JSON keeps."""
    client = connect(url)
    orders = client.describe_table(TableName="orders")["Table"]
    return plain({
        "items": {table: client.scan(TableName=table)["Items"] for table in ("orders", "numbers")},
        "descriptions": [described(client.describe_table(TableName=name)["Table"]) for name in ("orders", "numbers")],
        "by-status": query(client, "by-status", "#k = :k", {"#k": "status"}, {":k": {"S": "OPEN"}}),
        "by-total": query(client, "by-total", "#k = :k", {"#k": "pk"}, {":k": {"S": "CUST#3"}}),
        "ttl": client.describe_time_to_live(TableName="orders")["TimeToLiveDescription"],
        "tags": client.list_tags_of_resource(ResourceArn=orders["TableArn"])["Tags"],
        "alarms": [alarm["AlarmName"] for alarm in connect(url, "cloudwatch").describe_alarms()["MetricAlarms"]],
        "targets": [target["MaxCapacity"] for target in
                    connect(url, "application-autoscaling").describe_scalable_targets(ServiceNamespace="dynamodb")["ScalableTargets"]],
    })


def described(table):
    """A description without what a later version may add to it."""
    names = ("TableName", "TableId", "TableArn", "KeySchema", "AttributeDefinitions", "ItemCount", "TableSizeBytes", "CreationDateTime",
             "LatestStreamArn")
    return {name: table[name] for name in names if name in table}


def query(client, index, condition, names, values):
    return client.query(TableName="orders", IndexName=index, KeyConditionExpression=condition, ExpressionAttributeNames=names,
                        ExpressionAttributeValues=values)["Items"]


def plain(value):
    """Bytes and times as texts."""
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, list):
        return [plain(each) for each in value]
    if isinstance(value, bytes):
        return value.hex()
    return value if isinstance(value, (str, int, float, bool, type(None))) else str(value)
