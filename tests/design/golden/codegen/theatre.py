"""Entities and reads of the model theatre.

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

TABLE = "theatre"
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
class Show:
    show_id: str
    title: str
    genre: str
    rating: Decimal
    description: Any
    show_count: Decimal
    featured: Optional[bool] = None

    @staticmethod
    def key(show_id: str) -> DynamoItem:
        "The table's key, for get, update and delete."
        return {"PK": "SHOW#" + _text(show_id), "SK": "METADATA"}

    def keys(self) -> DynamoItem:
        "The keys of the table and the indexes."
        keys: DynamoItem = {}
        keys["PK"] = "SHOW#" + _text(self.show_id)
        keys["SK"] = "METADATA"
        keys["GSI1PK"] = "GENRE#" + _text(self.genre)
        keys["GSI1SK"] = "RATING#" + _padded(self.rating, 3, 1) + "#SHOW#" + _text(self.show_id)
        if self.featured is not None:
            keys["GSI2PK"] = "FEATURED"
        if self.featured is not None:
            keys["GSI2SK"] = "RATING#" + _padded(self.rating, 3, 1)
        return keys

    def item(self) -> DynamoItem:
        item = self.keys()
        item["entity_type"] = "Show"
        item["title"] = self.title
        item["genre"] = self.genre
        item["rating"] = self.rating
        item["description"] = self.description
        item["showCount"] = self.show_count
        if self.featured is not None:
            item["featured"] = self.featured
        return item

    def put(self) -> DynamoRequest:
        "Arguments of put_item."
        return _put(self.item())

    @staticmethod
    def from_item(item: DynamoItem) -> Show:
        return Show(
            show_id=_found(r"^SHOW#([^#]+)$", item["PK"]),
            title=item["title"],
            genre=item["genre"],
            rating=item["rating"],
            description=item["description"],
            show_count=item["showCount"],
            featured=item.get("featured"),
        )


@dataclass
class ShowVenue:
    "A show at a venue, read from the show's side and, by GSI1, from the venue's."

    show_id: str
    venue_id: str
    title: str
    rating: Decimal

    @staticmethod
    def key(show_id: str, venue_id: str) -> DynamoItem:
        "The table's key, for get, update and delete."
        return {"PK": "SHOW#" + _text(show_id), "SK": "VENUE#" + _text(venue_id)}

    def keys(self) -> DynamoItem:
        "The keys of the table and the indexes."
        keys: DynamoItem = {}
        keys["PK"] = "SHOW#" + _text(self.show_id)
        keys["SK"] = "VENUE#" + _text(self.venue_id)
        keys["GSI1PK"] = "VENUE#" + _text(self.venue_id)
        keys["GSI1SK"] = "SHOW#" + _text(self.show_id)
        return keys

    def item(self) -> DynamoItem:
        item = self.keys()
        item["entity_type"] = "ShowVenue"
        item["title"] = self.title
        item["rating"] = self.rating
        return item

    def put(self) -> DynamoRequest:
        "Arguments of put_item."
        return _put(self.item())

    @staticmethod
    def from_item(item: DynamoItem) -> ShowVenue:
        return ShowVenue(
            show_id=_found(r"^SHOW#([^#]+)$", item["PK"]),
            venue_id=_found(r"^VENUE#([^#]+)$", item["SK"]),
            title=item["title"],
            rating=item["rating"],
        )


@dataclass
class ShowGenre:
    "One item for each further genre of a show."

    show_id: str
    genre: str
    title: str
    rating: Decimal

    @staticmethod
    def key(show_id: str, genre: str) -> DynamoItem:
        "The table's key, for get, update and delete."
        return {"PK": "SHOW#" + _text(show_id), "SK": "GENRE#" + _text(genre)}

    def keys(self) -> DynamoItem:
        "The keys of the table and the indexes."
        keys: DynamoItem = {}
        keys["PK"] = "SHOW#" + _text(self.show_id)
        keys["SK"] = "GENRE#" + _text(self.genre)
        keys["GSI1PK"] = "GENRE#" + _text(self.genre)
        keys["GSI1SK"] = "SHOW#" + _text(self.show_id)
        return keys

    def item(self) -> DynamoItem:
        item = self.keys()
        item["entity_type"] = "ShowGenre"
        item["title"] = self.title
        item["rating"] = self.rating
        return item

    def put(self) -> DynamoRequest:
        "Arguments of put_item."
        return _put(self.item())

    @staticmethod
    def from_item(item: DynamoItem) -> ShowGenre:
        return ShowGenre(
            show_id=_found(r"^SHOW#([^#]+)$", item["PK"]),
            genre=_found(r"^GENRE#([^#]+)$", item["SK"]),
            title=item["title"],
            rating=item["rating"],
        )


@dataclass
class Performance:
    show_id: str
    performance_id: str
    starts_at: str
    local_time: str
    venue_id: str
    seats_left: Decimal

    @staticmethod
    def key(show_id: str, local_time: str) -> DynamoItem:
        "The table's key, for get, update and delete."
        return {"PK": "SHOW#" + _text(show_id), "SK": "PERFORMANCE#" + _text(local_time)}

    def keys(self) -> DynamoItem:
        "The keys of the table and the indexes."
        keys: DynamoItem = {}
        keys["PK"] = "SHOW#" + _text(self.show_id)
        keys["SK"] = "PERFORMANCE#" + _text(self.local_time)
        keys["GSI2PK"] = "PERFORMANCES"
        keys["GSI2SK"] = _text(self.starts_at) + "#" + _text(self.performance_id)
        return keys

    def item(self) -> DynamoItem:
        item = self.keys()
        item["entity_type"] = "Performance"
        item["performanceId"] = self.performance_id
        item["startsAt"] = self.starts_at
        item["venueId"] = self.venue_id
        item["seatsLeft"] = self.seats_left
        return item

    def put(self) -> DynamoRequest:
        "Arguments of put_item."
        return _put(self.item())

    @staticmethod
    def from_item(item: DynamoItem) -> Performance:
        return Performance(
            show_id=_found(r"^SHOW#([^#]+)$", item["PK"]),
            performance_id=item["performanceId"],
            starts_at=item["startsAt"],
            local_time=_found(r"^PERFORMANCE#([^#]+)$", item["SK"]),
            venue_id=item["venueId"],
            seats_left=item["seatsLeft"],
        )


@dataclass
class Review:
    show_id: str
    review_id: str
    created_at: str
    stars: Decimal
    text: str

    @staticmethod
    def key(show_id: str, review_id: str) -> DynamoItem:
        "The table's key, for get, update and delete."
        return {"PK": "SHOW#" + _text(show_id), "SK": "REVIEW#" + _text(review_id)}

    def keys(self) -> DynamoItem:
        "The keys of the table and the indexes."
        keys: DynamoItem = {}
        keys["PK"] = "SHOW#" + _text(self.show_id)
        keys["SK"] = "REVIEW#" + _text(self.review_id)
        keys["GSI2PK"] = "REVIEWS#" + _cut(self.created_at, 7)
        keys["GSI2SK"] = _text(self.created_at) + "#" + _text(self.review_id)
        return keys

    def item(self) -> DynamoItem:
        item = self.keys()
        item["entity_type"] = "Review"
        item["createdAt"] = self.created_at
        item["stars"] = self.stars
        item["text"] = self.text
        return item

    def put(self) -> DynamoRequest:
        "Arguments of put_item."
        return _put(self.item())

    @staticmethod
    def from_item(item: DynamoItem) -> Review:
        return Review(
            show_id=_found(r"^SHOW#([^#]+)$", item["PK"]),
            review_id=_found(r"^REVIEW#([^#]+)$", item["SK"]),
            created_at=item["createdAt"],
            stars=item["stars"],
            text=item["text"],
        )


@dataclass
class Venue:
    venue_id: str
    name: str
    address: dict[str, Any]
    show_count: Decimal

    @staticmethod
    def key(venue_id: str) -> DynamoItem:
        "The table's key, for get, update and delete."
        return {"PK": "VENUE#" + _text(venue_id), "SK": "METADATA"}

    def keys(self) -> DynamoItem:
        "The keys of the table and the indexes."
        keys: DynamoItem = {}
        keys["PK"] = "VENUE#" + _text(self.venue_id)
        keys["SK"] = "METADATA"
        return keys

    def item(self) -> DynamoItem:
        item = self.keys()
        item["entity_type"] = "Venue"
        item["name"] = self.name
        item["address"] = self.address
        item["showCount"] = self.show_count
        return item

    def put(self) -> DynamoRequest:
        "Arguments of put_item."
        return _put(self.item())

    @staticmethod
    def from_item(item: DynamoItem) -> Venue:
        return Venue(
            venue_id=_found(r"^VENUE#([^#]+)$", item["PK"]),
            name=item["name"],
            address=item["address"],
            show_count=item["showCount"],
        )


@dataclass
class VenueShow:
    "The same edge as ShowVenue, written a second time under the venue."

    venue_id: str
    show_id: str
    title: str

    @staticmethod
    def key(venue_id: str, show_id: str) -> DynamoItem:
        "The table's key, for get, update and delete."
        return {"PK": "VENUE#" + _text(venue_id), "SK": "SHOW#" + _text(show_id)}

    def keys(self) -> DynamoItem:
        "The keys of the table and the indexes."
        keys: DynamoItem = {}
        keys["PK"] = "VENUE#" + _text(self.venue_id)
        keys["SK"] = "SHOW#" + _text(self.show_id)
        return keys

    def item(self) -> DynamoItem:
        item = self.keys()
        item["entity_type"] = "VenueShow"
        item["title"] = self.title
        return item

    def put(self) -> DynamoRequest:
        "Arguments of put_item."
        return _put(self.item())

    @staticmethod
    def from_item(item: DynamoItem) -> VenueShow:
        return VenueShow(
            venue_id=_found(r"^VENUE#([^#]+)$", item["PK"]),
            show_id=_found(r"^SHOW#([^#]+)$", item["SK"]),
            title=item["title"],
        )


@dataclass
class RegionVenue:
    region: str
    venue_id: str
    name: str

    @staticmethod
    def key(region: str, venue_id: str) -> DynamoItem:
        "The table's key, for get, update and delete."
        return {"PK": "REGION#" + _text(region), "SK": "VENUE#" + _text(venue_id)}

    def keys(self) -> DynamoItem:
        "The keys of the table and the indexes."
        keys: DynamoItem = {}
        keys["PK"] = "REGION#" + _text(self.region)
        keys["SK"] = "VENUE#" + _text(self.venue_id)
        return keys

    def item(self) -> DynamoItem:
        item = self.keys()
        item["entity_type"] = "RegionVenue"
        item["name"] = self.name
        return item

    def put(self) -> DynamoRequest:
        "Arguments of put_item."
        return _put(self.item())

    @staticmethod
    def from_item(item: DynamoItem) -> RegionVenue:
        return RegionVenue(
            region=_found(r"^REGION#([^#]+)$", item["PK"]),
            venue_id=_found(r"^VENUE#([^#]+)$", item["SK"]),
            name=item["name"],
        )


@dataclass
class TenantShow:
    "A show of one tenant; the tenant is the first component of every key."

    tenant_id: str
    show_id: str
    title: str

    @staticmethod
    def key(tenant_id: str, show_id: str) -> DynamoItem:
        "The table's key, for get, update and delete."
        return {"PK": "TENANT#" + _text(tenant_id) + "#SHOW#" + _text(show_id), "SK": "METADATA"}

    def keys(self) -> DynamoItem:
        "The keys of the table and the indexes."
        keys: DynamoItem = {}
        keys["PK"] = "TENANT#" + _text(self.tenant_id) + "#SHOW#" + _text(self.show_id)
        keys["SK"] = "METADATA"
        return keys

    def item(self) -> DynamoItem:
        item = self.keys()
        item["entity_type"] = "TenantShow"
        item["title"] = self.title
        return item

    def put(self) -> DynamoRequest:
        "Arguments of put_item."
        return _put(self.item())

    @staticmethod
    def from_item(item: DynamoItem) -> TenantShow:
        return TenantShow(
            tenant_id=_found(r"^TENANT#([^#]+)#SHOW#[^#]+$", item["PK"]),
            show_id=_found(r"^TENANT#[^#]+#SHOW#([^#]+)$", item["PK"]),
            title=item["title"],
        )


@dataclass
class TenantReview:
    tenant_id: str
    show_id: str
    review_id: str
    text: str

    @staticmethod
    def key(tenant_id: str, show_id: str, review_id: str) -> DynamoItem:
        "The table's key, for get, update and delete."
        return {"PK": "TENANT#" + _text(tenant_id) + "#SHOW#" + _text(show_id), "SK": "REVIEW#" + _text(review_id)}

    def keys(self) -> DynamoItem:
        "The keys of the table and the indexes."
        keys: DynamoItem = {}
        keys["PK"] = "TENANT#" + _text(self.tenant_id) + "#SHOW#" + _text(self.show_id)
        keys["SK"] = "REVIEW#" + _text(self.review_id)
        return keys

    def item(self) -> DynamoItem:
        item = self.keys()
        item["entity_type"] = "TenantReview"
        item["text"] = self.text
        return item

    def put(self) -> DynamoRequest:
        "Arguments of put_item."
        return _put(self.item())

    @staticmethod
    def from_item(item: DynamoItem) -> TenantReview:
        return TenantReview(
            tenant_id=_found(r"^TENANT#([^#]+)#SHOW#[^#]+$", item["PK"]),
            show_id=_found(r"^TENANT#[^#]+#SHOW#([^#]+)$", item["PK"]),
            review_id=_found(r"^REVIEW#([^#]+)$", item["SK"]),
            text=item["text"],
        )


AnyEntity = Union[Show, ShowVenue, ShowGenre, Performance, Review, Venue, VenueShow, RegionVenue, TenantShow, TenantReview]

READERS: dict[str, Callable[[DynamoItem], AnyEntity]] = {
    "Show": Show.from_item,
    "ShowVenue": ShowVenue.from_item,
    "ShowGenre": ShowGenre.from_item,
    "Performance": Performance.from_item,
    "Review": Review.from_item,
    "Venue": Venue.from_item,
    "VenueShow": VenueShow.from_item,
    "RegionVenue": RegionVenue.from_item,
    "TenantShow": TenantShow.from_item,
    "TenantReview": TenantReview.from_item,
}


def read_item(item: DynamoItem) -> AnyEntity:
    "An item of a collection as the object that it is; isinstance tells them apart."
    return READERS[item["entity_type"]](item)


def t1(show_id: str) -> DynamoRequest:
    "a show by id: arguments of get_item."
    return {
        "TableName": TABLE,
        "Key": {"PK": "SHOW#" + _text(show_id), "SK": "METADATA"},
    }


def t2(venue_id: str) -> DynamoRequest:
    "all shows of a venue: arguments of query."
    return {
        "TableName": TABLE,
        "IndexName": "GSI1",
        "KeyConditionExpression": "#k0 = :k0 AND begins_with(#k1, :k1)",
        "ExpressionAttributeNames": {"#k0": "GSI1PK", "#k1": "GSI1SK"},
        "ExpressionAttributeValues": {":k0": "VENUE#" + _text(venue_id), ":k1": "SHOW#"},
    }


def t3(region: str) -> DynamoRequest:
    "all venues of a region: arguments of query."
    return {
        "TableName": TABLE,
        "KeyConditionExpression": "#k0 = :k0 AND begins_with(#k1, :k1)",
        "ExpressionAttributeNames": {"#k0": "PK", "#k1": "SK"},
        "ExpressionAttributeValues": {":k0": "REGION#" + _text(region), ":k1": "VENUE#"},
    }


def t4(show_id: str) -> DynamoRequest:
    "all performances of a show: arguments of query."
    return {
        "TableName": TABLE,
        "KeyConditionExpression": "#k0 = :k0 AND begins_with(#k1, :k1)",
        "ExpressionAttributeNames": {"#k0": "PK", "#k1": "SK"},
        "ExpressionAttributeValues": {":k0": "SHOW#" + _text(show_id), ":k1": "PERFORMANCE#"},
        "Limit": 100,
    }


def t5(now: str) -> DynamoRequest:
    "coming performances over all venues: arguments of query."
    return {
        "TableName": TABLE,
        "IndexName": "GSI2",
        "KeyConditionExpression": "#k0 = :k0 AND #k1 >= :k1",
        "ExpressionAttributeNames": {"#k0": "GSI2PK", "#k1": "GSI2SK"},
        "ExpressionAttributeValues": {":k0": "PERFORMANCES", ":k1": _text(now)},
        "Limit": 50,
    }


def t6(show_id: str) -> DynamoRequest:
    "a show with all its reviews and everything else about it: arguments of query."
    return {
        "TableName": TABLE,
        "KeyConditionExpression": "#k0 = :k0",
        "ExpressionAttributeNames": {"#k0": "PK"},
        "ExpressionAttributeValues": {":k0": "SHOW#" + _text(show_id)},
        "Limit": 300,
    }


def t7(genre: str) -> DynamoRequest:
    "best-rated shows of a genre: arguments of query."
    return {
        "TableName": TABLE,
        "IndexName": "GSI1",
        "KeyConditionExpression": "#k0 = :k0 AND begins_with(#k1, :k1)",
        "ExpressionAttributeNames": {"#k0": "GSI1PK", "#k1": "GSI1SK"},
        "ExpressionAttributeValues": {":k0": "GENRE#" + _text(genre), ":k1": "RATING#"},
        "ScanIndexForward": False,
        "Limit": 20,
    }


def t7_further(genre: str) -> DynamoRequest:
    "shows that have a genre among others: arguments of query."
    return {
        "TableName": TABLE,
        "IndexName": "GSI1",
        "KeyConditionExpression": "#k0 = :k0 AND begins_with(#k1, :k1)",
        "ExpressionAttributeNames": {"#k0": "GSI1PK", "#k1": "GSI1SK"},
        "ExpressionAttributeValues": {":k0": "GENRE#" + _text(genre), ":k1": "SHOW#"},
        "Limit": 50,
    }


def t8() -> DynamoRequest:
    "featured shows: arguments of query."
    return {
        "TableName": TABLE,
        "IndexName": "GSI2",
        "KeyConditionExpression": "#k0 = :k0",
        "ExpressionAttributeNames": {"#k0": "GSI2PK"},
        "ExpressionAttributeValues": {":k0": "FEATURED"},
        "ScanIndexForward": False,
        "Limit": 50,
    }


def t9(tenant_id: str, show_id: str) -> DynamoRequest:
    "everything of one tenant's show, and nothing of another tenant: arguments of query."
    return {
        "TableName": TABLE,
        "KeyConditionExpression": "#k0 = :k0",
        "ExpressionAttributeNames": {"#k0": "PK"},
        "ExpressionAttributeValues": {":k0": "TENANT#" + _text(tenant_id) + "#SHOW#" + _text(show_id)},
        "Limit": 200,
    }


def reviews_of_month(created_at: str) -> DynamoRequest:
    "the newest reviews of a month, for moderation: arguments of query."
    return {
        "TableName": TABLE,
        "IndexName": "GSI2",
        "KeyConditionExpression": "#k0 = :k0",
        "ExpressionAttributeNames": {"#k0": "GSI2PK"},
        "ExpressionAttributeValues": {":k0": "REVIEWS#" + _cut(created_at, 7)},
        "ScanIndexForward": False,
        "Limit": 50,
    }


def venue_with_shows(venue_id: str) -> DynamoRequest:
    "a venue with the shows that it plays: arguments of query."
    return {
        "TableName": TABLE,
        "KeyConditionExpression": "#k0 = :k0",
        "ExpressionAttributeNames": {"#k0": "PK"},
        "ExpressionAttributeValues": {":k0": "VENUE#" + _text(venue_id)},
    }
