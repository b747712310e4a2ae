"""Which request comes next. Most are such that the service would carry them out: what is refused at once costs little."""

import dataclasses

from expressions import Expressions
from items import NAMES, SMALL_VALUES, TABLE, key, large_values
from shapes import Shapes
from statements import Statements

KEYS = (*NAMES, "wide", "small")


@dataclasses.dataclass
class Request:
    operation: str
    members: dict
    items: int  # how many keys it names
    writes: tuple = ()  # the keys of items that it may change


class Traffic:
    def __init__(self, model, random):
        self.random = random
        self.shapes = Shapes(model, random)
        self.makers = (
            (self.update_item, 6), (self.put_item, 2), (self.delete_item, 1), (self.get_item, 1), (self.query, 2), (self.scan, 3),
            (self.batch_get, 1), (self.batch_write, 1), (self.transaction, 1), (self.statement, 4), (self.legacy_scan, 2),
            (self.legacy_write, 1), (self.create_table, 1), (self.by_shape, 8),
        )

    def next(self):
        makers, weights = zip(*self.makers)
        request = self.random.choices(makers, weights)[0]()
        if self.random.random() < 0.9 and request.operation not in ("CreateTable", "UpdateTable"):
            request.members.setdefault("ReturnConsumedCapacity", "TOTAL")
        return request

    def chosen(self):
        """The key of an item, and the attribute in it that is large."""
        name = self.random.choice(KEYS)
        return name, name if name in NAMES else "l"

    def update_item(self):
        name, heavy = self.chosen()
        expressions = Expressions(self.random, heavy)
        members = {"TableName": TABLE, "Key": key(name), "UpdateExpression": expressions.update()}
        if self.random.random() < 0.4:
            members["ConditionExpression"] = expressions.condition()
        if self.random.random() < 0.3:
            members["ReturnValues"] = self.random.choice(("ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"))
        return Request("UpdateItem", {**members, **expressions.members()}, 1, (name,))

    def conditional(self, operation, name, heavy, members):
        expressions = Expressions(self.random, heavy)
        members["ConditionExpression"] = expressions.condition()
        if self.random.random() < 0.2:
            members["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
        return Request(operation, {"TableName": TABLE, **members, **expressions.members()}, 1, (name,))

    def put_item(self):
        name, heavy = self.chosen()
        value = self.random.choice(large_values() + SMALL_VALUES)
        return self.conditional("PutItem", name, heavy, {"Item": {**key(name), "x": value}})

    def delete_item(self):
        name, heavy = self.chosen()
        return self.conditional("DeleteItem", name, heavy, {"Key": key(name)})

    def get_item(self):
        name, heavy = self.chosen()
        expressions = Expressions(self.random, heavy)
        members = {"TableName": TABLE, "Key": key(name), "ProjectionExpression": expressions.projection()}
        return Request("GetItem", {**members, **expressions.members()}, 1)

    def filtered(self, members, heavy):
        expressions = Expressions(self.random, heavy)
        members["FilterExpression"] = expressions.condition()
        if self.random.random() < 0.3:
            members["ProjectionExpression"] = expressions.projection()
        if self.random.random() < 0.2:
            members["Limit"] = self.random.choice((1, 2, 1000))
        return {**members, **expressions.members()}

    def query(self):
        name, heavy = self.chosen()
        members = self.filtered({"TableName": TABLE, "KeyConditionExpression": "pk=:pk"}, heavy)
        members.setdefault("ExpressionAttributeValues", {})[":pk"] = {"S": name}
        return Request("Query", members, 1)

    def scan(self):
        return Request("Scan", self.filtered({"TableName": TABLE}, self.random.choice(NAMES)), 4)

    def batch_get(self):
        names = self.random.sample(KEYS, self.random.randrange(1, len(KEYS)))
        expressions = Expressions(self.random, self.random.choice(names))
        table = {"Keys": [key(name) for name in names]}
        if self.random.random() < 0.8:
            table["ProjectionExpression"] = expressions.projection()
        return Request("BatchGetItem", {"RequestItems": {TABLE: table}}, len(names))

    def batch_write(self):
        count = self.random.choice((1, 5, 25, 26, 300))
        names = [f"new{at}" for at in range(count)]
        large = self.random.sample(range(count), min(count, 4))
        puts = [
            {"PutRequest": {"Item": {**key(name), "x": self.random.choice(large_values() if at in large else SMALL_VALUES)}}}
            for at, name in enumerate(names)
        ]
        return Request("BatchWriteItem", {"RequestItems": {TABLE: puts}}, min(count, 25))

    def transaction(self):
        names = self.random.sample(KEYS, self.random.randrange(1, 8))
        actions = []
        for name in names:
            expressions = Expressions(self.random, name if name in NAMES else "l")
            action = {"TableName": TABLE, "Key": key(name)}
            if self.random.random() < 0.6:
                action["UpdateExpression"] = expressions.update()
                kind = "Update"
            else:
                action["ConditionExpression"] = expressions.condition()
                kind = "ConditionCheck"
            actions.append({kind: {**action, **expressions.members()}})
        return Request("TransactWriteItems", {"TransactItems": actions}, len(names), tuple(names))

    def statement(self):
        heavy = self.random.choice(NAMES)
        return Request("ExecuteStatement", Statements(self.random, heavy).statement(), 4, (heavy,))

    def legacy_conditions(self, count):
        operator = self.random.choice(("EQ", "NE", "NULL", "NOT_NULL", "CONTAINS", "NOT_CONTAINS", "IN", "BEGINS_WITH"))
        conditions = {}
        for at in range(count):
            name = self.random.choice(NAMES) if at == 0 else f"name{at}"
            condition = {"ComparisonOperator": operator}
            if operator == "IN":
                values = self.random.choice((1, 100, 20_000)) if at == 0 else 1
                condition["AttributeValueList"] = [{"N": str(number)} for number in range(values)]
            elif "NULL" not in operator:
                condition["AttributeValueList"] = [self.random.choice(large_values()) if at == 0 else {"S": "a"}]
            conditions[name] = condition
        return conditions

    def legacy_scan(self):
        count = self.random.choice((1, 2, 100, 5_000))
        members = {"TableName": TABLE, "ScanFilter": self.legacy_conditions(count)}
        if count > 1:
            members["ConditionalOperator"] = self.random.choice(("AND", "OR"))
        return Request("Scan", members, 4)

    def legacy_write(self):
        name, _ = self.chosen()
        count = self.random.choice((1, 100, 20_000))
        if self.random.random() < 0.5:
            updates = {f"name{at}": {"Action": "ADD", "Value": {"N": "1"}} for at in range(count)}
            updates[name] = {"Action": self.random.choice(("ADD", "DELETE", "PUT")), "Value": self.random.choice(large_values())}
            return Request("UpdateItem", {"TableName": TABLE, "Key": key(name), "AttributeUpdates": updates}, 1, (name,))
        expected = {f"name{at}": {"Exists": False} for at in range(count)}
        return Request("PutItem", {"TableName": TABLE, "Item": key(name), "Expected": expected}, 1, (name,))

    def create_table(self):
        count = self.random.choice((1, 2, 1_000, 20_000))
        indexes = self.random.choice((0, 1, 21, 2_000))
        members = {
            "TableName": "other",
            "KeySchema": [{"AttributeName": f"name{at}", "KeyType": "HASH"} for at in range(self.random.choice((1, 2, 3, count)))],
            "AttributeDefinitions": [{"AttributeName": f"name{at}", "AttributeType": "S"} for at in range(count)],
            "BillingMode": "PAY_PER_REQUEST",
        }
        index = {"KeySchema": [{"AttributeName": f"name{count - 1}", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}}
        if indexes:
            members["GlobalSecondaryIndexes"] = [{"IndexName": f"index{at}", **index} for at in range(indexes)]
        if self.random.random() < 0.9:
            members["DeletionProtectionEnabled"] = "perhaps"  # nothing is created; all of it is read
        return Request("CreateTable", members, 0)

    def by_shape(self):
        operation, members = self.shapes.request()
        return Request(operation, members, 4, tuple(KEYS) if operation in ("UpdateItem", "PutItem", "DeleteItem") else ())
