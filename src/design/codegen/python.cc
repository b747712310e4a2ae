#include <fmt/format.h>

#include "design/codegen/codegen.h"
#include "design/codegen/key_code.h"
#include "design/codegen/language.h"
#include "design/codegen/names.h"

namespace stator::design {

namespace {

constexpr std::string_view kPythonHelpers = R"py(

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
)py";

std::string python_readers(const Model& model) {
  std::string names;
  std::string readers;
  for (const Entity& entity : model.entities) {
    if (!entity.has_type) continue;
    const std::string name = pascal_name(entity.name);
    names += (names.empty() ? "" : ", ") + name;
    readers += fmt::format("    {}: {}.from_item,\n", code_literal(entity.type_value), name);
  }
  if (model.table.type_attribute.empty() || names.empty()) return {};
  return fmt::format(R"py(

AnyEntity = Union[{}]

READERS: dict[str, Callable[[DynamoItem], AnyEntity]] = {{
{}}}


def read_item(item: DynamoItem) -> AnyEntity:
    "An item of a collection as the object that it is; isinstance tells them apart."
    return READERS[item[{}]](item)
)py",
                     names, readers, code_literal(model.table.type_attribute));
}

}  // namespace

std::string python_code(const Model& model) {
  std::string out = fmt::format(R"py("""Entities and reads of the model {}.

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

TABLE = {}
PARTITION_KEY = {}
SORT_KEYS = {{{}}}  # by index; "" is the table

DynamoItem = dict[str, Any]
DynamoRequest = dict[str, Any]  # arguments of get_item, put_item or query
_T = TypeVar("_T")
)py",
                                model.name, code_literal(model.table.name),
                                code_literal(model.table.partition_key.name), sort_keys_code(model));
  out += kPythonHelpers;
  for (const Entity& entity : model.entities) out += python::entity_code(model, entity);
  out += python_readers(model);
  for (const Pattern& pattern : model.patterns)
    if (has_code(pattern)) out += python::pattern_code(model, pattern);
  return out;
}

}  // namespace stator::design
