// dynamoose: models that make their own tables, queries and scans by method calls, transactions.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { DynamoDB } from "@aws-sdk/client-dynamodb";
import dynamoose from "dynamoose";
import { configuration, dropTable, eventually, failure, unique } from "../support.mjs";

const name = unique("dynamoose");

const schema = () =>
  new dynamoose.Schema(
    {
      project: { type: String, hashKey: true },
      number: { type: Number, rangeKey: true },
      owner: { type: String, index: { name: "byOwner", type: "global", rangeKey: "number" } },
      rank: { type: Number, index: { name: "byRank", type: "local" } },
      tags: { type: Set, schema: [String] },
      open: { type: Boolean, default: true },
      steps: { type: Array, schema: [String] },
      detail: { type: Object, schema: { color: String, weight: Number } },
      blob: Buffer,
    },
    { timestamps: { createdAt: "made", updatedAt: "changed" } },
  );
const Ticket = dynamoose.model(name, schema());
const options = {
  create: true,
  waitForActive: { enabled: true, check: { timeout: 30_000, frequency: 100 } },
  expires: { ttl: 3600, attribute: "expires" },
  throughput: "ON_DEMAND",
  initialize: false,
};

describe("dynamoose", () => {
  before(async () => {
    dynamoose.aws.ddb.set(new DynamoDB(configuration));
    // It makes the table, waits for it, then switches its expiry on.
    await new dynamoose.Table(name, [Ticket], { ...options, tags: { team: "red" } }).initialize();
  });
  after(() => dropTable(name));

  const numbers = (found) => found.map(({ number }) => number);

  test("makes the table that the schema describes, and finds it as wanted the second time", async () => {
    const { Table: found } = await dynamoose.aws.ddb().describeTable({ TableName: name });
    assert.equal(found.BillingModeSummary.BillingMode, "PAY_PER_REQUEST");
    assert.deepEqual(found.GlobalSecondaryIndexes.map(({ IndexName }) => IndexName), ["byOwner"]);
    assert.deepEqual(found.LocalSecondaryIndexes.map(({ IndexName }) => IndexName), ["byRank"]);
    await eventually(async () => {
      const { TimeToLiveDescription } = await dynamoose.aws.ddb().describeTimeToLive({ TableName: name });
      assert.deepEqual(TimeToLiveDescription, { TimeToLiveStatus: "ENABLED", AttributeName: "expires" });
    });
    const { Tags } = await dynamoose.aws.ddb().listTagsOfResource({ ResourceArn: found.TableArn });
    assert.deepEqual(Tags, [{ Key: "team", Value: "red" }]);
    const update = ["ttl", "indexes", "throughput", "tags"];
    const again = dynamoose.model(name, schema());
    await new dynamoose.Table(name, [again], { ...options, update, tags: { team: "blue" } }).initialize();
    const after = await dynamoose.aws.ddb().listTagsOfResource({ ResourceArn: found.TableArn });
    assert.deepEqual(after.Tags, [{ Key: "team", Value: "blue" }]);
  });

  test("creates once and gives back every type", async () => {
    const item = {
      project: "types",
      number: 1,
      owner: "ann",
      rank: 3.5,
      tags: new Set(["x", "y"]),
      steps: ["a", "b"],
      detail: { color: "red", weight: 0.1 },
      blob: Buffer.from([0, 255, 1]),
    };
    await Ticket.create(item);
    const read = await Ticket.get({ project: "types", number: 1 });
    const { made, changed, expires, ...rest } = read;
    assert.deepEqual({ ...rest, blob: Buffer.from(rest.blob) }, { ...item, open: true });
    assert.ok(made && changed && expires);
    const error = await failure(Ticket.create(item));
    assert.equal(error.name, "ConditionalCheckFailedException");
  });

  test("updates by the older-looking operators, with conditions", async () => {
    const key = { project: "updated", number: 1 };
    await Ticket.create({ ...key, rank: 1, tags: new Set(["a"]), steps: ["one"], owner: "x" });
    const changed = await Ticket.update(key, {
      $ADD: { rank: 4, tags: new Set(["b"]) },
      $SET: { steps: ["one", "two"] },
      $REMOVE: ["owner"],
    });
    assert.equal(changed.rank, 5);
    assert.deepEqual(changed.tags, new Set(["a", "b"]));
    assert.equal(changed.owner, undefined);
    const condition = new dynamoose.Condition().where("rank").gt(100).and().attribute("open").eq(true);
    const error = await failure(Ticket.update(key, { $SET: { open: false } }, { condition }));
    assert.equal(error.name, "ConditionalCheckFailedException");
    const upserted = await Ticket.update({ project: "updated", number: 2 }, { owner: "y" });
    assert.equal(upserted.owner, "y");
  });

  test("writes and reads in batches", async () => {
    const many = Array.from({ length: 25 }, (_, number) => ({
      project: "batch",
      number,
      owner: number % 2 ? "odd" : "even",
      rank: 25 - number,
    }));
    const { unprocessedItems } = await Ticket.batchPut(many);
    assert.deepEqual(unprocessedItems, []);
    const read = await Ticket.batchGet([{ project: "batch", number: 3 }, { project: "batch", number: 99 }]);
    assert.deepEqual(numbers(read), [3]);
    await Ticket.batchDelete([{ project: "batch", number: 24 }]);
    assert.equal(await Ticket.get({ project: "batch", number: 24 }), undefined);
  });

  test("queries tables and indexes in pages", async () => {
    await Ticket.batchPut(
      Array.from({ length: 20 }, (_, number) => ({ project: "paged", number, owner: "pia", rank: 20 - number })),
    );
    const first = await Ticket.query("project").eq("paged").limit(12).exec();
    assert.equal(first.count, 12);
    const second = await Ticket.query("project").eq("paged").startAt(first.lastKey).exec();
    assert.deepEqual(numbers(second), [12, 13, 14, 15, 16, 17, 18, 19]);
    assert.equal(second.lastKey, undefined);
    const byRank = await Ticket.query("project").eq("paged").where("rank").le(3).using("byRank").exec();
    assert.deepEqual(numbers(byRank), [19, 18, 17]);
    await eventually(async () => {
      const owned = await Ticket.query("owner").eq("pia").where("number").between(4, 6).sort("descending").exec();
      assert.deepEqual(numbers(owned), [6, 5, 4]);
    });
    const counted = await Ticket.query("project").eq("paged").filter("rank").gt(10).count().exec();
    assert.equal(counted.count, 10);
    const scanned = await Ticket.scan("owner").beginsWith("pi").and().where("rank").in([1, 2]).all().exec();
    assert.deepEqual(numbers(scanned).sort(), [18, 19]);
    const parallel = await Ticket.scan("project").eq("paged").parallel(4).exec();
    assert.equal(parallel.length, 20);
  });

  test("does several writes as one", async () => {
    await dynamoose.transaction([
      Ticket.transaction.create({ project: "tx", number: 1 }),
      Ticket.transaction.create({ project: "tx", number: 2, rank: 1 }),
    ]);
    const error = await failure(
      dynamoose.transaction([
        Ticket.transaction.update({ project: "tx", number: 2 }, { $ADD: { rank: 1 } }),
        Ticket.transaction.create({ project: "tx", number: 1 }),
      ]),
    );
    assert.equal(error.name, "TransactionCanceledException");
    assert.deepEqual(error.CancellationReasons.map(({ Code }) => Code), ["None", "ConditionalCheckFailed"]);
    const [one, two] = await dynamoose.transaction([
      Ticket.transaction.get({ project: "tx", number: 1 }),
      Ticket.transaction.get({ project: "tx", number: 2 }),
    ]);
    assert.deepEqual([one.number, two.rank], [1, 1]);
  });
});
