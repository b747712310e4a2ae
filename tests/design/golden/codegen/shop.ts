// Entities and reads of the model shop.
// Written by `stator design codegen`; change the model and run it again. Items are those of the document client of the
// JavaScript SDK. Filters are left to the caller.

import { createHash } from "node:crypto";

export const TABLE = "shop";
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

export interface User {
  $type: "User";
  userId: string;
  name: string;
  email: string;
  schema_v: number;
}

export function isUser(of: { $type: string }): of is User {
  return of.$type === "User";
}

/** The table's key, for get, update and delete. */
export function keyOfUser(of: Pick<User, "userId">): DynamoItem {
  return { PK: "USER#" + keyText(of.userId), SK: "PROFILE" };
}

/** The keys of the table and the indexes. */
export function keysOfUser(of: User): DynamoItem {
  const keys: DynamoItem = {};
  keys["PK"] = "USER#" + keyText(of.userId);
  keys["SK"] = "PROFILE";
  return keys;
}

export function itemOfUser(of: User): DynamoItem {
  const item = keysOfUser(of);
  item["entity_type"] = "User";
  item["name"] = of.name;
  item["email"] = of.email;
  item["schema_v"] = of.schema_v;
  return item;
}

export function putUser(of: User): PutRequest {
  return { TableName: TABLE, Item: itemOfUser(of) };
}

export function readUser(item: DynamoItem): User {
  return {
    $type: "User",
    userId: found(/^USER#([^#]+)$/, item["PK"]) as User["userId"],
    name: item["name"] as User["name"],
    email: item["email"] as User["email"],
    schema_v: item["schema_v"] as User["schema_v"],
  };
}

/** An order among those of its user. */
export interface Order {
  $type: "Order";
  userId: string;
  orderId: string;
  placedAt: string;
  status: "PENDING" | "PAID" | "SHIPPED" | "CANCELLED";
  total: number;
  schema_v: number;
}

export function isOrder(of: { $type: string }): of is Order {
  return of.$type === "Order";
}

/** The table's key, for get, update and delete. */
export function keyOfOrder(of: Pick<Order, "userId" | "placedAt" | "orderId">): DynamoItem {
  return { PK: "USER#" + keyText(of.userId), SK: "ORDER#" + keyTime(of.placedAt, 10) + "#" + keyText(of.orderId) };
}

/** The keys of the table and the indexes. */
export function keysOfOrder(of: Order): DynamoItem {
  const keys: DynamoItem = {};
  keys["PK"] = "USER#" + keyText(of.userId);
  keys["SK"] = "ORDER#" + keyTime(of.placedAt, 10) + "#" + keyText(of.orderId);
  keys["GSI1PK"] = "ORDER_BY_DATE";
  keys["GSI1SK"] = keyText(of.placedAt) + "#" + keyText(of.orderId);
  keys["GSI2PK"] = "USER#" + keyText(of.userId) + "#" + keyText(of.status);
  keys["GSI2SK"] = keyText(of.placedAt);
  return keys;
}

export function itemOfOrder(of: Order): DynamoItem {
  const item = keysOfOrder(of);
  item["entity_type"] = "Order";
  item["placedAt"] = of.placedAt;
  item["status"] = of.status;
  item["total"] = of.total;
  item["schema_v"] = of.schema_v;
  return item;
}

export function putOrder(of: Order): PutRequest {
  return { TableName: TABLE, Item: itemOfOrder(of) };
}

export function readOrder(item: DynamoItem): Order {
  return {
    $type: "Order",
    userId: found(/^USER#([^#]+)$/, item["PK"]) as Order["userId"],
    orderId: found(/^ORDER#[^#]+#([^#]+)$/, item["SK"]) as Order["orderId"],
    placedAt: item["placedAt"] as Order["placedAt"],
    status: item["status"] as Order["status"],
    total: item["total"] as Order["total"],
    schema_v: item["schema_v"] as Order["schema_v"],
  };
}

export interface OrderHeader {
  $type: "OrderHeader";
  orderId: string;
  placedAt: string;
  status: "PENDING" | "PAID" | "SHIPPED" | "CANCELLED";
  total: number;
  schema_v: number;
}

export function isOrderHeader(of: { $type: string }): of is OrderHeader {
  return of.$type === "OrderHeader";
}

/** The table's key, for get, update and delete. */
export function keyOfOrderHeader(of: Pick<OrderHeader, "orderId">): DynamoItem {
  return { PK: "ORDER#" + keyText(of.orderId), SK: "METADATA" };
}

/** The keys of the table and the indexes. */
export function keysOfOrderHeader(of: OrderHeader): DynamoItem {
  const keys: DynamoItem = {};
  keys["PK"] = "ORDER#" + keyText(of.orderId);
  keys["SK"] = "METADATA";
  keys["GSI1PK"] = "ORDER_STATUS#" + keyText(of.status);
  keys["GSI1SK"] = keyText(of.placedAt) + "#" + keyText(of.orderId);
  return keys;
}

export function itemOfOrderHeader(of: OrderHeader): DynamoItem {
  const item = keysOfOrderHeader(of);
  item["entity_type"] = "OrderHeader";
  item["placedAt"] = of.placedAt;
  item["status"] = of.status;
  item["total"] = of.total;
  item["schema_v"] = of.schema_v;
  return item;
}

export function putOrderHeader(of: OrderHeader): PutRequest {
  return { TableName: TABLE, Item: itemOfOrderHeader(of) };
}

export function readOrderHeader(item: DynamoItem): OrderHeader {
  return {
    $type: "OrderHeader",
    orderId: found(/^ORDER#([^#]+)$/, item["PK"]) as OrderHeader["orderId"],
    placedAt: item["placedAt"] as OrderHeader["placedAt"],
    status: item["status"] as OrderHeader["status"],
    total: item["total"] as OrderHeader["total"],
    schema_v: item["schema_v"] as OrderHeader["schema_v"],
  };
}

export interface OrderItem {
  $type: "OrderItem";
  orderId: string;
  lineNumber: number;
  productId: string;
  quantity: number;
  price: number;
  schema_v: number;
}

export function isOrderItem(of: { $type: string }): of is OrderItem {
  return of.$type === "OrderItem";
}

/** The table's key, for get, update and delete. */
export function keyOfOrderItem(of: Pick<OrderItem, "orderId" | "lineNumber">): DynamoItem {
  return { PK: "ORDER#" + keyText(of.orderId), SK: "ITEM#" + keyNumber(of.lineNumber, 3, 0) };
}

/** The keys of the table and the indexes. */
export function keysOfOrderItem(of: OrderItem): DynamoItem {
  const keys: DynamoItem = {};
  keys["PK"] = "ORDER#" + keyText(of.orderId);
  keys["SK"] = "ITEM#" + keyNumber(of.lineNumber, 3, 0);
  return keys;
}

export function itemOfOrderItem(of: OrderItem): DynamoItem {
  const item = keysOfOrderItem(of);
  item["entity_type"] = "OrderItem";
  item["productId"] = of.productId;
  item["quantity"] = of.quantity;
  item["price"] = of.price;
  item["schema_v"] = of.schema_v;
  return item;
}

export function putOrderItem(of: OrderItem): PutRequest {
  return { TableName: TABLE, Item: itemOfOrderItem(of) };
}

export function readOrderItem(item: DynamoItem): OrderItem {
  return {
    $type: "OrderItem",
    orderId: found(/^ORDER#([^#]+)$/, item["PK"]) as OrderItem["orderId"],
    lineNumber: foundNumber(/^ITEM#([^#]+)$/, item["SK"]) as OrderItem["lineNumber"],
    productId: item["productId"] as OrderItem["productId"],
    quantity: item["quantity"] as OrderItem["quantity"],
    price: item["price"] as OrderItem["price"],
    schema_v: item["schema_v"] as OrderItem["schema_v"],
  };
}

export interface Product {
  $type: "Product";
  productId: string;
  category: string;
  title: string;
  price: number;
  description: string;
  schema_v: number;
}

export function isProduct(of: { $type: string }): of is Product {
  return of.$type === "Product";
}

/** The table's key, for get, update and delete. */
export function keyOfProduct(of: Pick<Product, "productId">): DynamoItem {
  return { PK: "PRODUCT#" + keyText(of.productId), SK: "DETAILS" };
}

/** The keys of the table and the indexes. */
export function keysOfProduct(of: Product): DynamoItem {
  const keys: DynamoItem = {};
  keys["PK"] = "PRODUCT#" + keyText(of.productId);
  keys["SK"] = "DETAILS";
  keys["GSI2PK"] = "CATEGORY#" + keyText(of.category);
  keys["GSI2SK"] = "PRODUCT#" + keyText(of.productId);
  return keys;
}

export function itemOfProduct(of: Product): DynamoItem {
  const item = keysOfProduct(of);
  item["entity_type"] = "Product";
  item["category"] = of.category;
  item["title"] = of.title;
  item["price"] = of.price;
  item["description"] = of.description;
  item["schema_v"] = of.schema_v;
  return item;
}

export function putProduct(of: Product): PutRequest {
  return { TableName: TABLE, Item: itemOfProduct(of) };
}

export function readProduct(item: DynamoItem): Product {
  return {
    $type: "Product",
    productId: found(/^PRODUCT#([^#]+)$/, item["PK"]) as Product["productId"],
    category: item["category"] as Product["category"],
    title: item["title"] as Product["title"],
    price: item["price"] as Product["price"],
    description: item["description"] as Product["description"],
    schema_v: item["schema_v"] as Product["schema_v"],
  };
}

export interface Review {
  $type: "Review";
  productId: string;
  reviewId: string;
  createdAt: string;
  stars: number;
  text: string;
  schema_v: number;
}

export function isReview(of: { $type: string }): of is Review {
  return of.$type === "Review";
}

/** The table's key, for get, update and delete. */
export function keyOfReview(of: Pick<Review, "productId" | "reviewId">): DynamoItem {
  return { PK: "PRODUCT#" + keyText(of.productId), SK: "REVIEW#" + keyText(of.reviewId) };
}

/** The keys of the table and the indexes. */
export function keysOfReview(of: Review): DynamoItem {
  const keys: DynamoItem = {};
  keys["PK"] = "PRODUCT#" + keyText(of.productId);
  keys["SK"] = "REVIEW#" + keyText(of.reviewId);
  keys["GSI1PK"] = "PRODUCT#" + keyText(of.productId) + "#REVIEWS";
  keys["GSI1SK"] = keyTime(of.createdAt, 16) + "#" + keyText(of.reviewId);
  return keys;
}

export function itemOfReview(of: Review): DynamoItem {
  const item = keysOfReview(of);
  item["entity_type"] = "Review";
  item["createdAt"] = of.createdAt;
  item["stars"] = of.stars;
  item["text"] = of.text;
  item["schema_v"] = of.schema_v;
  return item;
}

export function putReview(of: Review): PutRequest {
  return { TableName: TABLE, Item: itemOfReview(of) };
}

export function readReview(item: DynamoItem): Review {
  return {
    $type: "Review",
    productId: found(/^PRODUCT#([^#]+)$/, item["PK"]) as Review["productId"],
    reviewId: found(/^REVIEW#([^#]+)$/, item["SK"]) as Review["reviewId"],
    createdAt: item["createdAt"] as Review["createdAt"],
    stars: item["stars"] as Review["stars"],
    text: item["text"] as Review["text"],
    schema_v: item["schema_v"] as Review["schema_v"],
  };
}

export type AnyEntity = User | Order | OrderHeader | OrderItem | Product | Review;

/** An item of a collection as the object that it is; `$type` tells them apart. */
export function readItem(item: DynamoItem): AnyEntity {
  switch (item["entity_type"]) {
    case "User":
      return readUser(item);
    case "Order":
      return readOrder(item);
    case "OrderHeader":
      return readOrderHeader(item);
    case "OrderItem":
      return readOrderItem(item);
    case "Product":
      return readProduct(item);
    case "Review":
      return readReview(item);
    default:
      throw new Error(`no entity has the type ${item["entity_type"]}`);
  }
}

/** user profile */
export function s1(by: { userId: string }): GetRequest {
  return {
    TableName: TABLE,
    Key: { PK: "USER#" + keyText(by.userId), SK: "PROFILE" },
  };
}

/** a user's latest orders (10) */
export function s2(by: { userId: string }): QueryRequest {
  return {
    TableName: TABLE,
    KeyConditionExpression: "#k0 = :k0 AND begins_with(#k1, :k1)",
    ExpressionAttributeNames: { "#k0": "PK", "#k1": "SK" },
    ExpressionAttributeValues: { ":k0": "USER#" + keyText(by.userId), ":k1": "ORDER#" },
    ScanIndexForward: false,
    Limit: 10,
  };
}

/** a user and the orders, sorted into types by entity_type */
export function userWithOrders(by: { userId: string }): QueryRequest {
  return {
    TableName: TABLE,
    KeyConditionExpression: "#k0 = :k0",
    ExpressionAttributeNames: { "#k0": "PK" },
    ExpressionAttributeValues: { ":k0": "USER#" + keyText(by.userId) },
    Limit: 50,
  };
}

/** an order with all its items */
export function s3(by: { orderId: string }): QueryRequest {
  return {
    TableName: TABLE,
    KeyConditionExpression: "#k0 = :k0",
    ExpressionAttributeNames: { "#k0": "PK" },
    ExpressionAttributeValues: { ":k0": "ORDER#" + keyText(by.orderId) },
  };
}

/** all orders placed today over all users */
export function s4(by: { today: string }): QueryRequest {
  return {
    TableName: TABLE,
    IndexName: "GSI1",
    KeyConditionExpression: "#k0 = :k0 AND begins_with(#k1, :k1)",
    ExpressionAttributeNames: { "#k0": "GSI1PK", "#k1": "GSI1SK" },
    ExpressionAttributeValues: { ":k0": "ORDER_BY_DATE", ":k1": keyTime(by.today, 10) },
    Limit: 100,
  };
}

/** a user's orders by status */
export function s5(by: { userId: string; status: "PENDING" | "PAID" | "SHIPPED" | "CANCELLED" }): QueryRequest {
  return {
    TableName: TABLE,
    IndexName: "GSI2",
    KeyConditionExpression: "#k0 = :k0",
    ExpressionAttributeNames: { "#k0": "GSI2PK" },
    ExpressionAttributeValues: { ":k0": "USER#" + keyText(by.userId) + "#" + keyText(by.status) },
    ScanIndexForward: false,
    Limit: 20,
  };
}

/** a product's latest reviews */
export function s6(by: { productId: string }): QueryRequest {
  return {
    TableName: TABLE,
    IndexName: "GSI1",
    KeyConditionExpression: "#k0 = :k0",
    ExpressionAttributeNames: { "#k0": "GSI1PK" },
    ExpressionAttributeValues: { ":k0": "PRODUCT#" + keyText(by.productId) + "#REVIEWS" },
    ScanIndexForward: false,
    Limit: 20,
  };
}

/** product by id */
export function s7(by: { productId: string }): GetRequest {
  return {
    TableName: TABLE,
    Key: { PK: "PRODUCT#" + keyText(by.productId), SK: "DETAILS" },
  };
}

/** products of a category */
export function s8(by: { category: string }): QueryRequest {
  return {
    TableName: TABLE,
    IndexName: "GSI2",
    KeyConditionExpression: "#k0 = :k0",
    ExpressionAttributeNames: { "#k0": "GSI2PK" },
    ExpressionAttributeValues: { ":k0": "CATEGORY#" + keyText(by.category) },
    Limit: 50,
  };
}

/** pending orders after a point in time */
export function s9(by: { since: string }): QueryRequest {
  return {
    TableName: TABLE,
    IndexName: "GSI1",
    KeyConditionExpression: "#k0 = :k0 AND #k1 > :k1",
    ExpressionAttributeNames: { "#k0": "GSI1PK", "#k1": "GSI1SK" },
    ExpressionAttributeValues: { ":k0": "ORDER_STATUS#PENDING", ":k1": keyText(by.since) },
    Limit: 100,
  };
}
