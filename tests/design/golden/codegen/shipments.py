"""Entities and reads of the model shipments.

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

TABLE = "shipments"
PARTITION_KEY = "PK"
SORT_KEYS = {"": "SK", "Board": "changedAt"}  # by index; "" is the table

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
class Shipment:
    shipment_id: str
    origin: str
    destination: str
    created_at: str

    @staticmethod
    def key(shipment_id: str) -> DynamoItem:
        "The table's key, for get, update and delete."
        return {"PK": "SHIPMENT#" + _text(shipment_id), "SK": "META"}

    def keys(self) -> DynamoItem:
        "The keys of the table and the indexes."
        keys: DynamoItem = {}
        keys["PK"] = "SHIPMENT#" + _text(self.shipment_id)
        keys["SK"] = "META"
        return keys

    def item(self) -> DynamoItem:
        item = self.keys()
        item["entity_type"] = "Shipment"
        item["origin"] = self.origin
        item["destination"] = self.destination
        item["createdAt"] = self.created_at
        return item

    def put(self) -> DynamoRequest:
        "Arguments of put_item."
        return _put(self.item())

    @staticmethod
    def from_item(item: DynamoItem) -> Shipment:
        return Shipment(
            shipment_id=_found(r"^SHIPMENT#([^#]+)$", item["PK"]),
            origin=item["origin"],
            destination=item["destination"],
            created_at=item["createdAt"],
        )


@dataclass
class LatestStatus:
    "What a stream consumer keeps up to date for the board; no growing array anywhere."

    shipment_id: str
    depot: str
    state: str
    place: str
    changed_at: Optional[str] = None

    @staticmethod
    def key(shipment_id: str) -> DynamoItem:
        "The table's key, for get, update and delete."
        return {"PK": "SHIPMENT#" + _text(shipment_id), "SK": "LATEST"}

    def keys(self) -> DynamoItem:
        "The keys of the table and the indexes."
        keys: DynamoItem = {}
        keys["PK"] = "SHIPMENT#" + _text(self.shipment_id)
        keys["SK"] = "LATEST"
        if self.state in ("MOVING", "HELD",):
            keys["boardKey"] = "DEPOT#" + _text(self.depot)
        if self.state in ("MOVING", "HELD",) and self.changed_at is not None:
            keys["changedAt"] = _text(self.changed_at)
        return keys

    def item(self) -> DynamoItem:
        item = self.keys()
        item["entity_type"] = "LatestStatus"
        item["depot"] = self.depot
        item["state"] = self.state
        item["place"] = self.place
        return item

    def put(self) -> DynamoRequest:
        "Arguments of put_item."
        return _put(self.item())

    @staticmethod
    def from_item(item: DynamoItem) -> LatestStatus:
        return LatestStatus(
            shipment_id=_found(r"^SHIPMENT#([^#]+)$", item["PK"]),
            depot=item["depot"],
            state=item["state"],
            place=item["place"],
            changed_at=_found(r"^([^#]+)$", item.get("changedAt")),
        )


@dataclass
class Event:
    "An event of an ordinary shipment."

    shipment_id: str
    event_id: str
    happened_at: str
    kind: str
    place: str
    detail: dict[str, Any]
    expires_at: Decimal

    @staticmethod
    def key(shipment_id: str, happened_at: str, event_id: str) -> DynamoItem:
        "The table's key, for get, update and delete."
        return {"PK": "SHIPMENT#" + _text(shipment_id), "SK": "EVENT#" + _text(happened_at) + "#" + _text(event_id)}

    def keys(self) -> DynamoItem:
        "The keys of the table and the indexes."
        keys: DynamoItem = {}
        keys["PK"] = "SHIPMENT#" + _text(self.shipment_id)
        keys["SK"] = "EVENT#" + _text(self.happened_at) + "#" + _text(self.event_id)
        return keys

    def item(self) -> DynamoItem:
        item = self.keys()
        item["entity_type"] = "Event"
        item["kind"] = self.kind
        item["place"] = self.place
        item["detail"] = self.detail
        item["expiresAt"] = self.expires_at
        return item

    def put(self) -> DynamoRequest:
        "Arguments of put_item."
        return _put(self.item())

    @staticmethod
    def from_item(item: DynamoItem) -> Event:
        return Event(
            shipment_id=_found(r"^SHIPMENT#([^#]+)$", item["PK"]),
            event_id=_found(r"^EVENT#[^#]+#([^#]+)$", item["SK"]),
            happened_at=_found(r"^EVENT#([^#]+)#[^#]+$", item["SK"]),
            kind=item["kind"],
            place=item["place"],
            detail=item["detail"],
            expires_at=item["expiresAt"],
        )


@dataclass
class BulkShipment:
    "A pallet with very many events; its meta item says that its events are sharded."

    pallet_id: str
    origin: str
    destination: str
    shards: Decimal

    @staticmethod
    def key(pallet_id: str) -> DynamoItem:
        "The table's key, for get, update and delete."
        return {"PK": "PALLET#" + _text(pallet_id), "SK": "META"}

    def keys(self) -> DynamoItem:
        "The keys of the table and the indexes."
        keys: DynamoItem = {}
        keys["PK"] = "PALLET#" + _text(self.pallet_id)
        keys["SK"] = "META"
        return keys

    def item(self) -> DynamoItem:
        item = self.keys()
        item["entity_type"] = "BulkShipment"
        item["origin"] = self.origin
        item["destination"] = self.destination
        item["shards"] = self.shards
        return item

    def put(self) -> DynamoRequest:
        "Arguments of put_item."
        return _put(self.item())

    @staticmethod
    def from_item(item: DynamoItem) -> BulkShipment:
        return BulkShipment(
            pallet_id=_found(r"^PALLET#([^#]+)$", item["PK"]),
            origin=item["origin"],
            destination=item["destination"],
            shards=item["shards"],
        )


@dataclass
class BulkEvent:
    "An event of a pallet, in one of ten shards chosen by the event's id."

    pallet_id: str
    event_id: str
    happened_at: str
    kind: str
    place: str
    detail: dict[str, Any]
    expires_at: Decimal

    @staticmethod
    def key(pallet_id: str, event_id: str, happened_at: str) -> DynamoItem:
        "The table's key, for get, update and delete."
        return {"PK": "SHIPMENT#" + _text(pallet_id) + "#" + str(shard_of(event_id, 10)), "SK": "EVENT#" + _text(happened_at) + "#" + _text(event_id)}

    def keys(self) -> DynamoItem:
        "The keys of the table and the indexes."
        keys: DynamoItem = {}
        keys["PK"] = "SHIPMENT#" + _text(self.pallet_id) + "#" + str(shard_of(self.event_id, 10))
        keys["SK"] = "EVENT#" + _text(self.happened_at) + "#" + _text(self.event_id)
        return keys

    def item(self) -> DynamoItem:
        item = self.keys()
        item["entity_type"] = "BulkEvent"
        item["kind"] = self.kind
        item["place"] = self.place
        item["detail"] = self.detail
        item["expiresAt"] = self.expires_at
        return item

    def put(self) -> DynamoRequest:
        "Arguments of put_item."
        return _put(self.item())

    @staticmethod
    def from_item(item: DynamoItem) -> BulkEvent:
        return BulkEvent(
            pallet_id=_found(r"^SHIPMENT#([^#]+)#[^#]+$", item["PK"]),
            event_id=_found(r"^EVENT#[^#]+#([^#]+)$", item["SK"]),
            happened_at=_found(r"^EVENT#([^#]+)#[^#]+$", item["SK"]),
            kind=item["kind"],
            place=item["place"],
            detail=item["detail"],
            expires_at=item["expiresAt"],
        )


@dataclass
class Rollup:
    "The increment of one hour, an item of its own instead of an element of a growing array."

    pallet_id: str
    hour: str
    counts: dict[str, Any]

    @staticmethod
    def key(pallet_id: str, hour: str) -> DynamoItem:
        "The table's key, for get, update and delete."
        return {"PK": "PALLET#" + _text(pallet_id), "SK": "ROLLUP#" + _cut(hour, 13)}

    def keys(self) -> DynamoItem:
        "The keys of the table and the indexes."
        keys: DynamoItem = {}
        keys["PK"] = "PALLET#" + _text(self.pallet_id)
        keys["SK"] = "ROLLUP#" + _cut(self.hour, 13)
        return keys

    def item(self) -> DynamoItem:
        item = self.keys()
        item["entity_type"] = "Rollup"
        item["counts"] = self.counts
        return item

    def put(self) -> DynamoRequest:
        "Arguments of put_item."
        return _put(self.item())

    @staticmethod
    def from_item(item: DynamoItem) -> Rollup:
        return Rollup(
            pallet_id=_found(r"^PALLET#([^#]+)$", item["PK"]),
            hour=_found(r"^ROLLUP#([^#]+)$", item["SK"]),
            counts=item["counts"],
        )


AnyEntity = Union[Shipment, LatestStatus, Event, BulkShipment, BulkEvent, Rollup]

READERS: dict[str, Callable[[DynamoItem], AnyEntity]] = {
    "Shipment": Shipment.from_item,
    "LatestStatus": LatestStatus.from_item,
    "Event": Event.from_item,
    "BulkShipment": BulkShipment.from_item,
    "BulkEvent": BulkEvent.from_item,
    "Rollup": Rollup.from_item,
}


def read_item(item: DynamoItem) -> AnyEntity:
    "An item of a collection as the object that it is; isinstance tells them apart."
    return READERS[item["entity_type"]](item)


def shipment_history(shipment_id: str) -> DynamoRequest:
    "a shipment with all its events, in order: arguments of query."
    return {
        "TableName": TABLE,
        "KeyConditionExpression": "#k0 = :k0 AND begins_with(#k1, :k1)",
        "ExpressionAttributeNames": {"#k0": "PK", "#k1": "SK"},
        "ExpressionAttributeValues": {":k0": "SHIPMENT#" + _text(shipment_id), ":k1": "EVENT#"},
    }


def pallet_history(pallet_id: str) -> list[DynamoRequest]:
    "the newest events of a pallet, ten queries merged in order: arguments of query, one for each of 10 shards."
    requests = []
    for shard in range(10):
        requests.append({
            "TableName": TABLE,
            "KeyConditionExpression": "#k0 = :k0 AND begins_with(#k1, :k1)",
            "ExpressionAttributeNames": {"#k0": "PK", "#k1": "SK"},
            "ExpressionAttributeValues": {":k0": "SHIPMENT#" + _text(pallet_id) + "#" + str(shard), ":k1": "EVENT#"},
            "ScanIndexForward": False,
            "Limit": 100,
        })
    return requests


def latest_status(shipment_id: str) -> DynamoRequest:
    "where a shipment is now: arguments of get_item."
    return {
        "TableName": TABLE,
        "Key": {"PK": "SHIPMENT#" + _text(shipment_id), "SK": "LATEST"},
    }


def depot_board(depot: str) -> DynamoRequest:
    "what is under way at a depot, latest change first: arguments of query."
    return {
        "TableName": TABLE,
        "IndexName": "Board",
        "KeyConditionExpression": "#k0 = :k0",
        "ExpressionAttributeNames": {"#k0": "boardKey"},
        "ExpressionAttributeValues": {":k0": "DEPOT#" + _text(depot)},
        "ScanIndexForward": False,
        "Limit": 50,
    }


def shipment(shipment_id: str) -> DynamoRequest:
    "a shipment by id: arguments of get_item."
    return {
        "TableName": TABLE,
        "Key": {"PK": "SHIPMENT#" + _text(shipment_id), "SK": "META"},
    }


def rollups_of_pallet(pallet_id: str, _from: str, to: str) -> DynamoRequest:
    "the hourly counts of a pallet over a range of time: arguments of query."
    return {
        "TableName": TABLE,
        "KeyConditionExpression": "#k0 = :k0 AND #k1 BETWEEN :k1 AND :u1",
        "ExpressionAttributeNames": {"#k0": "PK", "#k1": "SK"},
        "ExpressionAttributeValues": {":k0": "PALLET#" + _text(pallet_id), ":k1": "ROLLUP#" + _cut(_from, 13), ":u1": "ROLLUP#" + _cut(to, 13)},
    }
