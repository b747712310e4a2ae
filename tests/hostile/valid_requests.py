"""Valid requests of every operation, at random. They are what the mutations start from."""

import base64
import copy

import tables
from expressions import Expressions

KEYS = 40  # different keys per table, so that the data stays small
NAMES = ["a", "b", "c", "d", "lst", "mp", "with.dot", "ünïcode"]
RARE = {
    "DeleteTable": 0.2, "CreateTable": 3, "UpdateTable": 3, "ListTables": 3, "DescribeLimits": 2,
    "DescribeEndpoints": 2,
}
SCHEMAS = {  # table suffix to key names, types, local and global indexes
    "plain": (("pk",), {"pk": "S"}, [], []),
    "number": (("pk", "sk"), {"pk": "S", "sk": "N"}, [], []),
    "binary": (("pk", "sk"), {"pk": "B", "sk": "B"}, [], []),
    "indexed": (
        ("pk", "sk"),
        {"pk": "S", "sk": "N", "a": "S", "b": "N"},
        [tables.index("local", ("pk", "b"))],
        [tables.index("global", ("a", "b")), tables.index("sparse", ("b",), "INCLUDE", ["c"])],
    ),
}


def table_members(name, schema):
    keys, types, local, globals_ = SCHEMAS[schema]
    members = {
        "TableName": name,
        "KeySchema": tables.key_schema(*keys),
        "AttributeDefinitions": [{"AttributeName": n, "AttributeType": t} for n, t in types.items()],
        "BillingMode": "PAY_PER_REQUEST",
    }
    if local:
        members["LocalSecondaryIndexes"] = local
    if globals_:
        members["GlobalSecondaryIndexes"] = globals_
    return members


class Requests:
    """Makes requests to the tables `prefix`-plain, -number, ... Every choice comes from `choices`."""

    def __init__(self, choices, prefix):
        self._choices = choices
        self._prefix = prefix
        self._makers = {
            "PutItem": self.put_item, "GetItem": self.get_item, "UpdateItem": self.update_item,
            "DeleteItem": self.delete_item, "Query": self.query, "Scan": self.scan,
            "BatchGetItem": self.batch_get_item, "BatchWriteItem": self.batch_write_item,
            "CreateTable": self.create_table, "UpdateTable": self.update_table, "DescribeTable": self.table_name,
            "DeleteTable": self.table_name, "ListTables": self.list_tables, "DescribeLimits": dict,
            "DescribeEndpoints": dict, "TransactWriteItems": self.transact_write,
            "TransactGetItems": self.transact_get,
        }
        self._operations = list(self._makers)
        self._weights = [RARE.get(name, 20) for name in self._operations]

    def one(self):
        """(operation, document)"""
        operation = self._choices.choices(self._operations, self._weights)[0]
        return operation, self._makers[operation]()

    def _schema(self):
        schema = self._choices.choice(list(SCHEMAS))
        return schema, f"{self._prefix}-{schema}"

    def key_value(self, kind):
        n = self._choices.randrange(KEYS)
        if kind == "S":
            return {"S": f"key-{n}"}
        if kind == "N":
            return {"N": str(n * 7 - 100)}
        return {"B": base64.b64encode(bytes([n, 0, 255])).decode()}

    def key(self, schema):
        keys, types, _, _ = SCHEMAS[schema]
        return {name: self.key_value(types[name]) for name in keys}

    def value(self, depth=0):
        c = self._choices
        kind = c.randrange(10 if depth < 3 else 7)
        if kind == 0:
            return {"S": "x" * c.choice((0, 1, 10, 300))}
        if kind == 1:
            return {"N": c.choice(("0", "-1", "3.14", "1e10", "9" * 38, "-0.001"))}
        if kind == 2:
            return {"B": base64.b64encode(c.randbytes(c.randrange(20))).decode()}
        if kind == 3:
            return {"BOOL": c.random() < 0.5}
        if kind == 4:
            return {"NULL": True}
        if kind == 5:
            return {"SS": [f"s{n}" for n in range(c.randrange(1, 4))]}
        if kind == 6:
            return {"NS": [str(n) for n in range(c.randrange(1, 4))]}
        if kind == 7:
            return {"BS": ["YQ==", "Yg=="]}
        if kind == 8:
            return {"L": [self.value(depth + 1) for _ in range(c.randrange(3))]}
        return {"M": {c.choice(NAMES): self.value(depth + 1) for _ in range(c.randrange(3))}}

    def item(self, schema):
        _, types, _, _ = SCHEMAS[schema]
        item = {name: self.value() for name in self._choices.sample(NAMES, 3)}
        for name, kind in types.items():
            item[name] = self.key_value(kind)
        return item

    def _expressions(self):
        return Expressions(self._choices, self.value)

    def _condition(self, member="ConditionExpression"):
        expressions = self._expressions()
        return expressions.members(**{member: expressions.condition()})

    def put_item(self):
        schema, table = self._schema()
        document = {"TableName": table, "Item": self.item(schema)}
        return document | self._choices.choice((dict, dict, self._condition))() | self._extras()

    def _extras(self):
        return self._choices.choice((
            {}, {"ReturnValues": "ALL_OLD"}, {"ReturnConsumedCapacity": "INDEXES"},
            {"ReturnItemCollectionMetrics": "SIZE", "ReturnConsumedCapacity": "TOTAL"},
            {"ReturnValuesOnConditionCheckFailure": "ALL_OLD"},
        ))

    def get_item(self):
        schema, table = self._schema()
        expressions = self._expressions()
        return self._choices.choice((
            {},
            {"ConsistentRead": True, "ReturnConsumedCapacity": "TOTAL"},
            expressions.members(ProjectionExpression=expressions.projection()),
            {"AttributesToGet": ["a", "b"]},
        )) | {"TableName": table, "Key": self.key(schema)}

    def update_item(self):
        schema, table = self._schema()
        document = {"TableName": table, "Key": self.key(schema)}
        document["ReturnValues"] = self._choices.choice(("NONE", "ALL_NEW", "ALL_OLD", "UPDATED_OLD", "UPDATED_NEW"))
        expressions = self._expressions()
        kind = self._choices.randrange(6)
        if kind == 0:
            return document | {"AttributeUpdates": {"c": {"Action": "PUT", "Value": self.value()}}}
        if kind == 1:
            return document | {
                "AttributeUpdates": {"n": {"Action": "ADD", "Value": {"N": "5"}}},
                "Expected": {"a": {"ComparisonOperator": "NE", "AttributeValueList": [{"S": "x"}]}},
            }
        update = {"UpdateExpression": expressions.update()}
        if kind == 2:
            update["ConditionExpression"] = expressions.condition()
        return document | expressions.members(**update)

    def delete_item(self):
        schema, table = self._schema()
        document = {"TableName": table, "Key": self.key(schema)}
        return document | self._choices.choice((dict, dict, self._condition))() | self._extras()

    def query(self):
        schema, table = self._schema()
        keys, types, _, _ = SCHEMAS[schema]
        c, expressions = self._choices, self._expressions()
        condition = f"pk = {expressions.placeholder(self.key_value(types['pk']))}"
        if len(keys) > 1 and c.random() < 0.7:
            kind, values = types["sk"], [self.key_value(types["sk"]) for _ in range(2)]
            low, high = sorted(values, key=lambda v: float(v["N"]) if kind == "N" else v[kind])
            condition += c.choice((
                lambda: f" AND sk BETWEEN {expressions.placeholder(low)} AND {expressions.placeholder(high)}",
                lambda: f" AND sk {c.choice(('=', '<', '<=', '>', '>='))} {expressions.placeholder(low)}",
            ))()
        document = {"TableName": table, "Limit": 20, "KeyConditionExpression": condition}
        more = c.randrange(7)
        if more == 0:
            document["FilterExpression"] = f"attribute_exists({expressions.path()})"
        elif more == 1:
            document["ProjectionExpression"] = expressions.projection()
        elif more < 6:
            document |= (
                {"ScanIndexForward": False}, {"Select": "COUNT"}, {"ConsistentRead": True},
                {"ExclusiveStartKey": self.key(schema)},
            )[more - 2]
        return expressions.members(**document)

    def scan(self):
        schema, table = self._schema()
        document = {"TableName": table, "Limit": self._choices.choice((1, 5, 20))}
        return document | self._choices.choice((
            {}, {"Segment": 1, "TotalSegments": 3}, {"ExclusiveStartKey": self.key(schema)},
            {"IndexName": "sparse"} if schema == "indexed" else {}, self._condition("FilterExpression"),
            {"ScanFilter": {"a": {"ComparisonOperator": "CONTAINS", "AttributeValueList": [{"S": "x"}]}}},
        ))

    def batch_get_item(self):
        schema, table = self._schema()
        return {"RequestItems": {table: {"Keys": [self.key(schema) for _ in range(3)], "ConsistentRead": True}}}

    def batch_write_item(self):
        schema, table = self._schema()
        puts = [{"PutRequest": {"Item": self.item(schema)}} for _ in range(2)]
        return {"RequestItems": {table: [*puts, {"DeleteRequest": {"Key": self.key(schema)}}]}}

    def transact_write(self):
        schema, table = self._schema()
        return {"TransactItems": [
            {"Put": {"TableName": table, "Item": self.item(schema)}},
            {"ConditionCheck": {"TableName": table, "Key": self.key(schema)} | self._condition()},
        ]}

    def transact_get(self):
        schema, table = self._schema()
        return {"TransactItems": [{"Get": {"TableName": table, "Key": self.key(schema)}}]}

    def create_table(self):
        schema, table = self._schema()
        return copy.deepcopy(table_members(table, schema))  # mutations must not reach SCHEMAS

    def update_table(self):
        _, table = self._schema()
        return {"TableName": table} | self._choices.choice((
            {"BillingMode": "PAY_PER_REQUEST"}, {"DeletionProtectionEnabled": False},
            {"TableClass": "STANDARD"}, {"StreamSpecification": {"StreamEnabled": False}},
        ))

    def table_name(self):
        return {"TableName": self._schema()[1]}

    def list_tables(self):
        return self._choices.choice(({}, {"Limit": 3}, {"ExclusiveStartTableName": "sandbox"}))
