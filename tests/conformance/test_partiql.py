"""PartiQL: ExecuteStatement, BatchExecuteStatement, ExecuteTransaction."""

import pytest

from wire import assert_error, assert_invalid

UNREADABLE = "Statement wasn't well formed, can't be processed: "
MISSING_KEY = "Where clause does not contain a mandatory equality on all key attributes"
ONE, TWO = {"N": "1"}, {"N": "2"}


def ask(db, statement, *parameters, **members):
    request = {"Statement": statement, **members}
    if parameters:
        request["Parameters"] = list(parameters)
    return db.post("ExecuteStatement", request)


def run(db, statement, *parameters, **members):
    answer = ask(db, statement, *parameters, **members)
    assert answer.status == 200, answer.body
    return answer.json()


def items(db, statement, *parameters, **members):
    return run(db, statement, *parameters, **members)["Items"]


def texts(rows, name):
    return [next(iter(row[name].values())) for row in rows]


@pytest.fixture
def key(unique):
    return unique("key")


@pytest.fixture
def rows(db, range_table, key):
    """Five items in one partition of the range table, with `n` from 0 to 4."""
    for i in range(5):
        db.call("PutItem", TableName=range_table, Item={
            "pk": {"S": key}, "sk": {"S": f"s{i}"}, "n": {"N": str(i)},
            "m": {"M": {"in": {"N": str(i * 10)}}}, "l": {"L": [{"S": "x"}, {"S": f"y{i}"}]}})
    return key


# Reading


def test_insert_and_select_by_key(db, hash_table, key):
    written = run(db, f"INSERT INTO \"{hash_table}\" VALUE {{'pk': '{key}', 's': 'it''s', 'n': -1.50, 't': true, "
                      f"'z': null, 'l': [1, 'a'], 'm': {{'k': 2}}, 'ss': <<'a', 'b'>>, 'ns': <<1, 2>>, 'p': ?}}",
                  {"B": "AQ=="})
    assert written == {"Items": []}
    [item] = items(db, f"SELECT * FROM \"{hash_table}\" WHERE pk = ?", {"S": key}, ConsistentRead=True)
    assert {n: v for n, v in item.items() if n not in ("ss", "ns")} == {
        "pk": {"S": key}, "s": {"S": "it's"}, "n": {"N": "-1.5"}, "t": {"BOOL": True}, "z": {"NULL": True},
        "l": {"L": [ONE, {"S": "a"}]}, "m": {"M": {"k": TWO}}, "p": {"B": "AQ=="}}
    assert sorted(item["ss"]["SS"]) == ["a", "b"] and sorted(item["ns"]["NS"]) == ["1", "2"]


def test_nothing_found(db, hash_table, key):
    assert run(db, f"SELECT * FROM \"{hash_table}\" WHERE pk = '{key}'") == {"Items": []}


CONDITIONS = {
    "sk > 's2'": "34", "sk >= 's2'": "234", "sk < 's1'": "0", "sk BETWEEN 's1' AND 's3'": "123",
    "begins_with(sk, 's')": "01234", "sk > 's0' AND sk < 's3'": "12", "sk <> 's0'": "1234",
    "sk IN ['s1', 's4']": "14", "n IN (0, 3)": "03", "n = 2 OR n = 4": "24", "NOT n = 2": "0134",
    "m.\"in\" = 30": "3", "l[1] = 'y4'": "4", "contains(l, 'y0')": "0", "size(l) = 2 AND n < 1": "0",
    "q IS MISSING AND n <> 1": "0234", "q IS NOT MISSING": "", "attribute_type(n, 'N')": "01234",
    "n IS NULL": "", "attribute_exists(n) = true": "01234", "n = 1 AND sk = 's1'": "1", "n = 2 AND sk = 's1'": "",
}


@pytest.mark.parametrize("condition, expected", CONDITIONS.items(), ids=CONDITIONS.keys())
def test_conditions(db, range_table, rows, condition, expected):
    found = items(db, f"SELECT * FROM \"{range_table}\" WHERE pk = '{rows}' AND ({condition})")
    assert "".join(texts(found, "n")) == expected


def test_projection_is_named_by_the_last_component(db, range_table, rows):
    found = items(db, f"SELECT sk, m.\"in\", l[1], q FROM \"{range_table}\" WHERE pk = '{rows}' AND sk = 's2'")
    assert found == [{"sk": {"S": "s2"}, "in": {"N": "20"}, "l[1]": {"S": "y2"}}]
    found = items(db, f"SELECT q FROM \"{range_table}\" WHERE pk = '{rows}' AND n < 2")
    assert found == [{}, {}]


def test_order_by(db, range_table, rows):
    statement = f"SELECT n FROM \"{range_table}\" WHERE pk = '{rows}' ORDER BY sk"
    assert "".join(texts(items(db, statement + " DESC"), "n")) == "43210"
    assert "".join(texts(items(db, statement + " ASC"), "n")) == "01234"


def test_several_partitions(db, hash_table, unique):
    keys = sorted(unique("p") for _ in range(3))
    for each in keys:
        run(db, f"INSERT INTO \"{hash_table}\" VALUE {{'pk': ?}}", {"S": each})
    listed = ", ".join(f"'{each}'" for each in keys)
    assert texts(items(db, f"SELECT * FROM \"{hash_table}\" WHERE pk IN [{listed}]"), "pk") == keys
    found = items(db, f"SELECT * FROM \"{hash_table}\" WHERE pk IN ({listed}) ORDER BY pk DESC")
    assert texts(found, "pk") == keys[::-1]
    found = items(db, f"SELECT * FROM \"{hash_table}\" WHERE pk = '{keys[0]}' OR pk = '{keys[2]}'")
    assert texts(found, "pk") == [keys[0], keys[2]]


def test_scan_and_its_pages(db, create):
    table = create("pages", {"pk": "S"})
    for i in range(7):
        run(db, f"INSERT INTO \"{table}\" VALUE {{'pk': 'k{i}', 'n': {i}}}")
    statement, found, token, pages = f"SELECT * FROM \"{table}\" WHERE n >= 2", [], None, 0
    while True:
        more = {"NextToken": token} if token else {}
        page = run(db, statement, Limit=3, **more)
        found += page["Items"]
        pages += 1
        token = page.get("NextToken")
        if not token:
            break
        assert set(page["LastEvaluatedKey"]) == {"pk"}
    assert sorted(texts(found, "n")) == list("23456") and pages == 3


def test_pages_over_partitions(db, range_table, unique):
    keys = [unique("p") for _ in range(3)]
    for each in keys:
        for i in range(3):
            run(db, f"INSERT INTO \"{range_table}\" VALUE {{'pk': '{each}', 'sk': '{i}'}}")
    statement = f"SELECT * FROM \"{range_table}\" WHERE pk IN [?, ?, ?]"
    parameters = [{"S": each} for each in keys]
    found, token = [], None
    while True:
        more = {"NextToken": token} if token else {}
        page = run(db, statement, *parameters, Limit=2, **more)
        assert len(page["Items"]) <= 2
        found += [(row["pk"]["S"], row["sk"]["S"]) for row in page["Items"]]
        token = page.get("NextToken")
        if not token:
            break
    assert found == [(each, str(i)) for each in keys for i in range(3)]


def test_tokens_belong_to_their_statement(db, range_table, rows):
    statement = f"SELECT * FROM \"{range_table}\" WHERE pk = ?"
    token = run(db, statement, {"S": rows}, Limit=1)["NextToken"]
    assert len(items(db, statement, {"S": rows}, NextToken=token, ConsistentRead=True)) == 4
    assert_invalid(ask(db, statement, {"S": "other"}, NextToken=token), "NextToken does not match request")
    assert_invalid(ask(db, statement + " AND n = 1", {"S": rows}, NextToken=token), "NextToken does not match request")
    assert_invalid(ask(db, statement, {"S": rows}, NextToken="nonsense"), "Invalid NextToken")


def test_indexes(db, indexed_table, key):
    db.call("PutItem", TableName=indexed_table, Item={
        "pk": {"S": key}, "sk": {"S": "s"}, "lsk": {"S": "l"}, "gpk": {"S": key}, "proj": ONE, "other": TWO})
    assert items(db, f"SELECT proj FROM \"{indexed_table}\".\"gsi\" WHERE gpk = '{key}'") == [{"proj": ONE}]
    [row] = items(db, f"SELECT * FROM \"{indexed_table}\".\"gsi\" WHERE gpk = '{key}'")
    assert "other" not in row
    [row] = items(db, f"SELECT * FROM \"{indexed_table}\".\"lsi\" WHERE pk = '{key}' AND lsk = 'l'", ConsistentRead=True)
    assert row["other"] == TWO
    wrong = "One or more parameter values were invalid: "
    assert_invalid(ask(db, f"SELECT other FROM \"{indexed_table}\".\"gsi\" WHERE gpk = 'a'"),
                   wrong + "Global secondary index gsi does not project [other]")
    assert_invalid(ask(db, f"SELECT * FROM \"{indexed_table}\".\"gsi\" WHERE gpk = 'a' AND other = 1"),
                   wrong + "Secondary index gsi does not project one or more filter attributes: [other]")
    assert_invalid(ask(db, f"SELECT * FROM \"{indexed_table}\".\"gsi\" WHERE gpk = 'a'", ConsistentRead=True),
                   "Strongly consistent read is not supported on Global Secondary Indexes")
    assert_invalid(ask(db, f"SELECT * FROM \"{indexed_table}\".\"no\""), "The table does not have the specified index")


# Writing


def test_insert_over_an_item(db, hash_table, key):
    statement = f"INSERT INTO \"{hash_table}\" VALUE {{'pk': '{key}'}}"
    run(db, statement)
    assert_error(ask(db, statement), "DuplicateItemException", "Duplicate primary key exists in table")


UPDATES = {
    "SET n = n + 1": {"n": TWO},
    "SET n = n - 1 SET s = 'x'": {"n": {"N": "0"}, "s": {"S": "x"}},
    "SET l = list_append(l, [2, 'p'])": {"l": {"L": [ONE, TWO, {"S": "p"}]}},
    "SET l[0] = 'a', m.k = 2": {"l": {"L": [{"S": "a"}]}, "m": {"M": {"k": TWO}}},
    "SET l[9] = ?": {"l": {"L": [ONE, {"S": "p"}]}},
    "SET t = set_add(t, <<'c'>>)": {"t": {"SS": ["a", "b", "c"]}},
    "SET t = set_delete(t, <<'a'>>)": {"t": {"SS": ["b"]}},
    "REMOVE l[0] REMOVE m.k": {"l": {"L": []}, "m": {"M": {}}},
    "REMOVE n, q": {"n": None},
}


@pytest.mark.parametrize("clauses, expected", UPDATES.items(), ids=UPDATES.keys())
def test_update(db, hash_table, key, clauses, expected):
    before = {"pk": {"S": key}, "n": ONE, "l": {"L": [ONE]}, "m": {"M": {"k": ONE}}, "t": {"SS": ["a", "b"]}}
    db.call("PutItem", TableName=hash_table, Item=before)
    parameters = [{"S": "p"}] * clauses.count("?")
    [after] = items(db, f"UPDATE \"{hash_table}\" {clauses} WHERE pk = '{key}' RETURNING ALL NEW *", *parameters)
    after["t"]["SS"].sort()
    assert after == {n: v for n, v in {**before, **expected}.items() if v is not None}


def test_returning(db, hash_table, key):
    table = f"\"{hash_table}\""
    run(db, f"INSERT INTO {table} VALUE {{'pk': '{key}', 'a': 1, 'b': 1}}")
    where = f"WHERE pk = '{key}'"
    assert items(db, f"UPDATE {table} SET a = 2 {where}") == []
    assert items(db, f"UPDATE {table} SET a = 3 {where} RETURNING MODIFIED OLD *") == [{"a": TWO}]
    assert items(db, f"UPDATE {table} SET a = 1 {where} RETURNING MODIFIED NEW *") == [{"a": ONE}]
    assert items(db, f"FROM {table} {where} SET a = 2 RETURNING ALL OLD *") == [{"pk": {"S": key}, "a": ONE, "b": ONE}]
    assert items(db, f"DELETE FROM {table} {where} RETURNING ALL OLD *") == [{"pk": {"S": key}, "a": TWO, "b": ONE}]
    assert items(db, f"DELETE FROM {table} {where} RETURNING ALL OLD *") == []


def test_conditions_of_writes(db, hash_table, key):
    table, where = f"\"{hash_table}\"", f"WHERE pk = '{key}'"
    failed = ("ConditionalCheckFailedException", "The conditional request failed")
    assert_error(ask(db, f"UPDATE {table} SET a = 1 {where}"), *failed)
    assert items(db, f"DELETE FROM {table} {where} AND a = 1") == []
    run(db, f"INSERT INTO {table} VALUE {{'pk': '{key}', 'a': 1}}")
    assert_error(ask(db, f"UPDATE {table} SET a = 2 {where} AND a = 5"), *failed)
    answer = ask(db, f"DELETE FROM {table} {where} AND a = 5", ReturnValuesOnConditionCheckFailure="ALL_OLD")
    assert_error(answer, *failed)
    assert answer.json()["Item"] == {"pk": {"S": key}, "a": ONE}
    run(db, f"UPDATE {table} SET a = 2 {where} AND a = 1")
    assert items(db, f"SELECT a FROM {table} {where}") == [{"a": TWO}]


# Errors

INVALID = {
    "SELECT * FROM {t} WHERE": UNREADABLE + "Unexpected term",
    "SELECT * FROM {t} WHERE pk =": UNREADABLE + "Missing right-hand side expression of infix operator",
    "CREATE x": UNREADABLE + "Expected data manipulation",
    "SELECT * FROM {t} WHERE pk = 'x": UNREADABLE,
    "SELECT * FROM {t} AS x": "Aliasing is not supported",
    "SELECT * FROM {t} LIMIT 1": "Unsupported clause: LIMIT",
    "SELECT COUNT(*) FROM {t}": "Unexpected path component at 1:8:5",
    "SELECT * FROM {t} WHERE pk = ?": "Number of parameters in request and statement don't match.",
    "UPDATE {t} SET a = 1 WHERE a = 1": MISSING_KEY,
    "DELETE FROM {t}": MISSING_KEY,
    "EXISTS(SELECT * FROM {t} WHERE pk = 'a' AND b = 1)":
        "EXISTS can only be used in ExecuteTransaction write requests.",
    "UPDATE {t} SET pk = 'b' WHERE pk = 'a'":
        "One or more parameter values were invalid: Cannot update attribute pk. This attribute is part of the key",
    "INSERT INTO {t} VALUE {{'a': 1}}":
        "One or more parameter values were invalid: Missing the key pk in the item",
}


@pytest.mark.parametrize("statement, text", INVALID.items(), ids=INVALID.keys())
def test_invalid_statements(db, hash_table, statement, text):
    assert_invalid(ask(db, statement.format(t=f"\"{hash_table}\"")), text)


def test_unknown_table(db):
    assert_error(ask(db, "SELECT * FROM \"no-such-table\""), "ResourceNotFoundException", "Requested resource not found")


def test_constraints(db):
    assert_invalid(db.post("ExecuteStatement", {}), "1 validation error detected: Value null at 'statement' failed to "
                   "satisfy constraint: Member must not be null")
    assert_invalid(ask(db, "SELECT", Limit=0), "1 validation error detected: Value '0' at 'limit' failed to satisfy "
                   "constraint: Member must have value greater than or equal to 1")


def test_capacity(db, range_table, rows):
    select = f"SELECT * FROM \"{range_table}\" WHERE pk = '{rows}'"
    consumed = run(db, select, ReturnConsumedCapacity="TOTAL")["ConsumedCapacity"]
    assert consumed == {"TableName": range_table, "CapacityUnits": 0.5}
    consumed = run(db, select + " AND sk = 's1'", ConsistentRead=True, ReturnConsumedCapacity="TOTAL")["ConsumedCapacity"]
    assert consumed["CapacityUnits"] == 1.0


# Batches


def batch(db, *statements, **members):
    listed = [s if isinstance(s, dict) else {"Statement": s} for s in statements]
    return db.call("BatchExecuteStatement", Statements=listed, **members)


def test_batch_of_writes_and_reads(db, hash_table, key):
    table = f"\"{hash_table}\""
    insert = f"INSERT INTO {table} VALUE {{'pk': '{key}', 'a': 1}}"
    run(db, insert)
    other = f"INSERT INTO {table} VALUE {{'pk': 'other-{key}', 'a': 1}}"
    run(db, other)
    answer = batch(db, f"INSERT INTO {table} VALUE {{'pk': 'new-{key}'}}", other,
                   f"UPDATE {table} SET a = 2 WHERE pk = '{key}' RETURNING ALL NEW *",
                   f"UPDATE {table} SET a = 2 WHERE pk = 'no-{key}'", "INSERT INTO \"no-such\" VALUE {'pk': 'a'}", "DELETE x")
    named = {"TableName": hash_table}
    assert answer["Responses"] == [
        named,
        {"Error": {"Code": "DuplicateItem", "Message": "Duplicate primary key exists in table"}, **named},
        {"Item": {"pk": {"S": key}, "a": TWO}, **named},
        {"Error": {"Code": "ConditionalCheckFailed", "Message": "The conditional request failed"}, **named},
        {"Error": {"Code": "ResourceNotFound", "Message": "Requested resource not found"}},
        {"Error": {"Code": "ValidationError", "Message": UNREADABLE + "Expected data manipulation"}},
    ]
    answer = batch(db, {"Statement": f"SELECT a FROM {table} WHERE pk = ?", "Parameters": [{"S": key}]},
                   f"SELECT * FROM {table} WHERE pk = 'no-{key}'", f"SELECT * FROM {table}",
                   ReturnConsumedCapacity="TOTAL")
    text = "Select statements within BatchExecuteStatement must specify the primary key in the where clause."
    assert answer["Responses"] == [
        {"Item": {"a": TWO}, **named}, named, {"Error": {"Code": "ValidationError", "Message": text}}]
    assert answer["ConsumedCapacity"] == [{**named, "CapacityUnits": 1.0}]


def test_batch_that_is_refused(db, hash_table):
    def refused(*statements):
        listed = [{"Statement": each.format(t=f"\"{hash_table}\"")} for each in statements]
        answer = db.post("BatchExecuteStatement", {"Statements": listed})
        assert answer.code == "ValidationException", answer.body

    refused("SELECT * FROM {t} WHERE pk = 'a'", "DELETE FROM {t} WHERE pk = 'b'")
    refused("DELETE FROM {t} WHERE pk = 'a'", "UPDATE {t} SET n = 1 WHERE pk = 'a'")
    refused(*["SELECT * FROM {t} WHERE pk = 'a'"] * 26)


# Transactions


def transact(db, *statements, **members):
    listed = [s if isinstance(s, dict) else {"Statement": s} for s in statements]
    return db.post("ExecuteTransaction", {"TransactStatements": listed, **members})


def test_transaction(db, hash_table, unique):
    table, (a, b, c) = f"\"{hash_table}\"", (unique("k") for _ in range(3))
    for each in (a, b):
        run(db, f"INSERT INTO {table} VALUE {{'pk': '{each}', 'n': 1}}")
    answer = transact(db, f"UPDATE {table} SET n = n + 1 WHERE pk = '{a}'",
                      f"EXISTS(SELECT * FROM {table} WHERE pk = '{b}' AND n = 1)",
                      f"INSERT INTO {table} VALUE {{'pk': '{c}'}}", ReturnConsumedCapacity="TOTAL")
    assert answer.status == 200, answer.body
    assert answer.json()["Responses"] == []
    assert answer.json()["ConsumedCapacity"] == [
        {"TableName": hash_table, "CapacityUnits": 6.0, "WriteCapacityUnits": 6.0}]
    answer = transact(db, f"SELECT n FROM {table} WHERE pk = '{a}'", f"SELECT * FROM {table} WHERE pk = 'no-{a}'")
    assert answer.json() == {"Responses": [{"Item": {"n": TWO}}, {}]}


def test_canceled_transaction(db, hash_table, unique):
    table, (a, b, c) = f"\"{hash_table}\"", (unique("k") for _ in range(3))
    run(db, f"INSERT INTO {table} VALUE {{'pk': '{a}', 'n': 1}}")
    answer = transact(db, f"INSERT INTO {table} VALUE {{'pk': '{a}'}}", f"INSERT INTO {table} VALUE {{'pk': '{b}'}}",
                      f"UPDATE {table} SET n = 1 WHERE pk = '{c}'")
    assert answer.code == "TransactionCanceledException"
    assert answer.json()["CancellationReasons"] == [
        {"Code": "DuplicateItem", "Message": "Duplicate primary key exists in table"}, {"Code": "None"},
        {"Code": "ConditionalCheckFailed", "Message": "The conditional request failed"}]
    assert items(db, f"SELECT * FROM {table} WHERE pk = '{b}'") == []


TRANSACTIONS = {
    "returning": (["UPDATE {t} SET a = 1 WHERE pk = 'a' RETURNING ALL OLD *"],
                  "Validation failed in TransactStatements[0]: RETURNING clause is not supported in ExecuteTransaction."),
    "no key": (["SELECT * FROM {t} WHERE pk = 'a'", "SELECT * FROM {t}"],
               "Validation failed in TransactStatements[1]: Select statements within ExecuteTransaction must specify the "
               "primary key in the where clause."),
    "index": (["SELECT * FROM {t}.ix WHERE pk = 'a'"],
              "Validation failed in TransactStatements[0]: Reads on indices are not supported within transactions."),
    "exists": (["EXISTS(SELECT * FROM {t} WHERE pk = 'a')"],
               "Validation failed in TransactStatements[0]: EXISTS() must contain a single item read with additional "
               "condition"),
    "mixed": (["SELECT * FROM {t} WHERE pk = 'a'", "DELETE FROM {t} WHERE pk = 'b'"],
              "ExecuteTransaction API does not support both read and write operations in the same request."),
    "twice": (["DELETE FROM {t} WHERE pk = 'a'", "DELETE FROM {t} WHERE pk = 'a'"],
              "Transaction request cannot include multiple operations on one item"),
}


@pytest.mark.parametrize("statements, text", TRANSACTIONS.values(), ids=TRANSACTIONS.keys())
def test_invalid_transactions(db, hash_table, statements, text):
    assert_invalid(transact(db, *[each.format(t=f"\"{hash_table}\"") for each in statements]), text)


def test_transaction_token(db, hash_table, unique):
    table, key, token = f"\"{hash_table}\"", unique("k"), unique("t")[-30:]
    run(db, f"INSERT INTO {table} VALUE {{'pk': '{key}', 'n': 0}}")
    update = f"UPDATE {table} SET n = n + 1 WHERE pk = '{key}'"
    for _ in range(2):
        assert transact(db, update, ClientRequestToken=token).status == 200
    assert items(db, f"SELECT n FROM {table} WHERE pk = '{key}'") == [{"n": ONE}]
    assert transact(db, update + " AND n = 1", ClientRequestToken=token).code == "IdempotentParameterMismatchException"
