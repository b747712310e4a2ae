// Entities and reads of the model theatre.
// Written by `stator design codegen`; change the model and run it again. Items are those of the document client of the
// JavaScript SDK. Filters are left to the caller.

import { createHash } from "node:crypto";

export const TABLE = "theatre";
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

export interface Show {
  $type: "Show";
  showId: string;
  title: string;
  genre: "musical" | "romance" | "drama" | "comedy" | "opera" | "dance" | "children" | "concert";
  rating: number;
  description: Uint8Array;
  showCount: number;
  featured?: boolean | undefined;
}

export function isShow(of: { $type: string }): of is Show {
  return of.$type === "Show";
}

/** The table's key, for get, update and delete. */
export function keyOfShow(of: Pick<Show, "showId">): DynamoItem {
  return { PK: "SHOW#" + keyText(of.showId), SK: "METADATA" };
}

/** The keys of the table and the indexes. */
export function keysOfShow(of: Show): DynamoItem {
  const keys: DynamoItem = {};
  keys["PK"] = "SHOW#" + keyText(of.showId);
  keys["SK"] = "METADATA";
  keys["GSI1PK"] = "GENRE#" + keyText(of.genre);
  keys["GSI1SK"] = "RATING#" + keyNumber(of.rating, 3, 1) + "#SHOW#" + keyText(of.showId);
  if (of.featured !== undefined) keys["GSI2PK"] = "FEATURED";
  if (of.featured !== undefined) keys["GSI2SK"] = "RATING#" + keyNumber(of.rating, 3, 1);
  return keys;
}

export function itemOfShow(of: Show): DynamoItem {
  const item = keysOfShow(of);
  item["entity_type"] = "Show";
  item["title"] = of.title;
  item["genre"] = of.genre;
  item["rating"] = of.rating;
  item["description"] = of.description;
  item["showCount"] = of.showCount;
  if (of.featured !== undefined) item["featured"] = of.featured;
  return item;
}

export function putShow(of: Show): PutRequest {
  return { TableName: TABLE, Item: itemOfShow(of) };
}

export function readShow(item: DynamoItem): Show {
  return {
    $type: "Show",
    showId: found(/^SHOW#([^#]+)$/, item["PK"]) as Show["showId"],
    title: item["title"] as Show["title"],
    genre: item["genre"] as Show["genre"],
    rating: item["rating"] as Show["rating"],
    description: item["description"] as Show["description"],
    showCount: item["showCount"] as Show["showCount"],
    featured: item["featured"] as Show["featured"],
  };
}

/** A show at a venue, read from the show's side and, by GSI1, from the venue's. */
export interface ShowVenue {
  $type: "ShowVenue";
  showId: string;
  venueId: string;
  title: string;
  rating: number;
}

export function isShowVenue(of: { $type: string }): of is ShowVenue {
  return of.$type === "ShowVenue";
}

/** The table's key, for get, update and delete. */
export function keyOfShowVenue(of: Pick<ShowVenue, "showId" | "venueId">): DynamoItem {
  return { PK: "SHOW#" + keyText(of.showId), SK: "VENUE#" + keyText(of.venueId) };
}

/** The keys of the table and the indexes. */
export function keysOfShowVenue(of: ShowVenue): DynamoItem {
  const keys: DynamoItem = {};
  keys["PK"] = "SHOW#" + keyText(of.showId);
  keys["SK"] = "VENUE#" + keyText(of.venueId);
  keys["GSI1PK"] = "VENUE#" + keyText(of.venueId);
  keys["GSI1SK"] = "SHOW#" + keyText(of.showId);
  return keys;
}

export function itemOfShowVenue(of: ShowVenue): DynamoItem {
  const item = keysOfShowVenue(of);
  item["entity_type"] = "ShowVenue";
  item["title"] = of.title;
  item["rating"] = of.rating;
  return item;
}

export function putShowVenue(of: ShowVenue): PutRequest {
  return { TableName: TABLE, Item: itemOfShowVenue(of) };
}

export function readShowVenue(item: DynamoItem): ShowVenue {
  return {
    $type: "ShowVenue",
    showId: found(/^SHOW#([^#]+)$/, item["PK"]) as ShowVenue["showId"],
    venueId: found(/^VENUE#([^#]+)$/, item["SK"]) as ShowVenue["venueId"],
    title: item["title"] as ShowVenue["title"],
    rating: item["rating"] as ShowVenue["rating"],
  };
}

/** One item for each further genre of a show. */
export interface ShowGenre {
  $type: "ShowGenre";
  showId: string;
  genre: "musical" | "romance" | "drama" | "comedy" | "opera" | "dance" | "children" | "concert";
  title: string;
  rating: number;
}

export function isShowGenre(of: { $type: string }): of is ShowGenre {
  return of.$type === "ShowGenre";
}

/** The table's key, for get, update and delete. */
export function keyOfShowGenre(of: Pick<ShowGenre, "showId" | "genre">): DynamoItem {
  return { PK: "SHOW#" + keyText(of.showId), SK: "GENRE#" + keyText(of.genre) };
}

/** The keys of the table and the indexes. */
export function keysOfShowGenre(of: ShowGenre): DynamoItem {
  const keys: DynamoItem = {};
  keys["PK"] = "SHOW#" + keyText(of.showId);
  keys["SK"] = "GENRE#" + keyText(of.genre);
  keys["GSI1PK"] = "GENRE#" + keyText(of.genre);
  keys["GSI1SK"] = "SHOW#" + keyText(of.showId);
  return keys;
}

export function itemOfShowGenre(of: ShowGenre): DynamoItem {
  const item = keysOfShowGenre(of);
  item["entity_type"] = "ShowGenre";
  item["title"] = of.title;
  item["rating"] = of.rating;
  return item;
}

export function putShowGenre(of: ShowGenre): PutRequest {
  return { TableName: TABLE, Item: itemOfShowGenre(of) };
}

export function readShowGenre(item: DynamoItem): ShowGenre {
  return {
    $type: "ShowGenre",
    showId: found(/^SHOW#([^#]+)$/, item["PK"]) as ShowGenre["showId"],
    genre: found(/^GENRE#([^#]+)$/, item["SK"]) as ShowGenre["genre"],
    title: item["title"] as ShowGenre["title"],
    rating: item["rating"] as ShowGenre["rating"],
  };
}

export interface Performance {
  $type: "Performance";
  showId: string;
  performanceId: string;
  startsAt: string;
  localTime: string;
  venueId: string;
  seatsLeft: number;
}

export function isPerformance(of: { $type: string }): of is Performance {
  return of.$type === "Performance";
}

/** The table's key, for get, update and delete. */
export function keyOfPerformance(of: Pick<Performance, "showId" | "localTime">): DynamoItem {
  return { PK: "SHOW#" + keyText(of.showId), SK: "PERFORMANCE#" + keyText(of.localTime) };
}

/** The keys of the table and the indexes. */
export function keysOfPerformance(of: Performance): DynamoItem {
  const keys: DynamoItem = {};
  keys["PK"] = "SHOW#" + keyText(of.showId);
  keys["SK"] = "PERFORMANCE#" + keyText(of.localTime);
  keys["GSI2PK"] = "PERFORMANCES";
  keys["GSI2SK"] = keyText(of.startsAt) + "#" + keyText(of.performanceId);
  return keys;
}

export function itemOfPerformance(of: Performance): DynamoItem {
  const item = keysOfPerformance(of);
  item["entity_type"] = "Performance";
  item["performanceId"] = of.performanceId;
  item["startsAt"] = of.startsAt;
  item["venueId"] = of.venueId;
  item["seatsLeft"] = of.seatsLeft;
  return item;
}

export function putPerformance(of: Performance): PutRequest {
  return { TableName: TABLE, Item: itemOfPerformance(of) };
}

export function readPerformance(item: DynamoItem): Performance {
  return {
    $type: "Performance",
    showId: found(/^SHOW#([^#]+)$/, item["PK"]) as Performance["showId"],
    performanceId: item["performanceId"] as Performance["performanceId"],
    startsAt: item["startsAt"] as Performance["startsAt"],
    localTime: found(/^PERFORMANCE#([^#]+)$/, item["SK"]) as Performance["localTime"],
    venueId: item["venueId"] as Performance["venueId"],
    seatsLeft: item["seatsLeft"] as Performance["seatsLeft"],
  };
}

export interface Review {
  $type: "Review";
  showId: string;
  reviewId: string;
  createdAt: string;
  stars: number;
  text: string;
}

export function isReview(of: { $type: string }): of is Review {
  return of.$type === "Review";
}

/** The table's key, for get, update and delete. */
export function keyOfReview(of: Pick<Review, "showId" | "reviewId">): DynamoItem {
  return { PK: "SHOW#" + keyText(of.showId), SK: "REVIEW#" + keyText(of.reviewId) };
}

/** The keys of the table and the indexes. */
export function keysOfReview(of: Review): DynamoItem {
  const keys: DynamoItem = {};
  keys["PK"] = "SHOW#" + keyText(of.showId);
  keys["SK"] = "REVIEW#" + keyText(of.reviewId);
  keys["GSI2PK"] = "REVIEWS#" + keyTime(of.createdAt, 7);
  keys["GSI2SK"] = keyText(of.createdAt) + "#" + keyText(of.reviewId);
  return keys;
}

export function itemOfReview(of: Review): DynamoItem {
  const item = keysOfReview(of);
  item["entity_type"] = "Review";
  item["createdAt"] = of.createdAt;
  item["stars"] = of.stars;
  item["text"] = of.text;
  return item;
}

export function putReview(of: Review): PutRequest {
  return { TableName: TABLE, Item: itemOfReview(of) };
}

export function readReview(item: DynamoItem): Review {
  return {
    $type: "Review",
    showId: found(/^SHOW#([^#]+)$/, item["PK"]) as Review["showId"],
    reviewId: found(/^REVIEW#([^#]+)$/, item["SK"]) as Review["reviewId"],
    createdAt: item["createdAt"] as Review["createdAt"],
    stars: item["stars"] as Review["stars"],
    text: item["text"] as Review["text"],
  };
}

export interface Venue {
  $type: "Venue";
  venueId: string;
  name: string;
  address: Record<string, unknown>;
  showCount: number;
}

export function isVenue(of: { $type: string }): of is Venue {
  return of.$type === "Venue";
}

/** The table's key, for get, update and delete. */
export function keyOfVenue(of: Pick<Venue, "venueId">): DynamoItem {
  return { PK: "VENUE#" + keyText(of.venueId), SK: "METADATA" };
}

/** The keys of the table and the indexes. */
export function keysOfVenue(of: Venue): DynamoItem {
  const keys: DynamoItem = {};
  keys["PK"] = "VENUE#" + keyText(of.venueId);
  keys["SK"] = "METADATA";
  return keys;
}

export function itemOfVenue(of: Venue): DynamoItem {
  const item = keysOfVenue(of);
  item["entity_type"] = "Venue";
  item["name"] = of.name;
  item["address"] = of.address;
  item["showCount"] = of.showCount;
  return item;
}

export function putVenue(of: Venue): PutRequest {
  return { TableName: TABLE, Item: itemOfVenue(of) };
}

export function readVenue(item: DynamoItem): Venue {
  return {
    $type: "Venue",
    venueId: found(/^VENUE#([^#]+)$/, item["PK"]) as Venue["venueId"],
    name: item["name"] as Venue["name"],
    address: item["address"] as Venue["address"],
    showCount: item["showCount"] as Venue["showCount"],
  };
}

/** The same edge as ShowVenue, written a second time under the venue. */
export interface VenueShow {
  $type: "VenueShow";
  venueId: string;
  showId: string;
  title: string;
}

export function isVenueShow(of: { $type: string }): of is VenueShow {
  return of.$type === "VenueShow";
}

/** The table's key, for get, update and delete. */
export function keyOfVenueShow(of: Pick<VenueShow, "venueId" | "showId">): DynamoItem {
  return { PK: "VENUE#" + keyText(of.venueId), SK: "SHOW#" + keyText(of.showId) };
}

/** The keys of the table and the indexes. */
export function keysOfVenueShow(of: VenueShow): DynamoItem {
  const keys: DynamoItem = {};
  keys["PK"] = "VENUE#" + keyText(of.venueId);
  keys["SK"] = "SHOW#" + keyText(of.showId);
  return keys;
}

export function itemOfVenueShow(of: VenueShow): DynamoItem {
  const item = keysOfVenueShow(of);
  item["entity_type"] = "VenueShow";
  item["title"] = of.title;
  return item;
}

export function putVenueShow(of: VenueShow): PutRequest {
  return { TableName: TABLE, Item: itemOfVenueShow(of) };
}

export function readVenueShow(item: DynamoItem): VenueShow {
  return {
    $type: "VenueShow",
    venueId: found(/^VENUE#([^#]+)$/, item["PK"]) as VenueShow["venueId"],
    showId: found(/^SHOW#([^#]+)$/, item["SK"]) as VenueShow["showId"],
    title: item["title"] as VenueShow["title"],
  };
}

export interface RegionVenue {
  $type: "RegionVenue";
  region: string;
  venueId: string;
  name: string;
}

export function isRegionVenue(of: { $type: string }): of is RegionVenue {
  return of.$type === "RegionVenue";
}

/** The table's key, for get, update and delete. */
export function keyOfRegionVenue(of: Pick<RegionVenue, "region" | "venueId">): DynamoItem {
  return { PK: "REGION#" + keyText(of.region), SK: "VENUE#" + keyText(of.venueId) };
}

/** The keys of the table and the indexes. */
export function keysOfRegionVenue(of: RegionVenue): DynamoItem {
  const keys: DynamoItem = {};
  keys["PK"] = "REGION#" + keyText(of.region);
  keys["SK"] = "VENUE#" + keyText(of.venueId);
  return keys;
}

export function itemOfRegionVenue(of: RegionVenue): DynamoItem {
  const item = keysOfRegionVenue(of);
  item["entity_type"] = "RegionVenue";
  item["name"] = of.name;
  return item;
}

export function putRegionVenue(of: RegionVenue): PutRequest {
  return { TableName: TABLE, Item: itemOfRegionVenue(of) };
}

export function readRegionVenue(item: DynamoItem): RegionVenue {
  return {
    $type: "RegionVenue",
    region: found(/^REGION#([^#]+)$/, item["PK"]) as RegionVenue["region"],
    venueId: found(/^VENUE#([^#]+)$/, item["SK"]) as RegionVenue["venueId"],
    name: item["name"] as RegionVenue["name"],
  };
}

/** A show of one tenant; the tenant is the first component of every key. */
export interface TenantShow {
  $type: "TenantShow";
  tenantId: string;
  showId: string;
  title: string;
}

export function isTenantShow(of: { $type: string }): of is TenantShow {
  return of.$type === "TenantShow";
}

/** The table's key, for get, update and delete. */
export function keyOfTenantShow(of: Pick<TenantShow, "tenantId" | "showId">): DynamoItem {
  return { PK: "TENANT#" + keyText(of.tenantId) + "#SHOW#" + keyText(of.showId), SK: "METADATA" };
}

/** The keys of the table and the indexes. */
export function keysOfTenantShow(of: TenantShow): DynamoItem {
  const keys: DynamoItem = {};
  keys["PK"] = "TENANT#" + keyText(of.tenantId) + "#SHOW#" + keyText(of.showId);
  keys["SK"] = "METADATA";
  return keys;
}

export function itemOfTenantShow(of: TenantShow): DynamoItem {
  const item = keysOfTenantShow(of);
  item["entity_type"] = "TenantShow";
  item["title"] = of.title;
  return item;
}

export function putTenantShow(of: TenantShow): PutRequest {
  return { TableName: TABLE, Item: itemOfTenantShow(of) };
}

export function readTenantShow(item: DynamoItem): TenantShow {
  return {
    $type: "TenantShow",
    tenantId: found(/^TENANT#([^#]+)#SHOW#[^#]+$/, item["PK"]) as TenantShow["tenantId"],
    showId: found(/^TENANT#[^#]+#SHOW#([^#]+)$/, item["PK"]) as TenantShow["showId"],
    title: item["title"] as TenantShow["title"],
  };
}

export interface TenantReview {
  $type: "TenantReview";
  tenantId: string;
  showId: string;
  reviewId: string;
  text: string;
}

export function isTenantReview(of: { $type: string }): of is TenantReview {
  return of.$type === "TenantReview";
}

/** The table's key, for get, update and delete. */
export function keyOfTenantReview(of: Pick<TenantReview, "tenantId" | "showId" | "reviewId">): DynamoItem {
  return { PK: "TENANT#" + keyText(of.tenantId) + "#SHOW#" + keyText(of.showId), SK: "REVIEW#" + keyText(of.reviewId) };
}

/** The keys of the table and the indexes. */
export function keysOfTenantReview(of: TenantReview): DynamoItem {
  const keys: DynamoItem = {};
  keys["PK"] = "TENANT#" + keyText(of.tenantId) + "#SHOW#" + keyText(of.showId);
  keys["SK"] = "REVIEW#" + keyText(of.reviewId);
  return keys;
}

export function itemOfTenantReview(of: TenantReview): DynamoItem {
  const item = keysOfTenantReview(of);
  item["entity_type"] = "TenantReview";
  item["text"] = of.text;
  return item;
}

export function putTenantReview(of: TenantReview): PutRequest {
  return { TableName: TABLE, Item: itemOfTenantReview(of) };
}

export function readTenantReview(item: DynamoItem): TenantReview {
  return {
    $type: "TenantReview",
    tenantId: found(/^TENANT#([^#]+)#SHOW#[^#]+$/, item["PK"]) as TenantReview["tenantId"],
    showId: found(/^TENANT#[^#]+#SHOW#([^#]+)$/, item["PK"]) as TenantReview["showId"],
    reviewId: found(/^REVIEW#([^#]+)$/, item["SK"]) as TenantReview["reviewId"],
    text: item["text"] as TenantReview["text"],
  };
}

export type AnyEntity = Show | ShowVenue | ShowGenre | Performance | Review | Venue | VenueShow | RegionVenue | TenantShow | TenantReview;

/** An item of a collection as the object that it is; `$type` tells them apart. */
export function readItem(item: DynamoItem): AnyEntity {
  switch (item["entity_type"]) {
    case "Show":
      return readShow(item);
    case "ShowVenue":
      return readShowVenue(item);
    case "ShowGenre":
      return readShowGenre(item);
    case "Performance":
      return readPerformance(item);
    case "Review":
      return readReview(item);
    case "Venue":
      return readVenue(item);
    case "VenueShow":
      return readVenueShow(item);
    case "RegionVenue":
      return readRegionVenue(item);
    case "TenantShow":
      return readTenantShow(item);
    case "TenantReview":
      return readTenantReview(item);
    default:
      throw new Error(`no entity has the type ${item["entity_type"]}`);
  }
}

/** a show by id */
export function t1(by: { showId: string }): GetRequest {
  return {
    TableName: TABLE,
    Key: { PK: "SHOW#" + keyText(by.showId), SK: "METADATA" },
  };
}

/** all shows of a venue */
export function t2(by: { venueId: string }): QueryRequest {
  return {
    TableName: TABLE,
    IndexName: "GSI1",
    KeyConditionExpression: "#k0 = :k0 AND begins_with(#k1, :k1)",
    ExpressionAttributeNames: { "#k0": "GSI1PK", "#k1": "GSI1SK" },
    ExpressionAttributeValues: { ":k0": "VENUE#" + keyText(by.venueId), ":k1": "SHOW#" },
  };
}

/** all venues of a region */
export function t3(by: { region: string }): QueryRequest {
  return {
    TableName: TABLE,
    KeyConditionExpression: "#k0 = :k0 AND begins_with(#k1, :k1)",
    ExpressionAttributeNames: { "#k0": "PK", "#k1": "SK" },
    ExpressionAttributeValues: { ":k0": "REGION#" + keyText(by.region), ":k1": "VENUE#" },
  };
}

/** all performances of a show */
export function t4(by: { showId: string }): QueryRequest {
  return {
    TableName: TABLE,
    KeyConditionExpression: "#k0 = :k0 AND begins_with(#k1, :k1)",
    ExpressionAttributeNames: { "#k0": "PK", "#k1": "SK" },
    ExpressionAttributeValues: { ":k0": "SHOW#" + keyText(by.showId), ":k1": "PERFORMANCE#" },
    Limit: 100,
  };
}

/** coming performances over all venues */
export function t5(by: { now: string }): QueryRequest {
  return {
    TableName: TABLE,
    IndexName: "GSI2",
    KeyConditionExpression: "#k0 = :k0 AND #k1 >= :k1",
    ExpressionAttributeNames: { "#k0": "GSI2PK", "#k1": "GSI2SK" },
    ExpressionAttributeValues: { ":k0": "PERFORMANCES", ":k1": keyText(by.now) },
    Limit: 50,
  };
}

/** a show with all its reviews and everything else about it */
export function t6(by: { showId: string }): QueryRequest {
  return {
    TableName: TABLE,
    KeyConditionExpression: "#k0 = :k0",
    ExpressionAttributeNames: { "#k0": "PK" },
    ExpressionAttributeValues: { ":k0": "SHOW#" + keyText(by.showId) },
    Limit: 300,
  };
}

/** best-rated shows of a genre */
export function t7(by: { genre: "musical" | "romance" | "drama" | "comedy" | "opera" | "dance" | "children" | "concert" }): QueryRequest {
  return {
    TableName: TABLE,
    IndexName: "GSI1",
    KeyConditionExpression: "#k0 = :k0 AND begins_with(#k1, :k1)",
    ExpressionAttributeNames: { "#k0": "GSI1PK", "#k1": "GSI1SK" },
    ExpressionAttributeValues: { ":k0": "GENRE#" + keyText(by.genre), ":k1": "RATING#" },
    ScanIndexForward: false,
    Limit: 20,
  };
}

/** shows that have a genre among others */
export function t7Further(by: { genre: "musical" | "romance" | "drama" | "comedy" | "opera" | "dance" | "children" | "concert" }): QueryRequest {
  return {
    TableName: TABLE,
    IndexName: "GSI1",
    KeyConditionExpression: "#k0 = :k0 AND begins_with(#k1, :k1)",
    ExpressionAttributeNames: { "#k0": "GSI1PK", "#k1": "GSI1SK" },
    ExpressionAttributeValues: { ":k0": "GENRE#" + keyText(by.genre), ":k1": "SHOW#" },
    Limit: 50,
  };
}

/** featured shows */
export function t8(): QueryRequest {
  return {
    TableName: TABLE,
    IndexName: "GSI2",
    KeyConditionExpression: "#k0 = :k0",
    ExpressionAttributeNames: { "#k0": "GSI2PK" },
    ExpressionAttributeValues: { ":k0": "FEATURED" },
    ScanIndexForward: false,
    Limit: 50,
  };
}

/** everything of one tenant's show, and nothing of another tenant */
export function t9(by: { tenantId: string; showId: string }): QueryRequest {
  return {
    TableName: TABLE,
    KeyConditionExpression: "#k0 = :k0",
    ExpressionAttributeNames: { "#k0": "PK" },
    ExpressionAttributeValues: { ":k0": "TENANT#" + keyText(by.tenantId) + "#SHOW#" + keyText(by.showId) },
    Limit: 200,
  };
}

/** the newest reviews of a month, for moderation */
export function reviewsOfMonth(by: { createdAt: string }): QueryRequest {
  return {
    TableName: TABLE,
    IndexName: "GSI2",
    KeyConditionExpression: "#k0 = :k0",
    ExpressionAttributeNames: { "#k0": "GSI2PK" },
    ExpressionAttributeValues: { ":k0": "REVIEWS#" + keyTime(by.createdAt, 7) },
    ScanIndexForward: false,
    Limit: 50,
  };
}

/** a venue with the shows that it plays */
export function venueWithShows(by: { venueId: string }): QueryRequest {
  return {
    TableName: TABLE,
    KeyConditionExpression: "#k0 = :k0",
    ExpressionAttributeNames: { "#k0": "PK" },
    ExpressionAttributeValues: { ":k0": "VENUE#" + keyText(by.venueId) },
  };
}
