"""Entities and reads of the model orders.

Written by `stator design codegen`; change the model and run it again. Items are those of boto3's resources: text as str,
numbers as Decimal. Filters are left to the caller.
"""

from __future__ import annotations

import hashlib
import heapq
import itertools
import random
import re
import time
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Callable, Iterable, Iterator, Optional, TypeVar, Union

TABLE = "app-main"
PARTITION_KEY = "PK"
SORT_KEYS = {"": "SK", "GSI1": "GSI1SK", "GSI2": "GSI2SK"}  # by index; "" is the table

DynamoItem = dict[str, Any]
DynamoRequest = dict[str, Any]  # arguments of get_item, put_item or query
_T = TypeVar("_T")


class EmptyKeyField(ValueError):
    "A field that a key is made of has no value."


def _text(value: Any) -> str:
    if value is None or value == "":
        raise EmptyKeyField("a field that a key is made of has no value")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal):
        return format(value.normalize(), "f")
    return str(value)


def _upper(value: Any) -> str:
    return "".join(c.upper() if c.isascii() else c for c in _text(value))


def _lower(value: Any) -> str:
    return "".join(c.lower() if c.isascii() else c for c in _text(value))


def _padded(value: Any, width: int, decimals: int) -> str:
    number = Decimal(_text(value))
    text = format(number, f"0{width}.{decimals}f")
    if Decimal(text) != number or len(text) > width:
        raise ValueError(f"{value} does not fit into {width} characters with {decimals} decimals")
    return text


def _cut(value: Any, length: int) -> str:
    text = _text(value)
    if not re.match(r"\d{4}(-\d\d(-\d\d(T\d\d(:\d\d(:\d\d)?)?)?)?)?$", text[:length]) or len(text) < length:
        raise ValueError(f"{text} is not a time such as 2026-06-01T12:00:00Z")
    return text[:length]


def _found(pattern: str, text: Any) -> Any:
    match = re.match(pattern, text) if isinstance(text, str) else None
    return match.group(1) if match else None


def _number(text: Any) -> Any:
    return None if text is None else Decimal(text)


def shard_of(value: Any, count: int) -> int:
    "The write shard of a value: md5 as a big-endian number, modulo the count."
    return int.from_bytes(hashlib.md5(_text(value).encode()).digest(), "big") % count


def random_shard(count: int) -> int:
    return random.randrange(count)


def merged(pages: Iterable[Iterable[DynamoItem]], sort_key: str, descending: bool = False) -> Iterator[DynamoItem]:
    "Items of several shards, each in order, as one in order."
    return heapq.merge(*pages, key=lambda item: item[sort_key], reverse=descending)


def fan_out(query: Callable[..., Any], requests: list[DynamoRequest], limit: Optional[int] = None) -> list[DynamoItem]:
    "Runs the requests of a read over shards (query is that of a boto3 table) page by page and merges them in order."

    def pages(request: DynamoRequest) -> Iterator[DynamoItem]:
        while True:
            answer = query(**request)
            yield from answer["Items"]
            if "LastEvaluatedKey" not in answer:
                return
            request = {**request, "ExclusiveStartKey": answer["LastEvaluatedKey"]}

    first = requests[0]
    descending = not first.get("ScanIndexForward", True)
    items = merged(map(pages, requests), SORT_KEYS[first.get("IndexName", "")], descending)
    return list(itertools.islice(items, limit))


def _put(item: DynamoItem, version: Any = None) -> DynamoRequest:
    if version is None:
        return {"TableName": TABLE, "Item": item}
    if version == 0:
        return {
            "TableName": TABLE,
            "Item": {**item, "version": Decimal(1)},
            "ConditionExpression": "attribute_not_exists(#p)",
            "ExpressionAttributeNames": {"#p": PARTITION_KEY},
        }
    return {
        "TableName": TABLE,
        "Item": {**item, "version": Decimal(version) + 1},
        "ConditionExpression": "#v = :v",
        "ExpressionAttributeNames": {"#v": "version"},
        "ExpressionAttributeValues": {":v": Decimal(version)},
    }


def is_version_conflict(error: BaseException) -> bool:
    "Whether a put was refused because somebody else has written since the object was read."
    response = getattr(error, "response", None)
    return isinstance(response, dict) and response.get("Error", {}).get("Code") == "ConditionalCheckFailedException"


def retry_on_conflict(body: Callable[[], _T], attempts: int = 10) -> _T:
    "Calls body, which reads, changes and puts, again after a conflict."
    for attempt in range(1, attempts):
        try:
            return body()
        except Exception as error:
            if not is_version_conflict(error):
                raise
            time.sleep(random.uniform(0, min(0.2, 0.002 * 2**attempt)))
    return body()


@dataclass
class Customer:
    customer_id: str
    name: str
    email: str
    tier: str
    created_at: str

    @staticmethod
    def key(customer_id: str) -> DynamoItem:
        "The table's key, for get, update and delete."
        return {"PK": "CUST#" + _text(customer_id), "SK": "PROFILE"}

    def keys(self) -> DynamoItem:
        "The keys of the table and the indexes."
        keys: DynamoItem = {}
        keys["PK"] = "CUST#" + _text(self.customer_id)
        keys["SK"] = "PROFILE"
        return keys

    def item(self) -> DynamoItem:
        item = self.keys()
        item["entity_type"] = "Customer"
        item["name"] = self.name
        item["email"] = self.email
        item["tier"] = self.tier
        item["createdAt"] = self.created_at
        return item

    def put(self) -> DynamoRequest:
        "Arguments of put_item."
        return _put(self.item())

    @staticmethod
    def from_item(item: DynamoItem) -> Customer:
        return Customer(
            customer_id=_found(r"^CUST#([^#]+)$", item["PK"]),
            name=item["name"],
            email=item["email"],
            tier=item["tier"],
            created_at=item["createdAt"],
        )


@dataclass
class Order:
    "An order as its customer sees it, one item for each in the customer's collection."

    customer_id: str
    order_id: str
    order_date: str
    status: str
    total: Decimal
    version: Decimal

    @staticmethod
    def key(customer_id: str, order_date: str, order_id: str) -> DynamoItem:
        "The table's key, for get, update and delete."
        return {"PK": "CUST#" + _text(customer_id), "SK": "ORDER#" + _text(order_date) + "#" + _text(order_id)}

    def keys(self) -> DynamoItem:
        "The keys of the table and the indexes."
        keys: DynamoItem = {}
        keys["PK"] = "CUST#" + _text(self.customer_id)
        keys["SK"] = "ORDER#" + _text(self.order_date) + "#" + _text(self.order_id)
        keys["GSI1PK"] = "CUST#" + _text(self.customer_id) + "#" + _text(self.status)
        keys["GSI1SK"] = _text(self.order_date) + "#" + _text(self.order_id)
        if self.status in ("OPEN",):
            keys["GSI2PK"] = "OPEN"
        if self.status in ("OPEN",):
            keys["GSI2SK"] = _text(self.order_date) + "#" + _text(self.order_id)
        return keys

    def item(self) -> DynamoItem:
        item = self.keys()
        item["entity_type"] = "Order"
        item["status"] = self.status
        item["total"] = self.total
        item["version"] = self.version
        return item

    def put(self) -> DynamoRequest:
        "Arguments of put_item: refused where the version is no longer that of the object (0: where there is one)."
        return _put(self.item(), self.version)

    @staticmethod
    def from_item(item: DynamoItem) -> Order:
        return Order(
            customer_id=_found(r"^CUST#([^#]+)$", item["PK"]),
            order_id=_found(r"^ORDER#[^#]+#([^#]+)$", item["SK"]),
            order_date=_found(r"^ORDER#([^#]+)#[^#]+$", item["SK"]),
            status=item["status"],
            total=item["total"],
            version=item["version"],
        )


@dataclass
class OrderHeader:
    "The order itself, at the head of the collection of its line items."

    order_id: str
    status: str
    version: Decimal

    @staticmethod
    def key(order_id: str) -> DynamoItem:
        "The table's key, for get, update and delete."
        return {"PK": "ORDER#" + _text(order_id), "SK": "META"}

    def keys(self) -> DynamoItem:
        "The keys of the table and the indexes."
        keys: DynamoItem = {}
        keys["PK"] = "ORDER#" + _text(self.order_id)
        keys["SK"] = "META"
        return keys

    def item(self) -> DynamoItem:
        item = self.keys()
        item["entity_type"] = "OrderHeader"
        item["status"] = self.status
        item["version"] = self.version
        return item

    def put(self) -> DynamoRequest:
        "Arguments of put_item: refused where the version is no longer that of the object (0: where there is one)."
        return _put(self.item(), self.version)

    @staticmethod
    def from_item(item: DynamoItem) -> OrderHeader:
        return OrderHeader(
            order_id=_found(r"^ORDER#([^#]+)$", item["PK"]),
            status=item["status"],
            version=item["version"],
        )


@dataclass
class LineItem:
    order_id: str
    line_number: Decimal
    sku: str
    qty: Decimal
    price: Decimal

    @staticmethod
    def key(order_id: str, line_number: Decimal) -> DynamoItem:
        "The table's key, for get, update and delete."
        return {"PK": "ORDER#" + _text(order_id), "SK": "ITEM#" + _padded(line_number, 3, 0)}

    def keys(self) -> DynamoItem:
        "The keys of the table and the indexes."
        keys: DynamoItem = {}
        keys["PK"] = "ORDER#" + _text(self.order_id)
        keys["SK"] = "ITEM#" + _padded(self.line_number, 3, 0)
        return keys

    def item(self) -> DynamoItem:
        item = self.keys()
        item["entity_type"] = "LineItem"
        item["sku"] = self.sku
        item["qty"] = self.qty
        item["price"] = self.price
        return item

    def put(self) -> DynamoRequest:
        "Arguments of put_item."
        return _put(self.item())

    @staticmethod
    def from_item(item: DynamoItem) -> LineItem:
        return LineItem(
            order_id=_found(r"^ORDER#([^#]+)$", item["PK"]),
            line_number=_number(_found(r"^ITEM#([^#]+)$", item["SK"])),
            sku=item["sku"],
            qty=item["qty"],
            price=item["price"],
        )


AnyEntity = Union[Customer, Order, OrderHeader, LineItem]

READERS: dict[str, Callable[[DynamoItem], AnyEntity]] = {
    "Customer": Customer.from_item,
    "Order": Order.from_item,
    "OrderHeader": OrderHeader.from_item,
    "LineItem": LineItem.from_item,
}


def read_item(item: DynamoItem) -> AnyEntity:
    "An item of a collection as the object that it is; isinstance tells them apart."
    return READERS[item["entity_type"]](item)


def a1(customer_id: str) -> DynamoRequest:
    "a customer by id: arguments of get_item."
    return {
        "TableName": TABLE,
        "Key": {"PK": "CUST#" + _text(customer_id), "SK": "PROFILE"},
    }


def a2(customer_id: str) -> DynamoRequest:
    "all orders of a customer, newest first: arguments of query."
    return {
        "TableName": TABLE,
        "KeyConditionExpression": "#k0 = :k0 AND begins_with(#k1, :k1)",
        "ExpressionAttributeNames": {"#k0": "PK", "#k1": "SK"},
        "ExpressionAttributeValues": {":k0": "CUST#" + _text(customer_id), ":k1": "ORDER#"},
        "ScanIndexForward": False,
        "Limit": 50,
    }


def a3(order_id: str) -> DynamoRequest:
    "one order with its line items: arguments of query."
    return {
        "TableName": TABLE,
        "KeyConditionExpression": "#k0 = :k0",
        "ExpressionAttributeNames": {"#k0": "PK"},
        "ExpressionAttributeValues": {":k0": "ORDER#" + _text(order_id)},
    }


def a4(customer_id: str, status: str) -> DynamoRequest:
    "orders of a customer in one status: arguments of query."
    return {
        "TableName": TABLE,
        "IndexName": "GSI1",
        "KeyConditionExpression": "#k0 = :k0",
        "ExpressionAttributeNames": {"#k0": "GSI1PK"},
        "ExpressionAttributeValues": {":k0": "CUST#" + _text(customer_id) + "#" + _text(status)},
        "ScanIndexForward": False,
        "Limit": 50,
    }


def a5() -> DynamoRequest:
    "all open orders of all customers (operations board): arguments of query."
    return {
        "TableName": TABLE,
        "IndexName": "GSI2",
        "KeyConditionExpression": "#k0 = :k0",
        "ExpressionAttributeNames": {"#k0": "GSI2PK"},
        "ExpressionAttributeValues": {":k0": "OPEN"},
        "Limit": 100,
    }
