// Entities and reads of the model graph.
// Written by `stator design codegen`; change the model and run it again. Items are those of the document client of the
// JavaScript SDK. Filters are left to the caller.

import { createHash } from "node:crypto";

export const TABLE = "relations";
const PARTITION_KEY = "PK";
/** By index; "" is the table. */
const SORT_KEYS: Record<string, string | undefined> = { "": "SK", "GSI1": "GSI1SK", "ReviewQueue": "PK" };

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
  };
}

/** A user in a group, one item; the inverted index reads it from the group's side. */
export interface Membership {
  $type: "Membership";
  userId: string;
  groupId: string;
  joinedAt: string;
}

export function isMembership(of: { $type: string }): of is Membership {
  return of.$type === "Membership";
}

/** The table's key, for get, update and delete. */
export function keyOfMembership(of: Pick<Membership, "userId" | "groupId">): DynamoItem {
  return { PK: "USER#" + keyText(of.userId), SK: "GROUP#" + keyText(of.groupId) };
}

/** The keys of the table and the indexes. */
export function keysOfMembership(of: Membership): DynamoItem {
  const keys: DynamoItem = {};
  keys["PK"] = "USER#" + keyText(of.userId);
  keys["SK"] = "GROUP#" + keyText(of.groupId);
  keys["GSI1PK"] = "GROUP#" + keyText(of.groupId);
  keys["GSI1SK"] = "USER#" + keyText(of.userId);
  return keys;
}

export function itemOfMembership(of: Membership): DynamoItem {
  const item = keysOfMembership(of);
  item["entity_type"] = "Membership";
  item["joinedAt"] = of.joinedAt;
  return item;
}

export function putMembership(of: Membership): PutRequest {
  return { TableName: TABLE, Item: itemOfMembership(of) };
}

export function readMembership(item: DynamoItem): Membership {
  return {
    $type: "Membership",
    userId: found(/^USER#([^#]+)$/, item["PK"]) as Membership["userId"],
    groupId: found(/^GROUP#([^#]+)$/, item["SK"]) as Membership["groupId"],
    joinedAt: item["joinedAt"] as Membership["joinedAt"],
  };
}

export interface Group {
  $type: "Group";
  groupId: string;
  title: string;
}

export function isGroup(of: { $type: string }): of is Group {
  return of.$type === "Group";
}

/** The table's key, for get, update and delete. */
export function keyOfGroup(of: Pick<Group, "groupId">): DynamoItem {
  return { PK: "GROUP#" + keyText(of.groupId), SK: "METADATA" };
}

/** The keys of the table and the indexes. */
export function keysOfGroup(of: Group): DynamoItem {
  const keys: DynamoItem = {};
  keys["PK"] = "GROUP#" + keyText(of.groupId);
  keys["SK"] = "METADATA";
  return keys;
}

export function itemOfGroup(of: Group): DynamoItem {
  const item = keysOfGroup(of);
  item["entity_type"] = "Group";
  item["title"] = of.title;
  return item;
}

export function putGroup(of: Group): PutRequest {
  return { TableName: TABLE, Item: itemOfGroup(of) };
}

export function readGroup(item: DynamoItem): Group {
  return {
    $type: "Group",
    groupId: found(/^GROUP#([^#]+)$/, item["PK"]) as Group["groupId"],
    title: item["title"] as Group["title"],
  };
}

/** A user in a team, the edge from the user's side; TeamUser is the same from the team's. */
export interface UserTeam {
  $type: "UserTeam";
  userId: string;
  teamId: string;
  role: "member" | "lead";
}

export function isUserTeam(of: { $type: string }): of is UserTeam {
  return of.$type === "UserTeam";
}

/** The table's key, for get, update and delete. */
export function keyOfUserTeam(of: Pick<UserTeam, "userId" | "teamId">): DynamoItem {
  return { PK: "USER#" + keyText(of.userId), SK: "TEAM#" + keyText(of.teamId) };
}

/** The keys of the table and the indexes. */
export function keysOfUserTeam(of: UserTeam): DynamoItem {
  const keys: DynamoItem = {};
  keys["PK"] = "USER#" + keyText(of.userId);
  keys["SK"] = "TEAM#" + keyText(of.teamId);
  return keys;
}

export function itemOfUserTeam(of: UserTeam): DynamoItem {
  const item = keysOfUserTeam(of);
  item["entity_type"] = "UserTeam";
  item["role"] = of.role;
  return item;
}

export function putUserTeam(of: UserTeam): PutRequest {
  return { TableName: TABLE, Item: itemOfUserTeam(of) };
}

export function readUserTeam(item: DynamoItem): UserTeam {
  return {
    $type: "UserTeam",
    userId: found(/^USER#([^#]+)$/, item["PK"]) as UserTeam["userId"],
    teamId: found(/^TEAM#([^#]+)$/, item["SK"]) as UserTeam["teamId"],
    role: item["role"] as UserTeam["role"],
  };
}

export interface Team {
  $type: "Team";
  teamId: string;
  title: string;
}

export function isTeam(of: { $type: string }): of is Team {
  return of.$type === "Team";
}

/** The table's key, for get, update and delete. */
export function keyOfTeam(of: Pick<Team, "teamId">): DynamoItem {
  return { PK: "TEAM#" + keyText(of.teamId), SK: "METADATA" };
}

/** The keys of the table and the indexes. */
export function keysOfTeam(of: Team): DynamoItem {
  const keys: DynamoItem = {};
  keys["PK"] = "TEAM#" + keyText(of.teamId);
  keys["SK"] = "METADATA";
  return keys;
}

export function itemOfTeam(of: Team): DynamoItem {
  const item = keysOfTeam(of);
  item["entity_type"] = "Team";
  item["title"] = of.title;
  return item;
}

export function putTeam(of: Team): PutRequest {
  return { TableName: TABLE, Item: itemOfTeam(of) };
}

export function readTeam(item: DynamoItem): Team {
  return {
    $type: "Team",
    teamId: found(/^TEAM#([^#]+)$/, item["PK"]) as Team["teamId"],
    title: item["title"] as Team["title"],
  };
}

export interface TeamUser {
  $type: "TeamUser";
  teamId: string;
  userId: string;
  role: "member" | "lead";
}

export function isTeamUser(of: { $type: string }): of is TeamUser {
  return of.$type === "TeamUser";
}

/** The table's key, for get, update and delete. */
export function keyOfTeamUser(of: Pick<TeamUser, "teamId" | "userId">): DynamoItem {
  return { PK: "TEAM#" + keyText(of.teamId), SK: "USER#" + keyText(of.userId) };
}

/** The keys of the table and the indexes. */
export function keysOfTeamUser(of: TeamUser): DynamoItem {
  const keys: DynamoItem = {};
  keys["PK"] = "TEAM#" + keyText(of.teamId);
  keys["SK"] = "USER#" + keyText(of.userId);
  return keys;
}

export function itemOfTeamUser(of: TeamUser): DynamoItem {
  const item = keysOfTeamUser(of);
  item["entity_type"] = "TeamUser";
  item["role"] = of.role;
  return item;
}

export function putTeamUser(of: TeamUser): PutRequest {
  return { TableName: TABLE, Item: itemOfTeamUser(of) };
}

export function readTeamUser(item: DynamoItem): TeamUser {
  return {
    $type: "TeamUser",
    teamId: found(/^TEAM#([^#]+)$/, item["PK"]) as TeamUser["teamId"],
    userId: found(/^USER#([^#]+)$/, item["SK"]) as TeamUser["userId"],
    role: item["role"] as TeamUser["role"],
  };
}

/** A product in the category tree; the sort key is the path from the root, each step closed by a delimiter. */
export interface CategoryProduct {
  $type: "CategoryProduct";
  catalogue: string;
  department: string;
  family: string;
  kind: string;
  productId: string;
  title: string;
}

export function isCategoryProduct(of: { $type: string }): of is CategoryProduct {
  return of.$type === "CategoryProduct";
}

/** The table's key, for get, update and delete. */
export function keyOfCategoryProduct(of: Pick<CategoryProduct, "catalogue" | "department" | "family" | "kind" | "productId">): DynamoItem {
  return { PK: "CATALOGUE#" + keyText(of.catalogue), SK: "CATEGORY#" + keyText(of.department) + "#" + keyText(of.family) + "#" + keyText(of.kind) + "#" + keyText(of.productId) };
}

/** The keys of the table and the indexes. */
export function keysOfCategoryProduct(of: CategoryProduct): DynamoItem {
  const keys: DynamoItem = {};
  keys["PK"] = "CATALOGUE#" + keyText(of.catalogue);
  keys["SK"] = "CATEGORY#" + keyText(of.department) + "#" + keyText(of.family) + "#" + keyText(of.kind) + "#" + keyText(of.productId);
  return keys;
}

export function itemOfCategoryProduct(of: CategoryProduct): DynamoItem {
  const item = keysOfCategoryProduct(of);
  item["entity_type"] = "CategoryProduct";
  item["title"] = of.title;
  return item;
}

export function putCategoryProduct(of: CategoryProduct): PutRequest {
  return { TableName: TABLE, Item: itemOfCategoryProduct(of) };
}

export function readCategoryProduct(item: DynamoItem): CategoryProduct {
  return {
    $type: "CategoryProduct",
    catalogue: found(/^CATALOGUE#([^#]+)$/, item["PK"]) as CategoryProduct["catalogue"],
    department: found(/^CATEGORY#([^#]+)#[^#]+#[^#]+#[^#]+$/, item["SK"]) as CategoryProduct["department"],
    family: found(/^CATEGORY#[^#]+#([^#]+)#[^#]+#[^#]+$/, item["SK"]) as CategoryProduct["family"],
    kind: found(/^CATEGORY#[^#]+#[^#]+#([^#]+)#[^#]+$/, item["SK"]) as CategoryProduct["kind"],
    productId: found(/^CATEGORY#[^#]+#[^#]+#[^#]+#([^#]+)$/, item["SK"]) as CategoryProduct["productId"],
    title: item["title"] as CategoryProduct["title"],
  };
}

export interface Employee {
  $type: "Employee";
  employeeId: string;
  department: string;
  name: string;
}

export function isEmployee(of: { $type: string }): of is Employee {
  return of.$type === "Employee";
}

/** The table's key, for get, update and delete. */
export function keyOfEmployee(of: Pick<Employee, "employeeId">): DynamoItem {
  return { PK: "EMP#" + keyText(of.employeeId), SK: "METADATA" };
}

/** The keys of the table and the indexes. */
export function keysOfEmployee(of: Employee): DynamoItem {
  const keys: DynamoItem = {};
  keys["PK"] = "EMP#" + keyText(of.employeeId);
  keys["SK"] = "METADATA";
  keys["GSI1PK"] = "DEPT#" + keyText(of.department);
  keys["GSI1SK"] = "EMP#" + keyText(of.employeeId);
  return keys;
}

export function itemOfEmployee(of: Employee): DynamoItem {
  const item = keysOfEmployee(of);
  item["entity_type"] = "Employee";
  item["department"] = of.department;
  item["name"] = of.name;
  return item;
}

export function putEmployee(of: Employee): PutRequest {
  return { TableName: TABLE, Item: itemOfEmployee(of) };
}

export function readEmployee(item: DynamoItem): Employee {
  return {
    $type: "Employee",
    employeeId: found(/^EMP#([^#]+)$/, item["PK"]) as Employee["employeeId"],
    department: item["department"] as Employee["department"],
    name: item["name"] as Employee["name"],
  };
}

export interface Ticket {
  $type: "Ticket";
  ticketId: string;
  openedAt: string;
  priority: "LOW" | "NORMAL" | "HIGH";
  title: string;
  needsReview?: "true" | undefined;
}

export function isTicket(of: { $type: string }): of is Ticket {
  return of.$type === "Ticket";
}

/** The table's key, for get, update and delete. */
export function keyOfTicket(of: Pick<Ticket, "ticketId">): DynamoItem {
  return { PK: "TICKET#" + keyText(of.ticketId), SK: "METADATA" };
}

/** The keys of the table and the indexes. */
export function keysOfTicket(of: Ticket): DynamoItem {
  const keys: DynamoItem = {};
  keys["PK"] = "TICKET#" + keyText(of.ticketId);
  keys["SK"] = "METADATA";
  keys["GSI1PK"] = "PRIORITY#" + keyText(of.priority);
  keys["GSI1SK"] = "TICKET#" + keyText(of.openedAt);
  if (of.needsReview !== undefined && of.needsReview !== undefined) keys["needsReview"] = keyText(of.needsReview);
  return keys;
}

export function itemOfTicket(of: Ticket): DynamoItem {
  const item = keysOfTicket(of);
  item["entity_type"] = "Ticket";
  item["openedAt"] = of.openedAt;
  item["priority"] = of.priority;
  item["title"] = of.title;
  if (of.needsReview !== undefined) item["needsReview"] = of.needsReview;
  return item;
}

export function putTicket(of: Ticket): PutRequest {
  return { TableName: TABLE, Item: itemOfTicket(of) };
}

export function readTicket(item: DynamoItem): Ticket {
  return {
    $type: "Ticket",
    ticketId: found(/^TICKET#([^#]+)$/, item["PK"]) as Ticket["ticketId"],
    openedAt: item["openedAt"] as Ticket["openedAt"],
    priority: item["priority"] as Ticket["priority"],
    title: item["title"] as Ticket["title"],
    needsReview: item["needsReview"] as Ticket["needsReview"],
  };
}

export interface Product {
  $type: "Product";
  productId: string;
  supplierId: string;
  title: string;
}

export function isProduct(of: { $type: string }): of is Product {
  return of.$type === "Product";
}

/** The table's key, for get, update and delete. */
export function keyOfProduct(of: Pick<Product, "productId">): DynamoItem {
  return { PK: "PRODUCT#" + keyText(of.productId), SK: "METADATA" };
}

/** The keys of the table and the indexes. */
export function keysOfProduct(of: Product): DynamoItem {
  const keys: DynamoItem = {};
  keys["PK"] = "PRODUCT#" + keyText(of.productId);
  keys["SK"] = "METADATA";
  keys["GSI1PK"] = "SUPPLIER#" + keyText(of.supplierId);
  keys["GSI1SK"] = "PRODUCT#" + keyText(of.productId);
  return keys;
}

export function itemOfProduct(of: Product): DynamoItem {
  const item = keysOfProduct(of);
  item["entity_type"] = "Product";
  item["supplierId"] = of.supplierId;
  item["title"] = of.title;
  return item;
}

export function putProduct(of: Product): PutRequest {
  return { TableName: TABLE, Item: itemOfProduct(of) };
}

export function readProduct(item: DynamoItem): Product {
  return {
    $type: "Product",
    productId: found(/^PRODUCT#([^#]+)$/, item["PK"]) as Product["productId"],
    supplierId: item["supplierId"] as Product["supplierId"],
    title: item["title"] as Product["title"],
  };
}

/** A tenth of a leaderboard's counter; writers choose one at random, the total is the sum of ten. */
export interface LeaderboardShard {
  $type: "LeaderboardShard";
  board: "global";
  points: number;
}

export function isLeaderboardShard(of: { $type: string }): of is LeaderboardShard {
  return of.$type === "LeaderboardShard";
}

/** The table's key, for get, update and delete. */
export function keyOfLeaderboardShard(of: Pick<LeaderboardShard, "board">, shard: number): DynamoItem {
  return { PK: "LEADERBOARD#" + keyText(of.board) + "#" + String(shard), SK: "COUNT" };
}

/** The keys of the table and the indexes. */
export function keysOfLeaderboardShard(of: LeaderboardShard, shard: number): DynamoItem {
  const keys: DynamoItem = {};
  keys["PK"] = "LEADERBOARD#" + keyText(of.board) + "#" + String(shard);
  keys["SK"] = "COUNT";
  return keys;
}

export function itemOfLeaderboardShard(of: LeaderboardShard, shard: number): DynamoItem {
  const item = keysOfLeaderboardShard(of, shard);
  item["entity_type"] = "LeaderboardShard";
  item["points"] = of.points;
  return item;
}

export function putLeaderboardShard(of: LeaderboardShard, shard: number): PutRequest {
  return { TableName: TABLE, Item: itemOfLeaderboardShard(of, shard) };
}

export function readLeaderboardShard(item: DynamoItem): LeaderboardShard {
  return {
    $type: "LeaderboardShard",
    board: found(/^LEADERBOARD#([^#]+)#[^#]+$/, item["PK"]) as LeaderboardShard["board"],
    points: item["points"] as LeaderboardShard["points"],
  };
}

export interface Session {
  $type: "Session";
  token: string;
  userId: string;
  expiresAt: number;
}

export function isSession(of: { $type: string }): of is Session {
  return of.$type === "Session";
}

/** The table's key, for get, update and delete. */
export function keyOfSession(of: Pick<Session, "token">): DynamoItem {
  return { PK: "SESSION#" + keyText(of.token), SK: "METADATA" };
}

/** The keys of the table and the indexes. */
export function keysOfSession(of: Session): DynamoItem {
  const keys: DynamoItem = {};
  keys["PK"] = "SESSION#" + keyText(of.token);
  keys["SK"] = "METADATA";
  return keys;
}

export function itemOfSession(of: Session): DynamoItem {
  const item = keysOfSession(of);
  item["entity_type"] = "Session";
  item["userId"] = of.userId;
  item["expiresAt"] = of.expiresAt;
  return item;
}

export function putSession(of: Session): PutRequest {
  return { TableName: TABLE, Item: itemOfSession(of) };
}

export function readSession(item: DynamoItem): Session {
  return {
    $type: "Session",
    token: found(/^SESSION#([^#]+)$/, item["PK"]) as Session["token"],
    userId: item["userId"] as Session["userId"],
    expiresAt: item["expiresAt"] as Session["expiresAt"],
  };
}

export type AnyEntity = User | Membership | Group | UserTeam | Team | TeamUser | CategoryProduct | Employee | Ticket | Product | LeaderboardShard | Session;

/** An item of a collection as the object that it is; `$type` tells them apart. */
export function readItem(item: DynamoItem): AnyEntity {
  switch (item["entity_type"]) {
    case "User":
      return readUser(item);
    case "Membership":
      return readMembership(item);
    case "Group":
      return readGroup(item);
    case "UserTeam":
      return readUserTeam(item);
    case "Team":
      return readTeam(item);
    case "TeamUser":
      return readTeamUser(item);
    case "CategoryProduct":
      return readCategoryProduct(item);
    case "Employee":
      return readEmployee(item);
    case "Ticket":
      return readTicket(item);
    case "Product":
      return readProduct(item);
    case "LeaderboardShard":
      return readLeaderboardShard(item);
    case "Session":
      return readSession(item);
    default:
      throw new Error(`no entity has the type ${item["entity_type"]}`);
  }
}

/** a user by id */
export function user(by: { userId: string }): GetRequest {
  return {
    TableName: TABLE,
    Key: { PK: "USER#" + keyText(by.userId), SK: "PROFILE" },
  };
}

/** the groups of a user, from the table */
export function groupsOfUser(by: { userId: string }): QueryRequest {
  return {
    TableName: TABLE,
    KeyConditionExpression: "#k0 = :k0 AND begins_with(#k1, :k1)",
    ExpressionAttributeNames: { "#k0": "PK", "#k1": "SK" },
    ExpressionAttributeValues: { ":k0": "USER#" + keyText(by.userId), ":k1": "GROUP#" },
  };
}

/** the users of a group, from the inverted index */
export function usersOfGroup(by: { groupId: string }): QueryRequest {
  return {
    TableName: TABLE,
    IndexName: "GSI1",
    KeyConditionExpression: "#k0 = :k0 AND begins_with(#k1, :k1)",
    ExpressionAttributeNames: { "#k0": "GSI1PK", "#k1": "GSI1SK" },
    ExpressionAttributeValues: { ":k0": "GROUP#" + keyText(by.groupId), ":k1": "USER#" },
    Limit: 100,
  };
}

/** a group by id */
export function group(by: { groupId: string }): GetRequest {
  return {
    TableName: TABLE,
    Key: { PK: "GROUP#" + keyText(by.groupId), SK: "METADATA" },
  };
}

/** the teams of a user */
export function teamsOfUser(by: { userId: string }): QueryRequest {
  return {
    TableName: TABLE,
    KeyConditionExpression: "#k0 = :k0 AND begins_with(#k1, :k1)",
    ExpressionAttributeNames: { "#k0": "PK", "#k1": "SK" },
    ExpressionAttributeValues: { ":k0": "USER#" + keyText(by.userId), ":k1": "TEAM#" },
  };
}

/** a team with its users */
export function teamWithUsers(by: { teamId: string }): QueryRequest {
  return {
    TableName: TABLE,
    KeyConditionExpression: "#k0 = :k0",
    ExpressionAttributeNames: { "#k0": "PK" },
    ExpressionAttributeValues: { ":k0": "TEAM#" + keyText(by.teamId) },
  };
}

/** everything below a family of the category tree */
export function subtree(by: { catalogue: string; department: string; family: string }): QueryRequest {
  return {
    TableName: TABLE,
    KeyConditionExpression: "#k0 = :k0 AND begins_with(#k1, :k1)",
    ExpressionAttributeNames: { "#k0": "PK", "#k1": "SK" },
    ExpressionAttributeValues: { ":k0": "CATALOGUE#" + keyText(by.catalogue), ":k1": "CATEGORY#" + keyText(by.department) + "#" + keyText(by.family) + "#" },
    Limit: 100,
  };
}

/** the employees of a department */
export function employeesOfDepartment(by: { department: string }): QueryRequest {
  return {
    TableName: TABLE,
    IndexName: "GSI1",
    KeyConditionExpression: "#k0 = :k0",
    ExpressionAttributeNames: { "#k0": "GSI1PK" },
    ExpressionAttributeValues: { ":k0": "DEPT#" + keyText(by.department) },
  };
}

/** the tickets of a priority, oldest first */
export function ticketsOfPriority(by: { priority: "LOW" | "NORMAL" | "HIGH" }): QueryRequest {
  return {
    TableName: TABLE,
    IndexName: "GSI1",
    KeyConditionExpression: "#k0 = :k0",
    ExpressionAttributeNames: { "#k0": "GSI1PK" },
    ExpressionAttributeValues: { ":k0": "PRIORITY#" + keyText(by.priority) },
    Limit: 50,
  };
}

/** the products of a supplier */
export function productsOfSupplier(by: { supplierId: string }): QueryRequest {
  return {
    TableName: TABLE,
    IndexName: "GSI1",
    KeyConditionExpression: "#k0 = :k0",
    ExpressionAttributeNames: { "#k0": "GSI1PK" },
    ExpressionAttributeValues: { ":k0": "SUPPLIER#" + keyText(by.supplierId) },
    Limit: 100,
  };
}

/** the tickets that somebody has to look at */
export function reviewQueue(): QueryRequest {
  return {
    TableName: TABLE,
    IndexName: "ReviewQueue",
    KeyConditionExpression: "#k0 = :k0",
    ExpressionAttributeNames: { "#k0": "needsReview" },
    ExpressionAttributeValues: { ":k0": "true" },
    Limit: 50,
  };
}

/** the total of a leaderboard, ten reads added up (one request for each of 10 shards) */
export function totalPoints(by: { board: "global" }): GetRequest[] {
  return Array.from({ length: 10 }, (_, shard) => ({
    TableName: TABLE,
    Key: { PK: "LEADERBOARD#" + keyText(by.board) + "#" + String(shard), SK: "COUNT" },
  }));
}

/** the session of a token */
export function session(by: { token: string }): GetRequest {
  return {
    TableName: TABLE,
    Key: { PK: "SESSION#" + keyText(by.token), SK: "METADATA" },
  };
}
