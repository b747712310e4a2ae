"""Requests that must be refused whatever else is in them: valid writes with one thing that no server may accept."""

import json

BAD_VALUES = (
    {}, {"N": "x"}, {"N": "1e126"}, {"N": "9" * 39}, {"SS": []}, {"SS": ["a", "a"]}, {"NS": ["1", "1.0"]},
    {"NULL": False},
    {"S": "a", "N": "1"}, {"X": "a"}, {"S": 1}, {"B": "YQ"}, {"BOOL": "maybe"}, {"L": [{}]}, {"M": {"m": {"N": ""}}},
)
TOO_LARGE = {"S": "x" * 410_000}
BAD_EXPRESSIONS = (
    "", "a =", "= a", "a = :absent", "#absent = :v", "size(a", "a AND", "NOT", "a[x] = :v", "a..b = :v", "foo(a)",
)
BAD_BYTES = (
    lambda body: body[:-1],
    lambda body: body + b"}",
    lambda body: body.replace(b'"TableName"', b'"TableName\xff"', 1),
    lambda body: body.replace(b": ", b"= ", 1),
    lambda body: b"[" + body + b"]",
    lambda body: body.replace(b'"', b"'", 1),
)
KEY = {"pk": {"S": "item-1"}}


def spoiled_write(choices, table):
    """(operation, body) of a write to an existing item that must answer 4xx."""
    item = {**KEY, "v": {"S": "overwritten"}}
    kind = choices.randrange(9)
    if kind == 0:
        item["v"] = choices.choice(BAD_VALUES) if choices.random() < 0.99 else TOO_LARGE
        return "PutItem", encode({"TableName": table, "Item": item})
    if kind == 1:
        item["pk"] = choices.choice(({"N": "1"}, {"S": ""}, {"S": "x" * 2049}, {"NULL": True}, {"L": []}))
        return "PutItem", encode({"TableName": table, "Item": item})
    if kind == 2:
        condition = {"ConditionExpression": choices.choice(BAD_EXPRESSIONS)}
        return "PutItem", encode({"TableName": table, "Item": item} | condition)
    if kind == 3:
        condition = {"ConditionExpression": "attribute_exists(never)"}
        return choices.choice((
            ("PutItem", encode({"TableName": table, "Item": item} | condition)),
            ("DeleteItem", encode({"TableName": table, "Key": KEY} | condition)),
            ("UpdateItem", encode({"TableName": table, "Key": KEY, "UpdateExpression": "REMOVE v"} | condition)),
        ))
    if kind == 4:
        key = choices.choice(({}, {"pk": {"N": "1"}}, {"sk": {"S": "a"}}, {**KEY, "v": {"S": "x"}}, {"pk": {"S": ""}}))
        return choices.choice(("DeleteItem", "UpdateItem", "GetItem")), encode({"TableName": table, "Key": key})
    if kind == 5:
        expression = choices.choice((
            "SET pk = :v", "SET v = :absent", "SET v = :v SET v = :v", "REMOVE", "ADD v :v", "SET a.b.c = :v",
            "DELETE v :v", "SET v = v + :v", "SET v[0] = :v", "SET v = :v, v.x = :v", "SET #no = :v",
        ))
        values = {":v": {"S": "x"}}
        return "UpdateItem", encode({
            "TableName": table, "Key": KEY, "UpdateExpression": expression, "ExpressionAttributeValues": values,
        })
    if kind == 6:
        bad = choices.choice((
            {"PutRequest": {"Item": {**item, "v": choices.choice(BAD_VALUES)}}}, {}, {"DeleteRequest": {"Key": {}}},
            {"PutRequest": {"Item": item}},  # the key stands twice then
        ))
        return "BatchWriteItem", encode({"RequestItems": {table: [{"PutRequest": {"Item": item}}, bad]}})
    if kind == 7:
        body = encode({"TableName": table, "Item": item})
        return "PutItem", choices.choice(BAD_BYTES)(body)
    unknown = choices.choice(("DropTable", "putitem", "", "PutItem.", "PutItem\u00e9"))
    return unknown, encode({"TableName": table, "Item": item})


def encode(document):
    return json.dumps(document).encode()
