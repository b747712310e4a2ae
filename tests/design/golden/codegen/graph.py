"""Entities and reads of the model graph.

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

TABLE = "relations"
PARTITION_KEY = "PK"
SORT_KEYS = {"": "SK", "GSI1": "GSI1SK", "ReviewQueue": "PK"}  # by index; "" is the table

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
        return item

    def put(self) -> DynamoRequest:
        "Arguments of put_item."
        return _put(self.item())

    @staticmethod
    def from_item(item: DynamoItem) -> User:
        return User(
            user_id=_found(r"^USER#([^#]+)$", item["PK"]),
            name=item["name"],
        )


@dataclass
class Membership:
    "A user in a group, one item; the inverted index reads it from the group's side."

    user_id: str
    group_id: str
    joined_at: str

    @staticmethod
    def key(user_id: str, group_id: str) -> DynamoItem:
        "The table's key, for get, update and delete."
        return {"PK": "USER#" + _text(user_id), "SK": "GROUP#" + _text(group_id)}

    def keys(self) -> DynamoItem:
        "The keys of the table and the indexes."
        keys: DynamoItem = {}
        keys["PK"] = "USER#" + _text(self.user_id)
        keys["SK"] = "GROUP#" + _text(self.group_id)
        keys["GSI1PK"] = "GROUP#" + _text(self.group_id)
        keys["GSI1SK"] = "USER#" + _text(self.user_id)
        return keys

    def item(self) -> DynamoItem:
        item = self.keys()
        item["entity_type"] = "Membership"
        item["joinedAt"] = self.joined_at
        return item

    def put(self) -> DynamoRequest:
        "Arguments of put_item."
        return _put(self.item())

    @staticmethod
    def from_item(item: DynamoItem) -> Membership:
        return Membership(
            user_id=_found(r"^USER#([^#]+)$", item["PK"]),
            group_id=_found(r"^GROUP#([^#]+)$", item["SK"]),
            joined_at=item["joinedAt"],
        )


@dataclass
class Group:
    group_id: str
    title: str

    @staticmethod
    def key(group_id: str) -> DynamoItem:
        "The table's key, for get, update and delete."
        return {"PK": "GROUP#" + _text(group_id), "SK": "METADATA"}

    def keys(self) -> DynamoItem:
        "The keys of the table and the indexes."
        keys: DynamoItem = {}
        keys["PK"] = "GROUP#" + _text(self.group_id)
        keys["SK"] = "METADATA"
        return keys

    def item(self) -> DynamoItem:
        item = self.keys()
        item["entity_type"] = "Group"
        item["title"] = self.title
        return item

    def put(self) -> DynamoRequest:
        "Arguments of put_item."
        return _put(self.item())

    @staticmethod
    def from_item(item: DynamoItem) -> Group:
        return Group(
            group_id=_found(r"^GROUP#([^#]+)$", item["PK"]),
            title=item["title"],
        )


@dataclass
class UserTeam:
    "A user in a team, the edge from the user's side; TeamUser is the same from the team's."

    user_id: str
    team_id: str
    role: str

    @staticmethod
    def key(user_id: str, team_id: str) -> DynamoItem:
        "The table's key, for get, update and delete."
        return {"PK": "USER#" + _text(user_id), "SK": "TEAM#" + _text(team_id)}

    def keys(self) -> DynamoItem:
        "The keys of the table and the indexes."
        keys: DynamoItem = {}
        keys["PK"] = "USER#" + _text(self.user_id)
        keys["SK"] = "TEAM#" + _text(self.team_id)
        return keys

    def item(self) -> DynamoItem:
        item = self.keys()
        item["entity_type"] = "UserTeam"
        item["role"] = self.role
        return item

    def put(self) -> DynamoRequest:
        "Arguments of put_item."
        return _put(self.item())

    @staticmethod
    def from_item(item: DynamoItem) -> UserTeam:
        return UserTeam(
            user_id=_found(r"^USER#([^#]+)$", item["PK"]),
            team_id=_found(r"^TEAM#([^#]+)$", item["SK"]),
            role=item["role"],
        )


@dataclass
class Team:
    team_id: str
    title: str

    @staticmethod
    def key(team_id: str) -> DynamoItem:
        "The table's key, for get, update and delete."
        return {"PK": "TEAM#" + _text(team_id), "SK": "METADATA"}

    def keys(self) -> DynamoItem:
        "The keys of the table and the indexes."
        keys: DynamoItem = {}
        keys["PK"] = "TEAM#" + _text(self.team_id)
        keys["SK"] = "METADATA"
        return keys

    def item(self) -> DynamoItem:
        item = self.keys()
        item["entity_type"] = "Team"
        item["title"] = self.title
        return item

    def put(self) -> DynamoRequest:
        "Arguments of put_item."
        return _put(self.item())

    @staticmethod
    def from_item(item: DynamoItem) -> Team:
        return Team(
            team_id=_found(r"^TEAM#([^#]+)$", item["PK"]),
            title=item["title"],
        )


@dataclass
class TeamUser:
    team_id: str
    user_id: str
    role: str

    @staticmethod
    def key(team_id: str, user_id: str) -> DynamoItem:
        "The table's key, for get, update and delete."
        return {"PK": "TEAM#" + _text(team_id), "SK": "USER#" + _text(user_id)}

    def keys(self) -> DynamoItem:
        "The keys of the table and the indexes."
        keys: DynamoItem = {}
        keys["PK"] = "TEAM#" + _text(self.team_id)
        keys["SK"] = "USER#" + _text(self.user_id)
        return keys

    def item(self) -> DynamoItem:
        item = self.keys()
        item["entity_type"] = "TeamUser"
        item["role"] = self.role
        return item

    def put(self) -> DynamoRequest:
        "Arguments of put_item."
        return _put(self.item())

    @staticmethod
    def from_item(item: DynamoItem) -> TeamUser:
        return TeamUser(
            team_id=_found(r"^TEAM#([^#]+)$", item["PK"]),
            user_id=_found(r"^USER#([^#]+)$", item["SK"]),
            role=item["role"],
        )


@dataclass
class CategoryProduct:
    "A product in the category tree; the sort key is the path from the root, each step closed by a delimiter."

    catalogue: str
    department: str
    family: str
    kind: str
    product_id: str
    title: str

    @staticmethod
    def key(catalogue: str, department: str, family: str, kind: str, product_id: str) -> DynamoItem:
        "The table's key, for get, update and delete."
        return {"PK": "CATALOGUE#" + _text(catalogue), "SK": "CATEGORY#" + _text(department) + "#" + _text(family) + "#" + _text(kind) + "#" + _text(product_id)}

    def keys(self) -> DynamoItem:
        "The keys of the table and the indexes."
        keys: DynamoItem = {}
        keys["PK"] = "CATALOGUE#" + _text(self.catalogue)
        keys["SK"] = "CATEGORY#" + _text(self.department) + "#" + _text(self.family) + "#" + _text(self.kind) + "#" + _text(self.product_id)
        return keys

    def item(self) -> DynamoItem:
        item = self.keys()
        item["entity_type"] = "CategoryProduct"
        item["title"] = self.title
        return item

    def put(self) -> DynamoRequest:
        "Arguments of put_item."
        return _put(self.item())

    @staticmethod
    def from_item(item: DynamoItem) -> CategoryProduct:
        return CategoryProduct(
            catalogue=_found(r"^CATALOGUE#([^#]+)$", item["PK"]),
            department=_found(r"^CATEGORY#([^#]+)#[^#]+#[^#]+#[^#]+$", item["SK"]),
            family=_found(r"^CATEGORY#[^#]+#([^#]+)#[^#]+#[^#]+$", item["SK"]),
            kind=_found(r"^CATEGORY#[^#]+#[^#]+#([^#]+)#[^#]+$", item["SK"]),
            product_id=_found(r"^CATEGORY#[^#]+#[^#]+#[^#]+#([^#]+)$", item["SK"]),
            title=item["title"],
        )


@dataclass
class Employee:
    employee_id: str
    department: str
    name: str

    @staticmethod
    def key(employee_id: str) -> DynamoItem:
        "The table's key, for get, update and delete."
        return {"PK": "EMP#" + _text(employee_id), "SK": "METADATA"}

    def keys(self) -> DynamoItem:
        "The keys of the table and the indexes."
        keys: DynamoItem = {}
        keys["PK"] = "EMP#" + _text(self.employee_id)
        keys["SK"] = "METADATA"
        keys["GSI1PK"] = "DEPT#" + _text(self.department)
        keys["GSI1SK"] = "EMP#" + _text(self.employee_id)
        return keys

    def item(self) -> DynamoItem:
        item = self.keys()
        item["entity_type"] = "Employee"
        item["department"] = self.department
        item["name"] = self.name
        return item

    def put(self) -> DynamoRequest:
        "Arguments of put_item."
        return _put(self.item())

    @staticmethod
    def from_item(item: DynamoItem) -> Employee:
        return Employee(
            employee_id=_found(r"^EMP#([^#]+)$", item["PK"]),
            department=item["department"],
            name=item["name"],
        )


@dataclass
class Ticket:
    ticket_id: str
    opened_at: str
    priority: str
    title: str
    needs_review: Optional[str] = None

    @staticmethod
    def key(ticket_id: str) -> DynamoItem:
        "The table's key, for get, update and delete."
        return {"PK": "TICKET#" + _text(ticket_id), "SK": "METADATA"}

    def keys(self) -> DynamoItem:
        "The keys of the table and the indexes."
        keys: DynamoItem = {}
        keys["PK"] = "TICKET#" + _text(self.ticket_id)
        keys["SK"] = "METADATA"
        keys["GSI1PK"] = "PRIORITY#" + _text(self.priority)
        keys["GSI1SK"] = "TICKET#" + _text(self.opened_at)
        if self.needs_review is not None and self.needs_review is not None:
            keys["needsReview"] = _text(self.needs_review)
        return keys

    def item(self) -> DynamoItem:
        item = self.keys()
        item["entity_type"] = "Ticket"
        item["openedAt"] = self.opened_at
        item["priority"] = self.priority
        item["title"] = self.title
        if self.needs_review is not None:
            item["needsReview"] = self.needs_review
        return item

    def put(self) -> DynamoRequest:
        "Arguments of put_item."
        return _put(self.item())

    @staticmethod
    def from_item(item: DynamoItem) -> Ticket:
        return Ticket(
            ticket_id=_found(r"^TICKET#([^#]+)$", item["PK"]),
            opened_at=item["openedAt"],
            priority=item["priority"],
            title=item["title"],
            needs_review=item.get("needsReview"),
        )


@dataclass
class Product:
    product_id: str
    supplier_id: str
    title: str

    @staticmethod
    def key(product_id: str) -> DynamoItem:
        "The table's key, for get, update and delete."
        return {"PK": "PRODUCT#" + _text(product_id), "SK": "METADATA"}

    def keys(self) -> DynamoItem:
        "The keys of the table and the indexes."
        keys: DynamoItem = {}
        keys["PK"] = "PRODUCT#" + _text(self.product_id)
        keys["SK"] = "METADATA"
        keys["GSI1PK"] = "SUPPLIER#" + _text(self.supplier_id)
        keys["GSI1SK"] = "PRODUCT#" + _text(self.product_id)
        return keys

    def item(self) -> DynamoItem:
        item = self.keys()
        item["entity_type"] = "Product"
        item["supplierId"] = self.supplier_id
        item["title"] = self.title
        return item

    def put(self) -> DynamoRequest:
        "Arguments of put_item."
        return _put(self.item())

    @staticmethod
    def from_item(item: DynamoItem) -> Product:
        return Product(
            product_id=_found(r"^PRODUCT#([^#]+)$", item["PK"]),
            supplier_id=item["supplierId"],
            title=item["title"],
        )


@dataclass
class LeaderboardShard:
    "A tenth of a leaderboard's counter; writers choose one at random, the total is the sum of ten."

    board: str
    points: Decimal

    @staticmethod
    def key(board: str, shard: int) -> DynamoItem:
        "The table's key, for get, update and delete."
        return {"PK": "LEADERBOARD#" + _text(board) + "#" + str(shard), "SK": "COUNT"}

    def keys(self, shard: int) -> DynamoItem:
        "The keys of the table and the indexes."
        keys: DynamoItem = {}
        keys["PK"] = "LEADERBOARD#" + _text(self.board) + "#" + str(shard)
        keys["SK"] = "COUNT"
        return keys

    def item(self, shard: int) -> DynamoItem:
        item = self.keys(shard)
        item["entity_type"] = "LeaderboardShard"
        item["points"] = self.points
        return item

    def put(self, shard: int) -> DynamoRequest:
        "Arguments of put_item."
        return _put(self.item(shard))

    @staticmethod
    def from_item(item: DynamoItem) -> LeaderboardShard:
        return LeaderboardShard(
            board=_found(r"^LEADERBOARD#([^#]+)#[^#]+$", item["PK"]),
            points=item["points"],
        )


@dataclass
class Session:
    token: str
    user_id: str
    expires_at: Decimal

    @staticmethod
    def key(token: str) -> DynamoItem:
        "The table's key, for get, update and delete."
        return {"PK": "SESSION#" + _text(token), "SK": "METADATA"}

    def keys(self) -> DynamoItem:
        "The keys of the table and the indexes."
        keys: DynamoItem = {}
        keys["PK"] = "SESSION#" + _text(self.token)
        keys["SK"] = "METADATA"
        return keys

    def item(self) -> DynamoItem:
        item = self.keys()
        item["entity_type"] = "Session"
        item["userId"] = self.user_id
        item["expiresAt"] = self.expires_at
        return item

    def put(self) -> DynamoRequest:
        "Arguments of put_item."
        return _put(self.item())

    @staticmethod
    def from_item(item: DynamoItem) -> Session:
        return Session(
            token=_found(r"^SESSION#([^#]+)$", item["PK"]),
            user_id=item["userId"],
            expires_at=item["expiresAt"],
        )


AnyEntity = Union[User, Membership, Group, UserTeam, Team, TeamUser, CategoryProduct, Employee, Ticket, Product, LeaderboardShard, Session]

READERS: dict[str, Callable[[DynamoItem], AnyEntity]] = {
    "User": User.from_item,
    "Membership": Membership.from_item,
    "Group": Group.from_item,
    "UserTeam": UserTeam.from_item,
    "Team": Team.from_item,
    "TeamUser": TeamUser.from_item,
    "CategoryProduct": CategoryProduct.from_item,
    "Employee": Employee.from_item,
    "Ticket": Ticket.from_item,
    "Product": Product.from_item,
    "LeaderboardShard": LeaderboardShard.from_item,
    "Session": Session.from_item,
}


def read_item(item: DynamoItem) -> AnyEntity:
    "An item of a collection as the object that it is; isinstance tells them apart."
    return READERS[item["entity_type"]](item)


def user(user_id: str) -> DynamoRequest:
    "a user by id: arguments of get_item."
    return {
        "TableName": TABLE,
        "Key": {"PK": "USER#" + _text(user_id), "SK": "PROFILE"},
    }


def groups_of_user(user_id: str) -> DynamoRequest:
    "the groups of a user, from the table: arguments of query."
    return {
        "TableName": TABLE,
        "KeyConditionExpression": "#k0 = :k0 AND begins_with(#k1, :k1)",
        "ExpressionAttributeNames": {"#k0": "PK", "#k1": "SK"},
        "ExpressionAttributeValues": {":k0": "USER#" + _text(user_id), ":k1": "GROUP#"},
    }


def users_of_group(group_id: str) -> DynamoRequest:
    "the users of a group, from the inverted index: arguments of query."
    return {
        "TableName": TABLE,
        "IndexName": "GSI1",
        "KeyConditionExpression": "#k0 = :k0 AND begins_with(#k1, :k1)",
        "ExpressionAttributeNames": {"#k0": "GSI1PK", "#k1": "GSI1SK"},
        "ExpressionAttributeValues": {":k0": "GROUP#" + _text(group_id), ":k1": "USER#"},
        "Limit": 100,
    }


def group(group_id: str) -> DynamoRequest:
    "a group by id: arguments of get_item."
    return {
        "TableName": TABLE,
        "Key": {"PK": "GROUP#" + _text(group_id), "SK": "METADATA"},
    }


def teams_of_user(user_id: str) -> DynamoRequest:
    "the teams of a user: arguments of query."
    return {
        "TableName": TABLE,
        "KeyConditionExpression": "#k0 = :k0 AND begins_with(#k1, :k1)",
        "ExpressionAttributeNames": {"#k0": "PK", "#k1": "SK"},
        "ExpressionAttributeValues": {":k0": "USER#" + _text(user_id), ":k1": "TEAM#"},
    }


def team_with_users(team_id: str) -> DynamoRequest:
    "a team with its users: arguments of query."
    return {
        "TableName": TABLE,
        "KeyConditionExpression": "#k0 = :k0",
        "ExpressionAttributeNames": {"#k0": "PK"},
        "ExpressionAttributeValues": {":k0": "TEAM#" + _text(team_id)},
    }


def subtree(catalogue: str, department: str, family: str) -> DynamoRequest:
    "everything below a family of the category tree: arguments of query."
    return {
        "TableName": TABLE,
        "KeyConditionExpression": "#k0 = :k0 AND begins_with(#k1, :k1)",
        "ExpressionAttributeNames": {"#k0": "PK", "#k1": "SK"},
        "ExpressionAttributeValues": {":k0": "CATALOGUE#" + _text(catalogue), ":k1": "CATEGORY#" + _text(department) + "#" + _text(family) + "#"},
        "Limit": 100,
    }


def employees_of_department(department: str) -> DynamoRequest:
    "the employees of a department: arguments of query."
    return {
        "TableName": TABLE,
        "IndexName": "GSI1",
        "KeyConditionExpression": "#k0 = :k0",
        "ExpressionAttributeNames": {"#k0": "GSI1PK"},
        "ExpressionAttributeValues": {":k0": "DEPT#" + _text(department)},
    }


def tickets_of_priority(priority: str) -> DynamoRequest:
    "the tickets of a priority, oldest first: arguments of query."
    return {
        "TableName": TABLE,
        "IndexName": "GSI1",
        "KeyConditionExpression": "#k0 = :k0",
        "ExpressionAttributeNames": {"#k0": "GSI1PK"},
        "ExpressionAttributeValues": {":k0": "PRIORITY#" + _text(priority)},
        "Limit": 50,
    }


def products_of_supplier(supplier_id: str) -> DynamoRequest:
    "the products of a supplier: arguments of query."
    return {
        "TableName": TABLE,
        "IndexName": "GSI1",
        "KeyConditionExpression": "#k0 = :k0",
        "ExpressionAttributeNames": {"#k0": "GSI1PK"},
        "ExpressionAttributeValues": {":k0": "SUPPLIER#" + _text(supplier_id)},
        "Limit": 100,
    }


def review_queue() -> DynamoRequest:
    "the tickets that somebody has to look at: arguments of query."
    return {
        "TableName": TABLE,
        "IndexName": "ReviewQueue",
        "KeyConditionExpression": "#k0 = :k0",
        "ExpressionAttributeNames": {"#k0": "needsReview"},
        "ExpressionAttributeValues": {":k0": "true"},
        "Limit": 50,
    }


def total_points(board: str) -> list[DynamoRequest]:
    "the total of a leaderboard, ten reads added up: arguments of get_item, one for each of 10 shards."
    requests = []
    for shard in range(10):
        requests.append({
            "TableName": TABLE,
            "Key": {"PK": "LEADERBOARD#" + _text(board) + "#" + str(shard), "SK": "COUNT"},
        })
    return requests


def session(token: str) -> DynamoRequest:
    "the session of a token: arguments of get_item."
    return {
        "TableName": TABLE,
        "Key": {"PK": "SESSION#" + _text(token), "SK": "METADATA"},
    }
