"""PartiQL at the edges of its grammar: what is an alias, a type, a function, a single item, an overlap."""

import pytest

from wire import assert_invalid

MALFORMED = "Statement wasn't well formed, can't be processed: "
A = {"S": "a"}


@pytest.fixture(scope="module")
def table(db, range_table):
    for sort in "123":
        db.call("PutItem", TableName=range_table, Item={"pk": {"S": "forms"}, "sk": {"S": sort}, "x": A})
    return range_table


def run(db, statement, **members):
    return db.post("ExecuteStatement", {"Statement": statement, **members})


def place(statement, word):
    return f"1:{statement.index(word) + 1}:{len(word)}"


@pytest.mark.parametrize("statement", [
    "SELECT * FROM {t} u WHERE pk = 'a'", "SELECT * FROM {t} AS u WHERE pk = 'a'", "DELETE FROM {t} u WHERE pk = 'a'",
    "UPDATE {t} u SET a = 1 WHERE pk = 'a'"])
def test_aliases(db, table, statement):
    assert_invalid(run(db, statement.format(t=f'"{table}"')), "Aliasing is not supported")


@pytest.mark.parametrize("name", ["INT4", "double precision", "CHARACTER VARYING"])
def test_a_test_of_types_is_no_statement(db, name):
    assert_invalid(run(db, f"x IS {name}"), "Unsupported operation: IsType")


def test_other_expressions_are_no_statements_either(db):
    assert_invalid(run(db, "x IS FOO"), MALFORMED + "Expected data manipulation")
    assert_invalid(run(db, "SLECT * FROM x"), MALFORMED + "Expected data manipulation")


def test_exists_of_a_path_is_no_function(db, table):
    statement = f"SELECT * FROM \"{table}\" WHERE pk = 'a' AND EXISTS(x)"
    assert_invalid(run(db, statement), f"Unrecognized function: exists at {place(statement, 'EXISTS')}")


LITERALS = {
    "{'pk': 1e126}": "root", "{'pk': 'a', 'm': {'x': 1e126}}": "root.x", "{'pk': 'a', 'l': [1, 1e126]}": "root[1]"}


@pytest.mark.parametrize("item, where", LITERALS.items())
def test_every_attribute_of_an_insert_is_a_root(db, table, item, where):
    answer = run(db, f'INSERT INTO "{table}" VALUE {item}')
    assert_invalid(
        answer, "Number overflow. Attempting to store a number with magnitude larger than supported range under " + where)


def test_a_scale_of_more_than_32_bits_cannot_be_read(db, table):
    assert_invalid(run(db, f'SELECT * FROM "{table}" WHERE pk = 1.5e-2147483647'), MALFORMED)


MORE = "SELECT * FROM \"{}\" WHERE pk = 'forms' AND sk = '1' AND attribute_exists(x)"


def test_a_read_of_one_item_has_no_filter(db, table):
    statement = MORE.format(table)
    answer = db.post("ExecuteTransaction", {"TransactStatements": [{"Statement": statement}]})
    assert_invalid(
        answer, "Validation failed in TransactStatements[0]: Select statements within ExecuteTransaction must specify "
        "the primary key in the where clause.")
    answer = db.call("BatchExecuteStatement", Statements=[{"Statement": statement}])
    assert answer["Responses"][0]["Error"] == {
        "Code": "ValidationError",
        "Message": "Select statements within BatchExecuteStatement must specify the primary key in the where clause."}
    assert len(run(db, statement).json()["Items"]) == 1


EXCLUDING = {
    "NOT sk = '1'": "23", "sk <> '1'": "23", "NOT begins_with(sk, 'x')": "123", "NOT sk IN ['1', '3']": "2",
    "NOT sk > '5'": "123", "NOT (sk = '1')": "23"}


@pytest.mark.parametrize("condition, found", EXCLUDING.items())
def test_branches_that_exclude_sort_keys_may_overlap(db, table, condition, found):
    answer = run(db, f"SELECT * FROM \"{table}\" WHERE pk = 'forms' AND {condition} OR pk = 'forms' AND sk = '2'")
    assert sorted(item["sk"]["S"] for item in answer.json()["Items"]) == list(found)


@pytest.mark.parametrize("condition", ["x = 'a'", "x <> 'a'", "NOT x = 'a'"])
def test_other_branches_may_not(db, table, condition):
    answer = run(db, f"SELECT * FROM \"{table}\" WHERE pk = 'forms' AND {condition} OR pk = 'forms' AND sk = '2'")
    assert_invalid(answer, "Overlapping conditions with range keys are not supported in where clause")


SEVERAL = (
    "PartiQL statements cannot be executed on tables with multi-attribute HASH keys or multi-attribute RANGE keys.")


@pytest.fixture(scope="module")
def wide_table(db, create):
    name = create(
        "wide", {"id": "S"}, more_definitions=[{"AttributeName": n, "AttributeType": "S"} for n in ("h1", "h2", "r1")],
        GlobalSecondaryIndexes=[{
            "IndexName": "gsi", "Projection": {"ProjectionType": "ALL"},
            "KeySchema": [{"AttributeName": "h1", "KeyType": "HASH"}, {"AttributeName": "h2", "KeyType": "HASH"},
                          {"AttributeName": "r1", "KeyType": "RANGE"}]}])
    db.call("PutItem", TableName=name, Item={"id": A, "h1": A, "h2": A, "r1": A})
    return name


@pytest.mark.parametrize("statement", [
    "SELECT * FROM {t}.gsi WHERE h1 = 'a'", "SELECT * FROM {t}.gsi WHERE h1 = 5", "SELECT COUNT(*) FROM {t}.gsi",
    "SELECT id FROM {t}.gsi WHERE h1 = 'a' AND h2 = 'a' ORDER BY r1 DESC"])
def test_an_index_with_keys_of_several_attributes_cannot_be_read(db, wide_table, statement):
    assert_invalid(run(db, statement.format(t=f'"{wide_table}"')), SEVERAL)


def test_its_table_can(db, wide_table):
    assert len(run(db, f"SELECT * FROM \"{wide_table}\" WHERE id = 'a'").json()["Items"]) == 1
    assert run(db, f"INSERT INTO \"{wide_table}\" VALUE {{'id': 'b'}}").json() == {"Items": []}
    assert run(db, f"UPDATE \"{wide_table}\" SET x = 1 WHERE id = 'b'").status == 200
    assert run(db, f"DELETE FROM \"{wide_table}\" WHERE id = 'b'").status == 200
