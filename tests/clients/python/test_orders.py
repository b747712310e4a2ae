"""A worked single-table model: customers, their orders and line items, pattern by pattern.

  A1 a customer by id                       GetItem PK=CUST#{id}, SK=PROFILE
  A2 orders of a customer, newest first     Query   PK=CUST#{id}, SK begins with ORDER#, descending
  A3 an order with its line items           Query   PK=ORDER#{orderId}
  A4 orders of a customer in one status     Query   GSI1: CUST#{id}#{status}
  A5 open orders of everyone                Query   GSI2: OPEN (sparse, a small projection)
  A6 create an order with its lines         TransactWriteItems, refused when the order exists
  A7 change the status of an order          UpdateItem; leaving OPEN removes the GSI2 keys
"""

from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import pytest

from support import drop, eventually, fails, index, requires, table_definition, wait_active

TABLE = "app-main"
OPEN_ORDER = {"PK": "CUST#a1b2", "SK": "ORDER#2026-06-01#o-9001"}
META = {"PK": "ORDER#o-9001", "SK": "META"}

ITEMS = [
    {"PK": "CUST#a1b2", "SK": "PROFILE", "name": "Ada", "email": "ada@example.org", "tier": "gold", "createdAt": "2025-11-30"},
    OPEN_ORDER
    | {
        "status": "OPEN",
        "total": Decimal("149.00"),
        "GSI1PK": "CUST#a1b2#OPEN",
        "GSI1SK": "2026-06-01#o-9001",
        "GSI2PK": "OPEN",
        "GSI2SK": "2026-06-01#o-9001",
        "version": 1,
        "comment": "c" * 9000,  # what the small projection of GSI2 keeps out of A5
    },
    {
        "PK": "CUST#a1b2",
        "SK": "ORDER#2026-06-03#o-9044",
        "status": "SHIPPED",
        "total": Decimal("72.50"),
        "GSI1PK": "CUST#a1b2#SHIPPED",
        "GSI1SK": "2026-06-03#o-9044",
    },
    META | {"status": "OPEN", "version": 7},
    {"PK": "ORDER#o-9001", "SK": "ITEM#001", "sku": "ABC", "qty": 2, "price": Decimal("49.50")},
    {"PK": "ORDER#o-9001", "SK": "ITEM#002", "sku": "XYZ", "qty": 1, "price": Decimal("50.00")},
    {"PK": "CUST#zz99", "SK": "ORDER#2026-06-02#o-9020", "status": "OPEN", "total": 5, "GSI1PK": "CUST#zz99#OPEN",
     "GSI1SK": "2026-06-02#o-9020", "GSI2PK": "OPEN", "GSI2SK": "2026-06-02#o-9020"},
]


@pytest.fixture
def orders(client, resource):
    """The table under the name that users type, with the items as they were at the start."""
    drop(client, TABLE)
    gsis = [
        index("GSI1", {"GSI1PK": "S", "GSI1SK": "S"}, "ALL"),
        index("GSI2", {"GSI2PK": "S", "GSI2SK": "S"}, ["status", "total"]),
    ]
    client.create_table(**table_definition(TABLE, {"PK": "S", "SK": "S"}, gsis=gsis))
    wait_active(client, TABLE)
    table = resource.Table(TABLE)
    with table.batch_writer() as batch:
        for item in ITEMS:
            batch.put_item(Item=item)
    yield table
    drop(client, TABLE)


def query(table, condition, values, **extra):
    return table.query(KeyConditionExpression=condition, ExpressionAttributeValues=values, **extra)


def sort_keys(answer, name="SK"):
    return [item[name] for item in answer["Items"]]


def open_orders(table):
    return query(table, "GSI2PK = :open", {":open": "OPEN"}, IndexName="GSI2")


def in_status(table, status):
    return sort_keys(
        query(table, "GSI1PK = :pk", {":pk": f"CUST#a1b2#{status}"}, IndexName="GSI1"), "GSI1SK"
    )


def test_a1_a_customer_by_id(orders):
    found = orders.get_item(Key={"PK": "CUST#a1b2", "SK": "PROFILE"}, ConsistentRead=True)["Item"]
    assert found == ITEMS[0]


def test_a2_the_orders_of_a_customer_newest_first(orders):
    found = query(
        orders,
        "PK = :pk AND begins_with(SK, :prefix)",
        {":pk": "CUST#a1b2", ":prefix": "ORDER#"},
        ScanIndexForward=False,
    )
    assert sort_keys(found) == ["ORDER#2026-06-03#o-9044", "ORDER#2026-06-01#o-9001"]
    assert found["ScannedCount"] == 2


def test_a3_an_order_with_its_line_items_is_one_query(orders):
    found = query(orders, "PK = :pk", {":pk": "ORDER#o-9001"}, ConsistentRead=True)
    assert sort_keys(found) == ["ITEM#001", "ITEM#002", "META"]
    lines = found["Items"][:2]
    assert sum(line["qty"] * line["price"] for line in lines) == Decimal("149.00")


def test_a4_the_orders_of_a_customer_in_one_status(orders):
    eventually(lambda: in_status(orders, "OPEN"), ["2026-06-01#o-9001"])
    eventually(lambda: in_status(orders, "SHIPPED"), ["2026-06-03#o-9044"])
    assert in_status(orders, "PAID") == []


def test_a5_open_orders_of_everyone_with_the_small_projection(orders):
    eventually(lambda: sort_keys(open_orders(orders), "GSI2SK"), ["2026-06-01#o-9001", "2026-06-02#o-9020"])
    first = open_orders(orders)["Items"][0]
    assert first == OPEN_ORDER | {
        "GSI2PK": "OPEN",
        "GSI2SK": "2026-06-01#o-9001",
        "status": "OPEN",
        "total": Decimal("149.00"),
    }


def test_a5_counting_costs_what_the_projection_weighs(orders):
    eventually(lambda: open_orders(orders)["Count"], 2)
    answer = query(
        orders,
        "GSI2PK = :open",
        {":open": "OPEN"},
        IndexName="GSI2",
        Select="COUNT",
        ReturnConsumedCapacity="TOTAL",
    )
    assert answer["Count"] == 2
    assert answer["ConsumedCapacity"] == {"TableName": TABLE, "CapacityUnits": 0.5}


def transaction(order_id):
    lines = [{"PK": f"ORDER#{order_id}", "SK": f"ITEM#00{n}", "sku": f"S{n}", "qty": n} for n in (1, 2)]
    head = {"PK": f"ORDER#{order_id}", "SK": "META", "status": "OPEN", "version": 1}
    first = {"Put": {"TableName": TABLE, "Item": head, "ConditionExpression": "attribute_not_exists(PK)"}}
    return [first] + [{"Put": {"TableName": TABLE, "Item": line}} for line in lines]


@requires("TransactWriteItems")
def test_a6_an_order_is_created_once_with_all_its_lines(orders):
    client = orders.meta.client
    written = client.transact_write_items(
        TransactItems=transaction("o-9100"), ReturnConsumedCapacity="TOTAL"
    )
    # Three small items, each at twice the price of a plain write.
    assert written["ConsumedCapacity"][0]["CapacityUnits"] == 6
    again = transaction("o-9100")
    again[1]["Put"]["Item"]["qty"] = 99
    with pytest.raises(client.exceptions.TransactionCanceledException) as caught:
        client.transact_write_items(TransactItems=again)
    reasons = [reason["Code"] for reason in caught.value.response["CancellationReasons"]]
    assert reasons == ["ConditionalCheckFailed", "None", "None"]
    found = query(orders, "PK = :pk", {":pk": "ORDER#o-9100"}, ConsistentRead=True)
    assert sort_keys(found) == ["ITEM#001", "ITEM#002", "META"]
    assert [item.get("qty") for item in found["Items"]] == [1, 2, None]


def test_a7_a_shipped_order_leaves_the_board_and_changes_its_list(orders):
    eventually(lambda: open_orders(orders)["Count"], 2)
    orders.update_item(
        Key=OPEN_ORDER,
        UpdateExpression="SET #s = :shipped REMOVE GSI2PK, GSI2SK",
        ExpressionAttributeNames={"#s": "status"},
        ExpressionAttributeValues={":shipped": "SHIPPED"},
    )
    eventually(lambda: sort_keys(open_orders(orders), "GSI2SK"), ["2026-06-02#o-9020"])
    orders.update_item(
        Key=OPEN_ORDER,
        UpdateExpression="SET GSI1PK = :pk",
        ExpressionAttributeValues={":pk": "CUST#a1b2#SHIPPED"},
    )
    eventually(lambda: in_status(orders, "SHIPPED"), ["2026-06-01#o-9001", "2026-06-03#o-9044"])
    eventually(lambda: in_status(orders, "OPEN"), [])


def test_a7_of_two_writers_with_one_version_one_wins(orders):
    def write(status):
        try:
            orders.update_item(
                Key=META,
                UpdateExpression="SET #st = :new, version = :nextv",
                ConditionExpression="version = :curv",
                ExpressionAttributeNames={"#st": "status"},
                ExpressionAttributeValues={":new": status, ":curv": 7, ":nextv": 8},
            )
            return status
        except orders.meta.client.exceptions.ConditionalCheckFailedException:
            return None

    with ThreadPoolExecutor(2) as pool:
        winners = [status for status in pool.map(write, ["PAID", "CANCELLED"]) if status]
    stored = orders.get_item(Key=META, ConsistentRead=True)["Item"]
    assert [stored["status"]] == winners
    assert stored["version"] == 8
    with fails("ConditionalCheckFailedException"):
        orders.update_item(
            Key=META,
            UpdateExpression="SET version = :nextv",
            ConditionExpression="version = :curv",
            ExpressionAttributeValues={":curv": 7, ":nextv": 8},
        )
