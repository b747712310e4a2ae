#include <fmt/format.h>

#include "design/codegen/codegen.h"
#include "design/codegen/key_code.h"
#include "design/codegen/language.h"
#include "design/codegen/names.h"

namespace stator::design {

namespace {

constexpr std::string_view kTypeScriptHelpers = R"ts(
export type DynamoItem = Record<string, any>;
/** Input of a GetCommand. */
export interface GetRequest {
  TableName: string;
  Key: DynamoItem;
  ConsistentRead?: boolean;
}
/** Input of a QueryCommand. */
export interface QueryRequest {
  TableName: string;
  IndexName?: string;
  KeyConditionExpression: string;
  ExpressionAttributeNames: Record<string, string>;
  ExpressionAttributeValues: DynamoItem;
  ScanIndexForward?: boolean;
  Limit?: number;
  ConsistentRead?: boolean;
  ExclusiveStartKey?: DynamoItem;
}
/** Input of a PutCommand. */
export interface PutRequest {
  TableName: string;
  Item: DynamoItem;
  ConditionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: DynamoItem;
}

function keyText(value: unknown): string {
  if (value === undefined || value === null || value === "") throw new Error("a field that a key is made of has no value");
  return String(value);
}

function keyUpper(value: unknown): string {
  return keyText(value).replace(/[a-z]/g, (letter) => letter.toUpperCase());
}

function keyLower(value: unknown): string {
  return keyText(value).replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function keyNumber(value: unknown, width: number, decimals: number): string {
  const number = Number(keyText(value));
  const sign = number < 0 ? "-" : "";
  const text = Math.abs(number).toFixed(decimals);
  if (Number(text) !== Math.abs(number) || sign.length + text.length > width) {
    throw new RangeError(`${value} does not fit into ${width} characters with ${decimals} decimals`);
  }
  return sign + text.padStart(width - sign.length, "0");
}

function keyTime(value: unknown, length: number): string {
  const text = keyText(value);
  if (text.length < length || !/^\d{4}(-\d\d(-\d\d(T\d\d(:\d\d(:\d\d)?)?)?)?)?$/.test(text.slice(0, length))) {
    throw new RangeError(`${text} is not a time such as 2026-06-01T12:00:00Z`);
  }
  return text.slice(0, length);
}

function found(pattern: RegExp, text: unknown): string | undefined {
  return typeof text === "string" ? pattern.exec(text)?.[1] : undefined;
}

function foundNumber(pattern: RegExp, text: unknown): number | undefined {
  const part = found(pattern, text);
  return part === undefined ? undefined : Number(part);
}

/** The write shard of a value: md5 as a big-endian number, modulo the count. */
export function shardOf(value: unknown, count: number): number {
  const digest = createHash("md5").update(keyText(value)).digest("hex");
  return Number(BigInt("0x" + digest) % BigInt(count));
}

export function randomShard(count: number): number {
  return Math.floor(Math.random() * count);
}

/** As the database sorts: numbers by value, text and bytes byte by byte. */
function compareKeys(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  const bytes = (value: unknown) => (value instanceof Uint8Array ? value : Buffer.from(String(value)));
  return Buffer.compare(bytes(a), bytes(b));
}

/** Items of several shards, each in order, as one in order. */
export function merged(pages: DynamoItem[][], sortKey: string, descending = false): DynamoItem[] {
  const sign = descending ? -1 : 1;
  return pages.flat().sort((a, b) => sign * compareKeys(a[sortKey], b[sortKey]));
}

/** Sends the requests of a read over shards at the same time, page after page, and merges them in order. */
export async function fanOut(
  send: (request: QueryRequest) => Promise<{ Items?: DynamoItem[] | undefined; LastEvaluatedKey?: DynamoItem | undefined }>,
  requests: QueryRequest[],
  limit = Infinity,
): Promise<DynamoItem[]> {
  const pages = await Promise.all(
    requests.map(async (first) => {
      const items: DynamoItem[] = [];
      let request = first;
      for (;;) {
        const answer = await send(request);
        items.push(...(answer.Items ?? []));
        if (answer.LastEvaluatedKey === undefined || items.length >= limit) return items;
        request = { ...request, ExclusiveStartKey: answer.LastEvaluatedKey };
      }
    }),
  );
  const first = requests[0];
  const sortKey = SORT_KEYS[first?.IndexName ?? ""];
  const items = sortKey === undefined ? pages.flat() : merged(pages, sortKey, first?.ScanIndexForward === false);
  return items.slice(0, limit);
}

function versionedPut(item: DynamoItem, version: number): PutRequest {
  const request = { TableName: TABLE, Item: { ...item, version: version + 1 } };
  if (version === 0) {
    return {
      ...request,
      ConditionExpression: "attribute_not_exists(#p)",
      ExpressionAttributeNames: { "#p": PARTITION_KEY },
    };
  }
  return {
    ...request,
    ConditionExpression: "#v = :v",
    ExpressionAttributeNames: { "#v": "version" },
    ExpressionAttributeValues: { ":v": version },
  };
}

/** Whether a put was refused because somebody else has written since the object was read. */
export function isVersionConflict(error: unknown): boolean {
  return error instanceof Error && error.name === "ConditionalCheckFailedException";
}

/** Calls body, which reads, changes and puts, again after a conflict. */
export async function retryOnConflict<T>(body: () => Promise<T>, attempts = 10): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await body();
    } catch (error) {
      if (!isVersionConflict(error) || attempt >= attempts) throw error;
      await new Promise((wake) => setTimeout(wake, Math.random() * Math.min(200, 2 * 2 ** attempt)));
    }
  }
}
)ts";

std::string typescript_readers(const Model& model) {
  std::string names;
  std::string cases;
  for (const Entity& entity : model.entities) {
    if (!entity.has_type) continue;
    const std::string name = pascal_name(entity.name);
    names += (names.empty() ? "" : " | ") + name;
    cases += fmt::format("    case {}:\n      return read{}(item);\n",
                         code_literal(entity.type_value), name);
  }
  if (model.table.type_attribute.empty() || names.empty()) return {};
  return fmt::format(R"ts(
export type AnyEntity = {0};

/** An item of a collection as the object that it is; `{1}` tells them apart. */
export function readItem(item: DynamoItem): AnyEntity {{
  switch (item[{2}]) {{
{3}    default:
      throw new Error(`no entity has the type ${{item[{2}]}}`);
  }}
}}
)ts",
                     names, typescript::discriminator(model),
                     code_literal(model.table.type_attribute), cases);
}

}  // namespace

std::string typescript_code(const Model& model) {
  std::string out = fmt::format(R"ts(// Entities and reads of the model {}.
// Written by `stator design codegen`; change the model and run it again. Items are those of the document client of the
// JavaScript SDK. Filters are left to the caller.

import {{ createHash }} from "node:crypto";

export const TABLE = {};
const PARTITION_KEY = {};
/** By index; "" is the table. */
const SORT_KEYS: Record<string, string | undefined> = {{ {} }};
)ts",
                                model.name, code_literal(model.table.name),
                                code_literal(model.table.partition_key.name), sort_keys_code(model));
  out += kTypeScriptHelpers;
  for (const Entity& entity : model.entities) out += typescript::entity_code(model, entity);
  out += typescript_readers(model);
  for (const Pattern& pattern : model.patterns)
    if (has_code(pattern)) out += typescript::pattern_code(model, pattern);
  return out;
}

}  // namespace stator::design
