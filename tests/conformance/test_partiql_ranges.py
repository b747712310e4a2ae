"""PartiQL: what a SELECT reads, page by page, and words that want quotes."""

import pytest

from wire import assert_invalid

MALFORMED = "Statement wasn't well formed, can't be processed: "


def run(db, statement, *parameters, **members):
    if parameters:
        members["Parameters"] = list(parameters)
    return db.call("ExecuteStatement", Statement=statement, **members)


def pages(db, statement, *parameters, **members):
    """The items of each page."""
    found = []
    for _ in range(1000):
        page = run(db, statement, *parameters, **members)
        found.append(page["Items"])
        if "NextToken" not in page:
            return found
        members["NextToken"] = page["NextToken"]
    raise AssertionError("the pages do not end")


@pytest.fixture(scope="module")
def big(db, create):
    """Ten items of 8 KB under one partition key, with sort keys 0 to 9: what is read shows in the capacity."""
    name = create("ranges", {"pk": "S", "sk": "N"})
    for n in range(10):
        item = {"pk": {"S": "a"}, "sk": {"N": str(n)}, "even": {"BOOL": n % 2 == 0}, "filler": {"S": "x" * 8100}}
        db.call("PutItem", TableName=name, Item=item)
    return name


READ = {  # conditions to the sort keys that they give and how many rows were read for it
    "sk >= 3 AND sk <= 5": ("345", 3),
    "sk > 3 AND sk < 5": ("4", 3),
    "sk BETWEEN 2 AND 8 AND sk >= 6": ("678", 3),
    "sk BETWEEN 2 AND 4 AND even = true": ("24", 3),
    "sk > 6 AND sk > 7": ("89", 2),
    "4 = sk": ("4", 1),
    "sk >= 8 AND sk <> 9": ("8", 2),
    "sk >= 5 AND sk <= 4": ("", 5),
    "even = true": ("02468", 10),
}


@pytest.mark.parametrize("conditions, found, rows", [(c, *r) for c, r in READ.items()], ids=READ.keys())
def test_conditions_on_the_sort_key_are_a_range(db, big, conditions, found, rows):
    answer = run(db, f'SELECT sk FROM "{big}" WHERE pk = \'a\' AND {conditions}', ReturnConsumedCapacity="TOTAL")
    assert "".join(item["sk"]["N"] for item in answer["Items"]) == found
    assert answer["ConsumedCapacity"]["CapacityUnits"] == rows  # 8 KB at half price


def test_a_list_of_partitions_goes_over_pages(db, create):
    name = create("lists", {"pk": "S", "sk": "N"})
    keys = [f"k{k}" for k in range(6)]
    for key in keys:
        for n in range(4):
            db.call("PutItem", TableName=name, Item={"pk": {"S": key}, "sk": {"N": str(n)}, "x": {"N": str(n % 2)}})
    listed = ", ".join(f"'{key}'" for key in keys)
    whole = [(key, str(n)) for key in keys for n in range(4)]
    statement = f'SELECT pk, sk FROM "{name}" WHERE pk IN [{listed}]'
    for limit in (1, 3, 4, 5, 24, 25):
        found = pages(db, statement, Limit=limit)
        assert [(i["pk"]["S"], i["sk"]["N"]) for page in found for i in page] == whole, limit
        assert max(len(page) for page in found) <= limit
    odd = pages(db, statement + " AND sk >= 1 AND x = 1", Limit=2)
    assert [(i["pk"]["S"], i["sk"]["N"]) for page in odd for i in page] == [(k, n) for k in keys for n in "13"]
    backward = pages(db, statement + " ORDER BY pk DESC, sk DESC", Limit=7)
    assert [(i["pk"]["S"], i["sk"]["N"]) for page in backward for i in page] == whole[::-1]


def test_a_page_over_several_partitions_ends_after_a_megabyte(db, create):
    name = create("lists", {"pk": "S", "sk": "N"})
    keys = [f"k{k}" for k in range(5)]
    for key in keys:
        db.call("PutItem", TableName=name, Item={"pk": {"S": key}, "sk": {"N": "1"}, "filler": {"S": "x" * 390_000}})
    listed = ", ".join(f"'{key}'" for key in keys)
    found = pages(db, f'SELECT pk FROM "{name}" WHERE pk IN [{listed}]')
    assert [i["pk"]["S"] for page in found for i in page] == keys
    assert [len(page) for page in found if page] == [3, 2]


def test_the_number_of_partitions_in_a_list(db, big):
    fifty = ", ".join(f"'{n}'" for n in range(50))
    assert run(db, f'SELECT * FROM "{big}" WHERE pk IN [{fifty}]')["Items"] == []
    answer = db.post("ExecuteStatement", {"Statement": f'SELECT * FROM "{big}" WHERE pk IN [{fifty}, \'50\']'})
    assert (answer.status, answer.code) == (400, "ValidationException"), answer.body


RESERVED = {
    'SELECT size FROM "{}"': "Unexpected keyword",
    'SELECT pk.size FROM "{}"': "Invalid path dot component",
    "SELECT * FROM \"{}\" WHERE user = 'a'": "Unexpected keyword",
    "SELECT * FROM \"{}\" WHERE pk = 'a' AND date = 1": "Unexpected keyword",
    "UPDATE \"{}\" SET timestamp = 1 WHERE pk = 'a' AND sk = 1": "Expected identifier for simple path",
}


@pytest.mark.parametrize("statement, text", RESERVED.items(), ids=RESERVED.keys())
def test_reserved_words_want_quotes(db, big, statement, text):
    assert_invalid(db.post("ExecuteStatement", {"Statement": statement.format(big)}), MALFORMED + text)


def test_words_in_quotes_are_names(db, big):
    key = "pk = 'words' AND sk = 1"
    run(db, f"INSERT INTO \"{big}\" VALUE {{'pk': 'words', 'sk': 1, 'size': 5, 'user': {{'date': 2}}}}")
    found = run(db, f'SELECT "size", "user"."date" FROM "{big}" WHERE {key} AND "size" > 4')["Items"]
    assert found == [{"size": {"N": "5"}, "date": {"N": "2"}}]
    run(db, f'UPDATE "{big}" SET "timestamp" = 1 REMOVE "user"."date" WHERE {key}')
    assert run(db, f'SELECT * FROM "{big}" WHERE {key}')["Items"][0]["timestamp"] == {"N": "1"}
    # Words that SQL does not reserve are names as they are, and so is one that it does.
    assert run(db, f'SELECT name, status, type, year, only FROM "{big}" WHERE {key}')["Items"] == [{}]
    run(db, f'DELETE FROM "{big}" WHERE {key}')


def test_functions_in_where(db, big):
    def found(conditions):
        return len(run(db, f'SELECT sk FROM "{big}" WHERE pk = \'a\' AND {conditions}')["Items"])

    assert found("size(filler) = 8100") == 10
    assert found("size(filler) > 8100") == 0
    assert found("attribute_type(even, 'BOOL')") == 10
    assert found("attribute_type(even, 'S')") == 0
    assert found("contains(filler, 'xx')") == 10
    assert found("nothing IS MISSING") == 10
    assert found("even IS NOT MISSING AND even = false") == 5
