// dynamodb-toolbox: entities with commands for every operation, transactions over several of them.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { CreateTableCommand } from "@aws-sdk/client-dynamodb";
import {
  $add,
  $append,
  $delete,
  $get,
  BatchGetCommand,
  BatchGetRequest,
  BatchPutRequest,
  BatchDeleteRequest,
  BatchWriteCommand,
  ConditionCheck,
  DeleteItemCommand,
  DeleteTransaction,
  Entity,
  GetItemCommand,
  GetTransaction,
  PutItemCommand,
  PutTransaction,
  QueryCommand,
  ScanCommand,
  Table,
  UpdateAttributesCommand,
  UpdateItemCommand,
  UpdateTransaction,
  executeBatchGet,
  executeBatchWrite,
  executeTransactGet,
  executeTransactWrite,
  binary,
  boolean,
  item,
  list,
  map,
  number,
  set,
  string,
} from "dynamodb-toolbox";
import { dropTable, eventually, failure, makeDocument, unique } from "../support.mjs";

const name = unique("toolbox");
const documentClient = makeDocument();

const table = new Table({
  name,
  documentClient,
  partitionKey: { name: "pk", type: "string" },
  sortKey: { name: "sk", type: "string" },
  indexes: {
    byKind: {
      type: "global",
      partitionKey: { name: "kind", type: "string" },
      sortKey: { name: "price", type: "number" },
    },
  },
});

const Product = new Entity({
  name: "Product",
  table,
  schema: item({
    shop: string().key().savedAs("pk"),
    code: string().key().savedAs("sk"),
    kind: string().optional(),
    price: number().optional(),
    sizes: set(number()).optional(),
    notes: list(string()).optional(),
    parts: map({ screw: number().optional(), name: string().optional() }).optional(),
    image: binary().optional(),
    sold: boolean().default(false),
  }),
});

describe("dynamodb-toolbox", () => {
  before(() =>
    documentClient.send(
      new CreateTableCommand({
        TableName: name,
        KeySchema: [
          { AttributeName: "pk", KeyType: "HASH" },
          { AttributeName: "sk", KeyType: "RANGE" },
        ],
        AttributeDefinitions: [
          { AttributeName: "pk", AttributeType: "S" },
          { AttributeName: "sk", AttributeType: "S" },
          { AttributeName: "kind", AttributeType: "S" },
          { AttributeName: "price", AttributeType: "N" },
        ],
        GlobalSecondaryIndexes: [
          {
            IndexName: "byKind",
            KeySchema: [
              { AttributeName: "kind", KeyType: "HASH" },
              { AttributeName: "price", KeyType: "RANGE" },
            ],
            Projection: { ProjectionType: "ALL" },
          },
        ],
        BillingMode: "PAY_PER_REQUEST",
      }),
    ),
  );
  after(() => dropTable(name));

  const put = (one, options = {}) => Product.build(PutItemCommand).item(one).options(options).send();
  const get = async (shop, code) => (await Product.build(GetItemCommand).key({ shop, code }).send()).Item;
  const codes = (found) => found.map(({ code }) => code);

  test("puts under a condition and gives back every type", async () => {
    const made = {
      shop: "types",
      code: "1",
      kind: "nut",
      price: 1.25,
      sizes: new Set([3, 1]),
      notes: ["a", "b"],
      parts: { screw: 4, name: "s" },
      image: new Uint8Array([0, 255]),
    };
    await put(made);
    const { created, modified, ...read } = await get("types", "1");
    assert.ok(created && modified);
    assert.deepEqual(read, { ...made, sizes: new Set([1, 3]), sold: false });
    const options = {
      condition: { attr: "code", exists: false },
      returnValuesOnConditionFalse: "ALL_OLD",
    };
    const error = await failure(put({ shop: "types", code: "1" }, options));
    assert.equal(error.name, "ConditionalCheckFailedException");
    assert.deepEqual(error.Item.price, { N: "1.25" });
    assert.equal((await get("types", "1")).price, 1.25);
  });

  test("updates by its own operators", async () => {
    await put({ shop: "updated", code: "1", price: 5, sizes: new Set([1, 2]), notes: ["a"], parts: { screw: 1 } });
    const { Attributes } = await Product.build(UpdateItemCommand)
      .item({
        shop: "updated",
        code: "1",
        price: $add(2),
        sizes: $delete(new Set([1])),
        notes: $append(["b"]),
        parts: { name: $get("kind", "none"), screw: $add(9) },
      })
      .options({ returnValues: "ALL_NEW" })
      .send();
    assert.equal(Attributes.price, 7);
    assert.deepEqual(Attributes.sizes, new Set([2]));
    assert.deepEqual(Attributes.notes, ["a", "b"]);
    assert.deepEqual(Attributes.parts, { name: "none", screw: 10 });
    await Product.build(UpdateAttributesCommand)
      .item({ shop: "updated", code: "1", parts: { name: "whole" } })
      .send();
    assert.deepEqual((await get("updated", "1")).parts, { name: "whole" });
    const refused = Product.build(DeleteItemCommand)
      .key({ shop: "updated", code: "1" })
      .options({
        condition: {
          or: [{ attr: "price", gt: 100 }, { not: { attr: "sold", eq: false } }, { attr: "notes", contains: "z" }],
        },
      });
    assert.equal((await failure(refused.send())).name, "ConditionalCheckFailedException");
  });

  test("queries and scans with filters, projections and pages", async () => {
    const batch = Array.from({ length: 20 }, (_, count) => count);
    const requests = batch.map((count) =>
      Product.build(BatchPutRequest).item({
        shop: "paged",
        code: String(count).padStart(2, "0"),
        kind: "bolt",
        price: count,
      }),
    );
    const { UnprocessedItems } = await executeBatchWrite(table.build(BatchWriteCommand).requests(...requests));
    assert.deepEqual(UnprocessedItems, {});
    const pages = [];
    let exclusiveStartKey;
    do {
      const { Items, LastEvaluatedKey } = await table
        .build(QueryCommand)
        .query({ partition: "paged" })
        .entities(Product)
        .options({ limit: 8, exclusiveStartKey })
        .send();
      pages.push(codes(Items));
      exclusiveStartKey = LastEvaluatedKey;
    } while (exclusiveStartKey);
    assert.deepEqual(pages.map(({ length }) => length), [8, 8, 4]);
    await eventually(async () => {
      const { Items } = await table
        .build(QueryCommand)
        .query({ index: "byKind", partition: "bolt", range: { between: [3, 5] } })
        .entities(Product)
        .options({ reverse: true })
        .send();
      assert.deepEqual(codes(Items), ["05", "04", "03"]);
    });
    const { Items, ScannedCount } = await table
      .build(QueryCommand)
      .query({ partition: "paged", range: { beginsWith: "1" } })
      .entities(Product)
      .options({ filters: { Product: { attr: "price", gte: 18 } }, attributes: ["code", "price"] })
      .send();
    assert.deepEqual(Items, [{ code: "18", price: 18 }, { code: "19", price: 19 }]);
    assert.equal(ScannedCount, 10);
    const scanned = await table
      .build(ScanCommand)
      .entities(Product)
      .options({ maxPages: Infinity, filters: { Product: { attr: "kind", eq: "bolt" } } })
      .send();
    assert.equal(scanned.Items.length, 20);
    const wanted = ["03", "77"].map((code) => Product.build(BatchGetRequest).key({ shop: "paged", code }));
    const { Responses } = await executeBatchGet(table.build(BatchGetCommand).requests(...wanted));
    assert.deepEqual([Responses[0][0].price, Responses[0][1]], [3, undefined]);
    await executeBatchWrite(
      table.build(BatchWriteCommand).requests(Product.build(BatchDeleteRequest).key({ shop: "paged", code: "03" })),
    );
    assert.equal(await get("paged", "03"), undefined);
  });

  test("does several writes as one", async () => {
    await put({ shop: "tx", code: "old" });
    await put({ shop: "tx", code: "kept", price: 1 });
    await executeTransactWrite(
      { clientRequestToken: unique("token").slice(0, 36) },
      Product.build(PutTransaction).item({ shop: "tx", code: "new" }),
      Product.build(DeleteTransaction).key({ shop: "tx", code: "old" }),
      Product.build(UpdateTransaction).item({ shop: "tx", code: "kept", price: $add(1) }),
      Product.build(ConditionCheck).key({ shop: "tx", code: "none" }).condition({ attr: "code", exists: false }),
    );
    const { Responses } = await executeTransactGet(
      ...["new", "old", "kept"].map((code) => Product.build(GetTransaction).key({ shop: "tx", code })),
    );
    assert.deepEqual(Responses.map(({ Item }) => Item?.code), ["new", undefined, "kept"]);
    assert.equal(Responses[2].Item.price, 2);
    const error = await failure(
      executeTransactWrite(
        Product.build(UpdateTransaction).item({ shop: "tx", code: "kept", price: $add(1) }),
        Product.build(ConditionCheck).key({ shop: "tx", code: "new" }).condition({ attr: "price", exists: true }),
      ),
    );
    assert.deepEqual(error.CancellationReasons.map(({ Code }) => Code), ["None", "ConditionalCheckFailed"]);
    assert.equal((await get("tx", "kept")).price, 2);
  });
});
