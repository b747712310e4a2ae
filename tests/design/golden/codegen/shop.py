"""Entities and reads of the model shop.

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

TABLE = "shop"
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
class User:
    user_id: str
    name: str
    email: str
    schema_v: Decimal

    @staticmethod
    def key(user_id: str) -> DynamoItem:
        "The table's key, for get, update and delete."
        return {"PK": "USER#" + _text(user_id), "SK": "PROFILE"}

    def keys(self) -> DynamoItem:
        "The keys of the table and the indexes."
        keys: DynamoItem = {}
        keys["PK"] = "USER#" + _text(self.user_id)
        keys["SK"] = "PROFILE"
        return keys

    def item(self) -> DynamoItem:
        item = self.keys()
        item["entity_type"] = "User"
        item["name"] = self.name
        item["email"] = self.email
        item["schema_v"] = self.schema_v
        return item

    def put(self) -> DynamoRequest:
        "Arguments of put_item."
        return _put(self.item())

    @staticmethod
    def from_item(item: DynamoItem) -> User:
        return User(
            user_id=_found(r"^USER#([^#]+)$", item["PK"]),
            name=item["name"],
            email=item["email"],
            schema_v=item["schema_v"],
        )


@dataclass
class Order:
    "An order among those of its user."

    user_id: str
    order_id: str
    placed_at: str
    status: str
    total: Decimal
    schema_v: Decimal

    @staticmethod
    def key(user_id: str, placed_at: str, order_id: str) -> DynamoItem:
        "The table's key, for get, update and delete."
        return {"PK": "USER#" + _text(user_id), "SK": "ORDER#" + _cut(placed_at, 10) + "#" + _text(order_id)}

    def keys(self) -> DynamoItem:
        "The keys of the table and the indexes."
        keys: DynamoItem = {}
        keys["PK"] = "USER#" + _text(self.user_id)
        keys["SK"] = "ORDER#" + _cut(self.placed_at, 10) + "#" + _text(self.order_id)
        keys["GSI1PK"] = "ORDER_BY_DATE"
        keys["GSI1SK"] = _text(self.placed_at) + "#" + _text(self.order_id)
        keys["GSI2PK"] = "USER#" + _text(self.user_id) + "#" + _text(self.status)
        keys["GSI2SK"] = _text(self.placed_at)
        return keys

    def item(self) -> DynamoItem:
        item = self.keys()
        item["entity_type"] = "Order"
        item["placedAt"] = self.placed_at
        item["status"] = self.status
        item["total"] = self.total
        item["schema_v"] = self.schema_v
        return item

    def put(self) -> DynamoRequest:
        "Arguments of put_item."
        return _put(self.item())

    @staticmethod
    def from_item(item: DynamoItem) -> Order:
        return Order(
            user_id=_found(r"^USER#([^#]+)$", item["PK"]),
            order_id=_found(r"^ORDER#[^#]+#([^#]+)$", item["SK"]),
            placed_at=item["placedAt"],
            status=item["status"],
            total=item["total"],
            schema_v=item["schema_v"],
        )


@dataclass
class OrderHeader:
    order_id: str
    placed_at: str
    status: str
    total: Decimal
    schema_v: Decimal

    @staticmethod
    def key(order_id: str) -> DynamoItem:
        "The table's key, for get, update and delete."
        return {"PK": "ORDER#" + _text(order_id), "SK": "METADATA"}

    def keys(self) -> DynamoItem:
        "The keys of the table and the indexes."
        keys: DynamoItem = {}
        keys["PK"] = "ORDER#" + _text(self.order_id)
        keys["SK"] = "METADATA"
        keys["GSI1PK"] = "ORDER_STATUS#" + _text(self.status)
        keys["GSI1SK"] = _text(self.placed_at) + "#" + _text(self.order_id)
        return keys

    def item(self) -> DynamoItem:
        item = self.keys()
        item["entity_type"] = "OrderHeader"
        item["placedAt"] = self.placed_at
        item["status"] = self.status
        item["total"] = self.total
        item["schema_v"] = self.schema_v
        return item

    def put(self) -> DynamoRequest:
        "Arguments of put_item."
        return _put(self.item())

    @staticmethod
    def from_item(item: DynamoItem) -> OrderHeader:
        return OrderHeader(
            order_id=_found(r"^ORDER#([^#]+)$", item["PK"]),
            placed_at=item["placedAt"],
            status=item["status"],
            total=item["total"],
            schema_v=item["schema_v"],
        )


@dataclass
class OrderItem:
    order_id: str
    line_number: Decimal
    product_id: str
    quantity: Decimal
    price: Decimal
    schema_v: Decimal

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
        item["entity_type"] = "OrderItem"
        item["productId"] = self.product_id
        item["quantity"] = self.quantity
        item["price"] = self.price
        item["schema_v"] = self.schema_v
        return item

    def put(self) -> DynamoRequest:
        "Arguments of put_item."
        return _put(self.item())

    @staticmethod
    def from_item(item: DynamoItem) -> OrderItem:
        return OrderItem(
            order_id=_found(r"^ORDER#([^#]+)$", item["PK"]),
            line_number=_number(_found(r"^ITEM#([^#]+)$", item["SK"])),
            product_id=item["productId"],
            quantity=item["quantity"],
            price=item["price"],
            schema_v=item["schema_v"],
        )


@dataclass
class Product:
    product_id: str
    category: str
    title: str
    price: Decimal
    description: str
    schema_v: Decimal

    @staticmethod
    def key(product_id: str) -> DynamoItem:
        "The table's key, for get, update and delete."
        return {"PK": "PRODUCT#" + _text(product_id), "SK": "DETAILS"}

    def keys(self) -> DynamoItem:
        "The keys of the table and the indexes."
        keys: DynamoItem = {}
        keys["PK"] = "PRODUCT#" + _text(self.product_id)
        keys["SK"] = "DETAILS"
        keys["GSI2PK"] = "CATEGORY#" + _text(self.category)
        keys["GSI2SK"] = "PRODUCT#" + _text(self.product_id)
        return keys

    def item(self) -> DynamoItem:
        item = self.keys()
        item["entity_type"] = "Product"
        item["category"] = self.category
        item["title"] = self.title
        item["price"] = self.price
        item["description"] = self.description
        item["schema_v"] = self.schema_v
        return item

    def put(self) -> DynamoRequest:
        "Arguments of put_item."
        return _put(self.item())

    @staticmethod
    def from_item(item: DynamoItem) -> Product:
        return Product(
            product_id=_found(r"^PRODUCT#([^#]+)$", item["PK"]),
            category=item["category"],
            title=item["title"],
            price=item["price"],
            description=item["description"],
            schema_v=item["schema_v"],
        )


@dataclass
class Review:
    product_id: str
    review_id: str
    created_at: str
    stars: Decimal
    text: str
    schema_v: Decimal

    @staticmethod
    def key(product_id: str, review_id: str) -> DynamoItem:
        "The table's key, for get, update and delete."
        return {"PK": "PRODUCT#" + _text(product_id), "SK": "REVIEW#" + _text(review_id)}

    def keys(self) -> DynamoItem:
        "The keys of the table and the indexes."
        keys: DynamoItem = {}
        keys["PK"] = "PRODUCT#" + _text(self.product_id)
        keys["SK"] = "REVIEW#" + _text(self.review_id)
        keys["GSI1PK"] = "PRODUCT#" + _text(self.product_id) + "#REVIEWS"
        keys["GSI1SK"] = _cut(self.created_at, 16) + "#" + _text(self.review_id)
        return keys

    def item(self) -> DynamoItem:
        item = self.keys()
        item["entity_type"] = "Review"
        item["createdAt"] = self.created_at
        item["stars"] = self.stars
        item["text"] = self.text
        item["schema_v"] = self.schema_v
        return item

    def put(self) -> DynamoRequest:
        "Arguments of put_item."
        return _put(self.item())

    @staticmethod
    def from_item(item: DynamoItem) -> Review:
        return Review(
            product_id=_found(r"^PRODUCT#([^#]+)$", item["PK"]),
            review_id=_found(r"^REVIEW#([^#]+)$", item["SK"]),
            created_at=item["createdAt"],
            stars=item["stars"],
            text=item["text"],
            schema_v=item["schema_v"],
        )


AnyEntity = Union[User, Order, OrderHeader, OrderItem, Product, Review]

READERS: dict[str, Callable[[DynamoItem], AnyEntity]] = {
    "User": User.from_item,
    "Order": Order.from_item,
    "OrderHeader": OrderHeader.from_item,
    "OrderItem": OrderItem.from_item,
    "Product": Product.from_item,
    "Review": Review.from_item,
}


def read_item(item: DynamoItem) -> AnyEntity:
    "An item of a collection as the object that it is; isinstance tells them apart."
    return READERS[item["entity_type"]](item)


def s1(user_id: str) -> DynamoRequest:
    "user profile: arguments of get_item."
    return {
        "TableName": TABLE,
        "Key": {"PK": "USER#" + _text(user_id), "SK": "PROFILE"},
    }


def s2(user_id: str) -> DynamoRequest:
    "a user's latest orders (10): arguments of query."
    return {
        "TableName": TABLE,
        "KeyConditionExpression": "#k0 = :k0 AND begins_with(#k1, :k1)",
        "ExpressionAttributeNames": {"#k0": "PK", "#k1": "SK"},
        "ExpressionAttributeValues": {":k0": "USER#" + _text(user_id), ":k1": "ORDER#"},
        "ScanIndexForward": False,
        "Limit": 10,
    }


def user_with_orders(user_id: str) -> DynamoRequest:
    "a user and the orders, sorted into types by entity_type: arguments of query."
    return {
        "TableName": TABLE,
        "KeyConditionExpression": "#k0 = :k0",
        "ExpressionAttributeNames": {"#k0": "PK"},
        "ExpressionAttributeValues": {":k0": "USER#" + _text(user_id)},
        "Limit": 50,
    }


def s3(order_id: str) -> DynamoRequest:
    "an order with all its items: arguments of query."
    return {
        "TableName": TABLE,
        "KeyConditionExpression": "#k0 = :k0",
        "ExpressionAttributeNames": {"#k0": "PK"},
        "ExpressionAttributeValues": {":k0": "ORDER#" + _text(order_id)},
    }


def s4(today: str) -> DynamoRequest:
    "all orders placed today over all users: arguments of query."
    return {
        "TableName": TABLE,
        "IndexName": "GSI1",
        "KeyConditionExpression": "#k0 = :k0 AND begins_with(#k1, :k1)",
        "ExpressionAttributeNames": {"#k0": "GSI1PK", "#k1": "GSI1SK"},
        "ExpressionAttributeValues": {":k0": "ORDER_BY_DATE", ":k1": _cut(today, 10)},
        "Limit": 100,
    }


def s5(user_id: str, status: str) -> DynamoRequest:
    "a user's orders by status: arguments of query."
    return {
        "TableName": TABLE,
        "IndexName": "GSI2",
        "KeyConditionExpression": "#k0 = :k0",
        "ExpressionAttributeNames": {"#k0": "GSI2PK"},
        "ExpressionAttributeValues": {":k0": "USER#" + _text(user_id) + "#" + _text(status)},
        "ScanIndexForward": False,
        "Limit": 20,
    }


def s6(product_id: str) -> DynamoRequest:
    "a product's latest reviews: arguments of query."
    return {
        "TableName": TABLE,
        "IndexName": "GSI1",
        "KeyConditionExpression": "#k0 = :k0",
        "ExpressionAttributeNames": {"#k0": "GSI1PK"},
        "ExpressionAttributeValues": {":k0": "PRODUCT#" + _text(product_id) + "#REVIEWS"},
        "ScanIndexForward": False,
        "Limit": 20,
    }


def s7(product_id: str) -> DynamoRequest:
    "product by id: arguments of get_item."
    return {
        "TableName": TABLE,
        "Key": {"PK": "PRODUCT#" + _text(product_id), "SK": "DETAILS"},
    }


def s8(category: str) -> DynamoRequest:
    "products of a category: arguments of query."
    return {
        "TableName": TABLE,
        "IndexName": "GSI2",
        "KeyConditionExpression": "#k0 = :k0",
        "ExpressionAttributeNames": {"#k0": "GSI2PK"},
        "ExpressionAttributeValues": {":k0": "CATEGORY#" + _text(category)},
        "Limit": 50,
    }


def s9(since: str) -> DynamoRequest:
    "pending orders after a point in time: arguments of query."
    return {
        "TableName": TABLE,
        "IndexName": "GSI1",
        "KeyConditionExpression": "#k0 = :k0 AND #k1 > :k1",
        "ExpressionAttributeNames": {"#k0": "GSI1PK", "#k1": "GSI1SK"},
        "ExpressionAttributeValues": {":k0": "ORDER_STATUS#PENDING", ":k1": _text(since)},
        "Limit": 100,
    }
