"""Requests made from the service's public model: its members, types and bounds, and values at and past the bounds."""

import string

from items import NAMES, SMALL_VALUES, TABLE, large_values

OPERATIONS = (
    "BatchExecuteStatement", "BatchGetItem", "BatchWriteItem", "CreateTable", "DeleteItem", "DescribeTable", "ExecuteStatement",
    "ExecuteTransaction", "GetItem", "ListTables", "ListTagsOfResource", "PutItem", "Query", "Scan", "TagResource",
    "TransactGetItems", "TransactWriteItems", "UntagResource", "UpdateItem", "UpdateTable", "UpdateTimeToLive",
)
TABLE_NAMES = {"TableName", "TableArn"}
PAST_BOUNDS = ({"N": "1" * 39}, {"N": "1E126"}, {"NS": []}, {"SS": ["a", "a"]}, {"B": "A"}, {"NULL": False}, {}, {"S": "a", "N": "1"})
LEAVES_MAX = 60_000  # of one request, so that making it does not take longer than answering it
BYTES_MAX = 3_000_000


class Shapes:
    def __init__(self, model, random):
        self.model = model
        self.random = random
        self.inputs = {name: model.operation_model(name).input_shape for name in OPERATIONS}
        self.leaves = 0
        self.bytes = 0

    def request(self):
        """An operation and its members."""
        operation = self.random.choice(OPERATIONS)
        self.leaves, self.bytes = LEAVES_MAX, BYTES_MAX
        return operation, self.structure(self.inputs[operation], 0)

    def make(self, shape, depth):
        self.leaves -= 1
        if shape.name == "AttributeValue":
            return self.attribute_value()
        if shape.name in TABLE_NAMES and self.random.random() < 0.9:
            return TABLE
        if shape.type_name in ("structure", "list", "map"):
            return getattr(self, shape.type_name)(shape, depth)
        if shape.type_name in ("integer", "long"):
            return self.integer(shape)
        if shape.type_name in ("double", "float"):
            return 0.5
        if shape.type_name == "boolean":
            return self.random.random() < 0.5
        return self.string(shape)

    def attribute_value(self):
        if self.bytes > 1_000_000 and self.random.random() < 0.01:
            value = self.random.choice(large_values())
            self.bytes -= len(value)
            return value
        if self.random.random() < 0.02:
            count = min(max(self.leaves, 1), self.random.choice((100, 5_000)))
            self.leaves -= count
            kind = self.random.choice(("SS", "L", "M"))
            if kind == "SS":
                return {"SS": [str(number) for number in range(count)]}
            return {"L": [{"N": "1"}] * count} if kind == "L" else {"M": {f"k{number}": {"N": "1"} for number in range(count)}}
        return self.random.choice(SMALL_VALUES) if self.random.random() < 0.99 else self.random.choice(PAST_BOUNDS)

    def structure(self, shape, depth):
        members = {}
        for name, member in shape.members.items():
            needed = name in shape.required_members
            if depth > 6 or not self.random.random() < (0.97 if needed else 0.25):
                continue
            members[name] = self.make(member, depth + 1)
        return members

    def size(self, shape):
        """How many elements: within the bounds mostly, and sometimes as many as there is room for."""
        low, high = shape.metadata.get("min", 0), shape.metadata.get("max")
        choices = [max(low - 1, 0), low, low + 1, 2, 3]
        if high:
            choices += [high - 1, high, high + 1]
        if self.random.random() < 0.03:
            choices = [1_000, 20_000]
        return max(0, min(self.random.choice(choices), self.leaves // 2))

    def list(self, shape, depth):
        return [self.make(shape.member, depth + 1) for _ in range(self.size(shape)) if self.leaves > 0]

    def map(self, shape, depth):
        size = self.size(shape)
        result = {}
        for at in range(size):
            if self.leaves <= 0:
                break
            result[self.map_key(shape.key, at)] = self.make(shape.value, depth + 1)
        return result

    def map_key(self, shape, at):
        if shape.name in TABLE_NAMES:
            return TABLE if at == 0 else f"table{at}"
        if at == 0:
            return self.random.choice(("pk", "#a", ":a", *NAMES))
        return f"{self.random.choice(('#', ':', ''))}name{at}"

    def integer(self, shape):
        low, high = shape.metadata.get("min", 0), shape.metadata.get("max", 1 << 31)
        return self.random.choice((low - 1, low, low + 1, 10, high, high + 1, 1 << 62))

    def string(self, shape):
        if shape.enum and self.random.random() < 0.9:
            return self.random.choice(shape.enum)
        if shape.name in ("KeySchemaAttributeName", "AttributeName") and self.random.random() < 0.7:
            return self.random.choice(("pk", *NAMES))
        low, high = shape.metadata.get("min", 0), shape.metadata.get("max", 255)
        length = self.random.choice((max(low - 1, 0), low, 8, 8, 8, high, high + 1))
        if self.random.random() < 0.01:
            length = 500_000
        length = max(0, min(length, self.bytes))
        self.bytes -= length
        return self.text(length)

    def text(self, length):
        if length > 64:
            return self.random.choice("a(#9") * length
        return "".join(self.random.choices(string.ascii_letters + "#:.[]() ", k=length))
