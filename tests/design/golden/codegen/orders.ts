// Entities and reads of the model orders.
// Written by `stator design codegen`; change the model and run it again. Items are those of the document client of the
// JavaScript SDK. Filters are left to the caller.

import { createHash } from "node:crypto";

export const TABLE = "app-main";
const PARTITION_KEY = "PK";
/** By index; "" is the table. */
const SORT_KEYS: Record<string, string | undefined> = { "": "SK", "GSI1": "GSI1SK", "GSI2": "GSI2SK" };

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

export interface Customer {
  $type: "Customer";
  customerId: string;
  name: string;
  email: string;
  tier: "standard" | "silver" | "gold";
  createdAt: string;
}

export function isCustomer(of: { $type: string }): of is Customer {
  return of.$type === "Customer";
}

/** The table's key, for get, update and delete. */
export function keyOfCustomer(of: Pick<Customer, "customerId">): DynamoItem {
  return { PK: "CUST#" + keyText(of.customerId), SK: "PROFILE" };
}

/** The keys of the table and the indexes. */
export function keysOfCustomer(of: Customer): DynamoItem {
  const keys: DynamoItem = {};
  keys["PK"] = "CUST#" + keyText(of.customerId);
  keys["SK"] = "PROFILE";
  return keys;
}

export function itemOfCustomer(of: Customer): DynamoItem {
  const item = keysOfCustomer(of);
  item["entity_type"] = "Customer";
  item["name"] = of.name;
  item["email"] = of.email;
  item["tier"] = of.tier;
  item["createdAt"] = of.createdAt;
  return item;
}

export function putCustomer(of: Customer): PutRequest {
  return { TableName: TABLE, Item: itemOfCustomer(of) };
}

export function readCustomer(item: DynamoItem): Customer {
  return {
    $type: "Customer",
    customerId: found(/^CUST#([^#]+)$/, item["PK"]) as Customer["customerId"],
    name: item["name"] as Customer["name"],
    email: item["email"] as Customer["email"],
    tier: item["tier"] as Customer["tier"],
    createdAt: item["createdAt"] as Customer["createdAt"],
  };
}

/** An order as its customer sees it, one item for each in the customer's collection. */
export interface Order {
  $type: "Order";
  customerId: string;
  orderId: string;
  orderDate: string;
  status: "OPEN" | "PAID" | "SHIPPED" | "CANCELLED";
  total: number;
  version: number;
}

export function isOrder(of: { $type: string }): of is Order {
  return of.$type === "Order";
}

/** The table's key, for get, update and delete. */
export function keyOfOrder(of: Pick<Order, "customerId" | "orderDate" | "orderId">): DynamoItem {
  return { PK: "CUST#" + keyText(of.customerId), SK: "ORDER#" + keyText(of.orderDate) + "#" + keyText(of.orderId) };
}

/** The keys of the table and the indexes. */
export function keysOfOrder(of: Order): DynamoItem {
  const keys: DynamoItem = {};
  keys["PK"] = "CUST#" + keyText(of.customerId);
  keys["SK"] = "ORDER#" + keyText(of.orderDate) + "#" + keyText(of.orderId);
  keys["GSI1PK"] = "CUST#" + keyText(of.customerId) + "#" + keyText(of.status);
  keys["GSI1SK"] = keyText(of.orderDate) + "#" + keyText(of.orderId);
  if (["OPEN"].includes(String(of.status))) keys["GSI2PK"] = "OPEN";
  if (["OPEN"].includes(String(of.status))) keys["GSI2SK"] = keyText(of.orderDate) + "#" + keyText(of.orderId);
  return keys;
}

export function itemOfOrder(of: Order): DynamoItem {
  const item = keysOfOrder(of);
  item["entity_type"] = "Order";
  item["status"] = of.status;
  item["total"] = of.total;
  item["version"] = of.version;
  return item;
}

/** Refused where the version is no longer that of the object (0: where there is one). */
export function putOrder(of: Order): PutRequest {
  return versionedPut(itemOfOrder(of), of.version);
}

export function readOrder(item: DynamoItem): Order {
  return {
    $type: "Order",
    customerId: found(/^CUST#([^#]+)$/, item["PK"]) as Order["customerId"],
    orderId: found(/^ORDER#[^#]+#([^#]+)$/, item["SK"]) as Order["orderId"],
    orderDate: found(/^ORDER#([^#]+)#[^#]+$/, item["SK"]) as Order["orderDate"],
    status: item["status"] as Order["status"],
    total: item["total"] as Order["total"],
    version: item["version"] as Order["version"],
  };
}

/** The order itself, at the head of the collection of its line items. */
export interface OrderHeader {
  $type: "OrderHeader";
  orderId: string;
  status: "OPEN" | "PAID" | "SHIPPED" | "CANCELLED";
  version: number;
}

export function isOrderHeader(of: { $type: string }): of is OrderHeader {
  return of.$type === "OrderHeader";
}

/** The table's key, for get, update and delete. */
export function keyOfOrderHeader(of: Pick<OrderHeader, "orderId">): DynamoItem {
  return { PK: "ORDER#" + keyText(of.orderId), SK: "META" };
}

/** The keys of the table and the indexes. */
export function keysOfOrderHeader(of: OrderHeader): DynamoItem {
  const keys: DynamoItem = {};
  keys["PK"] = "ORDER#" + keyText(of.orderId);
  keys["SK"] = "META";
  return keys;
}

export function itemOfOrderHeader(of: OrderHeader): DynamoItem {
  const item = keysOfOrderHeader(of);
  item["entity_type"] = "OrderHeader";
  item["status"] = of.status;
  item["version"] = of.version;
  return item;
}

/** Refused where the version is no longer that of the object (0: where there is one). */
export function putOrderHeader(of: OrderHeader): PutRequest {
  return versionedPut(itemOfOrderHeader(of), of.version);
}

export function readOrderHeader(item: DynamoItem): OrderHeader {
  return {
    $type: "OrderHeader",
    orderId: found(/^ORDER#([^#]+)$/, item["PK"]) as OrderHeader["orderId"],
    status: item["status"] as OrderHeader["status"],
    version: item["version"] as OrderHeader["version"],
  };
}

export interface LineItem {
  $type: "LineItem";
  orderId: string;
  lineNumber: number;
  sku: string;
  qty: number;
  price: number;
}

export function isLineItem(of: { $type: string }): of is LineItem {
  return of.$type === "LineItem";
}

/** The table's key, for get, update and delete. */
export function keyOfLineItem(of: Pick<LineItem, "orderId" | "lineNumber">): DynamoItem {
  return { PK: "ORDER#" + keyText(of.orderId), SK: "ITEM#" + keyNumber(of.lineNumber, 3, 0) };
}

/** The keys of the table and the indexes. */
export function keysOfLineItem(of: LineItem): DynamoItem {
  const keys: DynamoItem = {};
  keys["PK"] = "ORDER#" + keyText(of.orderId);
  keys["SK"] = "ITEM#" + keyNumber(of.lineNumber, 3, 0);
  return keys;
}

export function itemOfLineItem(of: LineItem): DynamoItem {
  const item = keysOfLineItem(of);
  item["entity_type"] = "LineItem";
  item["sku"] = of.sku;
  item["qty"] = of.qty;
  item["price"] = of.price;
  return item;
}

export function putLineItem(of: LineItem): PutRequest {
  return { TableName: TABLE, Item: itemOfLineItem(of) };
}

export function readLineItem(item: DynamoItem): LineItem {
  return {
    $type: "LineItem",
    orderId: found(/^ORDER#([^#]+)$/, item["PK"]) as LineItem["orderId"],
    lineNumber: foundNumber(/^ITEM#([^#]+)$/, item["SK"]) as LineItem["lineNumber"],
    sku: item["sku"] as LineItem["sku"],
    qty: item["qty"] as LineItem["qty"],
    price: item["price"] as LineItem["price"],
  };
}

export type AnyEntity = Customer | Order | OrderHeader | LineItem;

/** An item of a collection as the object that it is; `$type` tells them apart. */
export function readItem(item: DynamoItem): AnyEntity {
  switch (item["entity_type"]) {
    case "Customer":
      return readCustomer(item);
    case "Order":
      return readOrder(item);
    case "OrderHeader":
      return readOrderHeader(item);
    case "LineItem":
      return readLineItem(item);
    default:
      throw new Error(`no entity has the type ${item["entity_type"]}`);
  }
}

/** a customer by id */
export function a1(by: { customerId: string }): GetRequest {
  return {
    TableName: TABLE,
    Key: { PK: "CUST#" + keyText(by.customerId), SK: "PROFILE" },
  };
}

/** all orders of a customer, newest first */
export function a2(by: { customerId: string }): QueryRequest {
  return {
    TableName: TABLE,
    KeyConditionExpression: "#k0 = :k0 AND begins_with(#k1, :k1)",
    ExpressionAttributeNames: { "#k0": "PK", "#k1": "SK" },
    ExpressionAttributeValues: { ":k0": "CUST#" + keyText(by.customerId), ":k1": "ORDER#" },
    ScanIndexForward: false,
    Limit: 50,
  };
}

/** one order with its line items */
export function a3(by: { orderId: string }): QueryRequest {
  return {
    TableName: TABLE,
    KeyConditionExpression: "#k0 = :k0",
    ExpressionAttributeNames: { "#k0": "PK" },
    ExpressionAttributeValues: { ":k0": "ORDER#" + keyText(by.orderId) },
  };
}

/** orders of a customer in one status */
export function a4(by: { customerId: string; status: "OPEN" | "PAID" | "SHIPPED" | "CANCELLED" }): QueryRequest {
  return {
    TableName: TABLE,
    IndexName: "GSI1",
    KeyConditionExpression: "#k0 = :k0",
    ExpressionAttributeNames: { "#k0": "GSI1PK" },
    ExpressionAttributeValues: { ":k0": "CUST#" + keyText(by.customerId) + "#" + keyText(by.status) },
    ScanIndexForward: false,
    Limit: 50,
  };
}

/** all open orders of all customers (operations board) */
export function a5(): QueryRequest {
  return {
    TableName: TABLE,
    IndexName: "GSI2",
    KeyConditionExpression: "#k0 = :k0",
    ExpressionAttributeNames: { "#k0": "GSI2PK" },
    ExpressionAttributeValues: { ":k0": "OPEN" },
    Limit: 100,
  };
}
