// Powertools for AWS Lambda: a function's answer is kept in a table, so that it runs once for each payload.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { CreateTableCommand, ScanCommand } from "@aws-sdk/client-dynamodb";
import { IdempotencyConfig, makeIdempotent } from "@aws-lambda-powertools/idempotency";
import { DynamoDBPersistenceLayer } from "@aws-lambda-powertools/idempotency/dynamodb";
import { dropTable, failure, makeClient, unique } from "../support.mjs";

describe("powertools idempotency", () => {
  const tableName = unique("powertools");
  const client = makeClient();
  before(() =>
    client.send(
      new CreateTableCommand({
        TableName: tableName,
        KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
        AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
        BillingMode: "PAY_PER_REQUEST",
      }),
    ),
  );
  after(() => dropTable(tableName));

  const wrap = (work, keyPrefix, config = {}) =>
    makeIdempotent(work, {
      persistenceStore: new DynamoDBPersistenceLayer({ tableName, awsSdkV3Client: client }),
      config: new IdempotencyConfig({ ...config, lambdaContext: { getRemainingTimeInMillis: () => 60_000 } }),
      dataIndexArgument: 0,
      keyPrefix,
    });
  const records = async (prefix) =>
    (await client.send(new ScanCommand({ TableName: tableName, ConsistentRead: true }))).Items.filter(({ id }) =>
      id.S.startsWith(prefix),
    );

  test("runs once for each payload and gives the kept answer afterwards", async () => {
    let runs = 0;
    const pay = wrap(async ({ order }) => ({ order, run: ++runs, lines: [1, { a: null }] }), "once");
    const first = await pay({ order: 1 });
    assert.deepEqual(await pay({ order: 1 }), first);
    assert.equal((await pay({ order: 2 })).run, 2);
    assert.equal(runs, 2);
    assert.deepEqual((await records("once")).map(({ status }) => status.S), ["COMPLETED", "COMPLETED"]);
  });

  test("refuses a second run while the first is under way", async () => {
    let finish;
    const slow = wrap(() => new Promise((resolve) => (finish = resolve)), "busy");
    const first = slow({ order: 1 });
    while (!finish) await pause(5);
    const error = await failure(slow({ order: 1 }));
    assert.equal(error.name, "IdempotencyAlreadyInProgressError");
    const [record] = await records("busy");
    assert.equal(record.status.S, "INPROGRESS");
    assert.ok(Number(record.in_progress_expiration.N) > Date.now());
    finish({ done: true });
    assert.deepEqual(await first, { done: true });
    assert.deepEqual(await slow({ order: 1 }), { done: true });
  });

  test("forgets a run that failed, and one that has expired", async () => {
    let runs = 0;
    const flaky = wrap(async () => {
      if (++runs === 1) throw new Error("first time");
      return runs;
    }, "flaky");
    assert.equal((await failure(flaky({ order: 1 }))).message, "first time");
    assert.deepEqual(await records("flaky"), []);
    assert.equal(await flaky({ order: 1 }), 2);
    const expired = wrap(async () => ++runs, "expired", { expiresAfterSeconds: -1 });
    assert.deepEqual([await expired({ order: 1 }), await expired({ order: 1 })], [3, 4]);
  });

  test("tells of the same key with another payload", async () => {
    const config = { eventKeyJmesPath: "order", payloadValidationJmesPath: "amount" };
    const pay = wrap(async ({ amount }) => amount, "checked", config);
    assert.equal(await pay({ order: 1, amount: 5 }), 5);
    const error = await failure(pay({ order: 1, amount: 6 }));
    assert.equal(error.name, "IdempotencyValidationError");
  });
});
