// Entities and reads of the model shipments.
// Written by `stator design codegen`; change the model and run it again. Items are those of the document client of the
// JavaScript SDK. Filters are left to the caller.

import { createHash } from "node:crypto";

export const TABLE = "shipments";
const PARTITION_KEY = "PK";
/** By index; "" is the table. */
const SORT_KEYS: Record<string, string | undefined> = { "": "SK", "Board": "changedAt" };

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

export interface Shipment {
  $type: "Shipment";
  shipmentId: string;
  origin: string;
  destination: string;
  createdAt: string;
}

export function isShipment(of: { $type: string }): of is Shipment {
  return of.$type === "Shipment";
}

/** The table's key, for get, update and delete. */
export function keyOfShipment(of: Pick<Shipment, "shipmentId">): DynamoItem {
  return { PK: "SHIPMENT#" + keyText(of.shipmentId), SK: "META" };
}

/** The keys of the table and the indexes. */
export function keysOfShipment(of: Shipment): DynamoItem {
  const keys: DynamoItem = {};
  keys["PK"] = "SHIPMENT#" + keyText(of.shipmentId);
  keys["SK"] = "META";
  return keys;
}

export function itemOfShipment(of: Shipment): DynamoItem {
  const item = keysOfShipment(of);
  item["entity_type"] = "Shipment";
  item["origin"] = of.origin;
  item["destination"] = of.destination;
  item["createdAt"] = of.createdAt;
  return item;
}

export function putShipment(of: Shipment): PutRequest {
  return { TableName: TABLE, Item: itemOfShipment(of) };
}

export function readShipment(item: DynamoItem): Shipment {
  return {
    $type: "Shipment",
    shipmentId: found(/^SHIPMENT#([^#]+)$/, item["PK"]) as Shipment["shipmentId"],
    origin: item["origin"] as Shipment["origin"],
    destination: item["destination"] as Shipment["destination"],
    createdAt: item["createdAt"] as Shipment["createdAt"],
  };
}

/** What a stream consumer keeps up to date for the board; no growing array anywhere. */
export interface LatestStatus {
  $type: "LatestStatus";
  shipmentId: string;
  depot: string;
  state: "MOVING" | "HELD" | "DELIVERED";
  place: string;
  changedAt?: string | undefined;
}

export function isLatestStatus(of: { $type: string }): of is LatestStatus {
  return of.$type === "LatestStatus";
}

/** The table's key, for get, update and delete. */
export function keyOfLatestStatus(of: Pick<LatestStatus, "shipmentId">): DynamoItem {
  return { PK: "SHIPMENT#" + keyText(of.shipmentId), SK: "LATEST" };
}

/** The keys of the table and the indexes. */
export function keysOfLatestStatus(of: LatestStatus): DynamoItem {
  const keys: DynamoItem = {};
  keys["PK"] = "SHIPMENT#" + keyText(of.shipmentId);
  keys["SK"] = "LATEST";
  if (["MOVING", "HELD"].includes(String(of.state))) keys["boardKey"] = "DEPOT#" + keyText(of.depot);
  if (["MOVING", "HELD"].includes(String(of.state)) && of.changedAt !== undefined) keys["changedAt"] = keyText(of.changedAt);
  return keys;
}

export function itemOfLatestStatus(of: LatestStatus): DynamoItem {
  const item = keysOfLatestStatus(of);
  item["entity_type"] = "LatestStatus";
  item["depot"] = of.depot;
  item["state"] = of.state;
  item["place"] = of.place;
  return item;
}

export function putLatestStatus(of: LatestStatus): PutRequest {
  return { TableName: TABLE, Item: itemOfLatestStatus(of) };
}

export function readLatestStatus(item: DynamoItem): LatestStatus {
  return {
    $type: "LatestStatus",
    shipmentId: found(/^SHIPMENT#([^#]+)$/, item["PK"]) as LatestStatus["shipmentId"],
    depot: item["depot"] as LatestStatus["depot"],
    state: item["state"] as LatestStatus["state"],
    place: item["place"] as LatestStatus["place"],
    changedAt: found(/^([^#]+)$/, item["changedAt"]) as LatestStatus["changedAt"],
  };
}

/** An event of an ordinary shipment. */
export interface Event {
  $type: "Event";
  shipmentId: string;
  eventId: string;
  happenedAt: string;
  kind: "SCAN" | "STATUS" | "GEOFENCE";
  place: string;
  detail: Record<string, unknown>;
  expiresAt: number;
}

export function isEvent(of: { $type: string }): of is Event {
  return of.$type === "Event";
}

/** The table's key, for get, update and delete. */
export function keyOfEvent(of: Pick<Event, "shipmentId" | "happenedAt" | "eventId">): DynamoItem {
  return { PK: "SHIPMENT#" + keyText(of.shipmentId), SK: "EVENT#" + keyText(of.happenedAt) + "#" + keyText(of.eventId) };
}

/** The keys of the table and the indexes. */
export function keysOfEvent(of: Event): DynamoItem {
  const keys: DynamoItem = {};
  keys["PK"] = "SHIPMENT#" + keyText(of.shipmentId);
  keys["SK"] = "EVENT#" + keyText(of.happenedAt) + "#" + keyText(of.eventId);
  return keys;
}

export function itemOfEvent(of: Event): DynamoItem {
  const item = keysOfEvent(of);
  item["entity_type"] = "Event";
  item["kind"] = of.kind;
  item["place"] = of.place;
  item["detail"] = of.detail;
  item["expiresAt"] = of.expiresAt;
  return item;
}

export function putEvent(of: Event): PutRequest {
  return { TableName: TABLE, Item: itemOfEvent(of) };
}

export function readEvent(item: DynamoItem): Event {
  return {
    $type: "Event",
    shipmentId: found(/^SHIPMENT#([^#]+)$/, item["PK"]) as Event["shipmentId"],
    eventId: found(/^EVENT#[^#]+#([^#]+)$/, item["SK"]) as Event["eventId"],
    happenedAt: found(/^EVENT#([^#]+)#[^#]+$/, item["SK"]) as Event["happenedAt"],
    kind: item["kind"] as Event["kind"],
    place: item["place"] as Event["place"],
    detail: item["detail"] as Event["detail"],
    expiresAt: item["expiresAt"] as Event["expiresAt"],
  };
}

/** A pallet with very many events; its meta item says that its events are sharded. */
export interface BulkShipment {
  $type: "BulkShipment";
  palletId: string;
  origin: string;
  destination: string;
  shards: number;
}

export function isBulkShipment(of: { $type: string }): of is BulkShipment {
  return of.$type === "BulkShipment";
}

/** The table's key, for get, update and delete. */
export function keyOfBulkShipment(of: Pick<BulkShipment, "palletId">): DynamoItem {
  return { PK: "PALLET#" + keyText(of.palletId), SK: "META" };
}

/** The keys of the table and the indexes. */
export function keysOfBulkShipment(of: BulkShipment): DynamoItem {
  const keys: DynamoItem = {};
  keys["PK"] = "PALLET#" + keyText(of.palletId);
  keys["SK"] = "META";
  return keys;
}

export function itemOfBulkShipment(of: BulkShipment): DynamoItem {
  const item = keysOfBulkShipment(of);
  item["entity_type"] = "BulkShipment";
  item["origin"] = of.origin;
  item["destination"] = of.destination;
  item["shards"] = of.shards;
  return item;
}

export function putBulkShipment(of: BulkShipment): PutRequest {
  return { TableName: TABLE, Item: itemOfBulkShipment(of) };
}

export function readBulkShipment(item: DynamoItem): BulkShipment {
  return {
    $type: "BulkShipment",
    palletId: found(/^PALLET#([^#]+)$/, item["PK"]) as BulkShipment["palletId"],
    origin: item["origin"] as BulkShipment["origin"],
    destination: item["destination"] as BulkShipment["destination"],
    shards: item["shards"] as BulkShipment["shards"],
  };
}

/** An event of a pallet, in one of ten shards chosen by the event's id. */
export interface BulkEvent {
  $type: "BulkEvent";
  palletId: string;
  eventId: string;
  happenedAt: string;
  kind: "SCAN" | "STATUS" | "GEOFENCE";
  place: string;
  detail: Record<string, unknown>;
  expiresAt: number;
}

export function isBulkEvent(of: { $type: string }): of is BulkEvent {
  return of.$type === "BulkEvent";
}

/** The table's key, for get, update and delete. */
export function keyOfBulkEvent(of: Pick<BulkEvent, "palletId" | "eventId" | "happenedAt">): DynamoItem {
  return { PK: "SHIPMENT#" + keyText(of.palletId) + "#" + String(shardOf(of.eventId, 10)), SK: "EVENT#" + keyText(of.happenedAt) + "#" + keyText(of.eventId) };
}

/** The keys of the table and the indexes. */
export function keysOfBulkEvent(of: BulkEvent): DynamoItem {
  const keys: DynamoItem = {};
  keys["PK"] = "SHIPMENT#" + keyText(of.palletId) + "#" + String(shardOf(of.eventId, 10));
  keys["SK"] = "EVENT#" + keyText(of.happenedAt) + "#" + keyText(of.eventId);
  return keys;
}

export function itemOfBulkEvent(of: BulkEvent): DynamoItem {
  const item = keysOfBulkEvent(of);
  item["entity_type"] = "BulkEvent";
  item["kind"] = of.kind;
  item["place"] = of.place;
  item["detail"] = of.detail;
  item["expiresAt"] = of.expiresAt;
  return item;
}

export function putBulkEvent(of: BulkEvent): PutRequest {
  return { TableName: TABLE, Item: itemOfBulkEvent(of) };
}

export function readBulkEvent(item: DynamoItem): BulkEvent {
  return {
    $type: "BulkEvent",
    palletId: found(/^SHIPMENT#([^#]+)#[^#]+$/, item["PK"]) as BulkEvent["palletId"],
    eventId: found(/^EVENT#[^#]+#([^#]+)$/, item["SK"]) as BulkEvent["eventId"],
    happenedAt: found(/^EVENT#([^#]+)#[^#]+$/, item["SK"]) as BulkEvent["happenedAt"],
    kind: item["kind"] as BulkEvent["kind"],
    place: item["place"] as BulkEvent["place"],
    detail: item["detail"] as BulkEvent["detail"],
    expiresAt: item["expiresAt"] as BulkEvent["expiresAt"],
  };
}

/** The increment of one hour, an item of its own instead of an element of a growing array. */
export interface Rollup {
  $type: "Rollup";
  palletId: string;
  hour: string;
  counts: Record<string, unknown>;
}

export function isRollup(of: { $type: string }): of is Rollup {
  return of.$type === "Rollup";
}

/** The table's key, for get, update and delete. */
export function keyOfRollup(of: Pick<Rollup, "palletId" | "hour">): DynamoItem {
  return { PK: "PALLET#" + keyText(of.palletId), SK: "ROLLUP#" + keyTime(of.hour, 13) };
}

/** The keys of the table and the indexes. */
export function keysOfRollup(of: Rollup): DynamoItem {
  const keys: DynamoItem = {};
  keys["PK"] = "PALLET#" + keyText(of.palletId);
  keys["SK"] = "ROLLUP#" + keyTime(of.hour, 13);
  return keys;
}

export function itemOfRollup(of: Rollup): DynamoItem {
  const item = keysOfRollup(of);
  item["entity_type"] = "Rollup";
  item["counts"] = of.counts;
  return item;
}

export function putRollup(of: Rollup): PutRequest {
  return { TableName: TABLE, Item: itemOfRollup(of) };
}

export function readRollup(item: DynamoItem): Rollup {
  return {
    $type: "Rollup",
    palletId: found(/^PALLET#([^#]+)$/, item["PK"]) as Rollup["palletId"],
    hour: found(/^ROLLUP#([^#]+)$/, item["SK"]) as Rollup["hour"],
    counts: item["counts"] as Rollup["counts"],
  };
}

export type AnyEntity = Shipment | LatestStatus | Event | BulkShipment | BulkEvent | Rollup;

/** An item of a collection as the object that it is; `$type` tells them apart. */
export function readItem(item: DynamoItem): AnyEntity {
  switch (item["entity_type"]) {
    case "Shipment":
      return readShipment(item);
    case "LatestStatus":
      return readLatestStatus(item);
    case "Event":
      return readEvent(item);
    case "BulkShipment":
      return readBulkShipment(item);
    case "BulkEvent":
      return readBulkEvent(item);
    case "Rollup":
      return readRollup(item);
    default:
      throw new Error(`no entity has the type ${item["entity_type"]}`);
  }
}

/** a shipment with all its events, in order */
export function shipmentHistory(by: { shipmentId: string }): QueryRequest {
  return {
    TableName: TABLE,
    KeyConditionExpression: "#k0 = :k0 AND begins_with(#k1, :k1)",
    ExpressionAttributeNames: { "#k0": "PK", "#k1": "SK" },
    ExpressionAttributeValues: { ":k0": "SHIPMENT#" + keyText(by.shipmentId), ":k1": "EVENT#" },
  };
}

/** the newest events of a pallet, ten queries merged in order (one request for each of 10 shards) */
export function palletHistory(by: { palletId: string }): QueryRequest[] {
  return Array.from({ length: 10 }, (_, shard) => ({
    TableName: TABLE,
    KeyConditionExpression: "#k0 = :k0 AND begins_with(#k1, :k1)",
    ExpressionAttributeNames: { "#k0": "PK", "#k1": "SK" },
    ExpressionAttributeValues: { ":k0": "SHIPMENT#" + keyText(by.palletId) + "#" + String(shard), ":k1": "EVENT#" },
    ScanIndexForward: false,
    Limit: 100,
  }));
}

/** where a shipment is now */
export function latestStatus(by: { shipmentId: string }): GetRequest {
  return {
    TableName: TABLE,
    Key: { PK: "SHIPMENT#" + keyText(by.shipmentId), SK: "LATEST" },
  };
}

/** what is under way at a depot, latest change first */
export function depotBoard(by: { depot: string }): QueryRequest {
  return {
    TableName: TABLE,
    IndexName: "Board",
    KeyConditionExpression: "#k0 = :k0",
    ExpressionAttributeNames: { "#k0": "boardKey" },
    ExpressionAttributeValues: { ":k0": "DEPOT#" + keyText(by.depot) },
    ScanIndexForward: false,
    Limit: 50,
  };
}

/** a shipment by id */
export function shipment(by: { shipmentId: string }): GetRequest {
  return {
    TableName: TABLE,
    Key: { PK: "SHIPMENT#" + keyText(by.shipmentId), SK: "META" },
  };
}

/** the hourly counts of a pallet over a range of time */
export function rollupsOfPallet(by: { palletId: string; from: string; to: string }): QueryRequest {
  return {
    TableName: TABLE,
    KeyConditionExpression: "#k0 = :k0 AND #k1 BETWEEN :k1 AND :u1",
    ExpressionAttributeNames: { "#k0": "PK", "#k1": "SK" },
    ExpressionAttributeValues: { ":k0": "PALLET#" + keyText(by.palletId), ":k1": "ROLLUP#" + keyTime(by.from, 13), ":u1": "ROLLUP#" + keyTime(by.to, 13) },
  };
}
