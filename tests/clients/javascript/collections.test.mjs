// Many items at once: paginators, indexes, batches.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  BatchGetCommand,
  BatchWriteCommand,
  paginateQuery,
  paginateScan,
  QueryCommand,
  ScanCommand,
} from "@aws-sdk/lib-dynamodb";
import { dropTable, eventually, makeDocument, makeTable, unique } from "./support.mjs";

const ITEMS = 120;

describe("collections", () => {
  const document = makeDocument();
  let table;

  // Batches of 25, and again with whatever the server left unprocessed.
  async function writeAll(requests) {
    for (let first = 0; first < requests.length; first += 25) {
      let RequestItems = { [table]: requests.slice(first, first + 25) };
      while (RequestItems && Object.keys(RequestItems).length > 0) {
        const answer = await document.send(new BatchWriteCommand({ RequestItems }));
        RequestItems = answer.UnprocessedItems;
      }
    }
  }

  const puts = (items) => items.map((Item) => ({ PutRequest: { Item } }));

  before(async () => {
    table = await makeTable({
      AttributeDefinitions: [{ AttributeName: "color", AttributeType: "S" }],
      GlobalSecondaryIndexes: [
        {
          IndexName: "by-color",
          KeySchema: [
            { AttributeName: "color", KeyType: "HASH" },
            { AttributeName: "sk", KeyType: "RANGE" },
          ],
          Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["label"] },
        },
      ],
    });
    const items = Array.from({ length: ITEMS }, (_, sk) => ({
      pk: "all",
      sk,
      label: `item ${sk}`,
      rest: "not projected",
      ...(sk % 10 === 0 && { color: "red" }),
    }));
    await writeAll(puts(items));
  });
  after(() => dropTable(table));

  const byPartition = (extra = {}) => ({
    TableName: table,
    KeyConditionExpression: "pk = :p",
    ExpressionAttributeValues: { ":p": "all" },
    ConsistentRead: true,
    ...extra,
  });

  async function collect(pages) {
    const numbers = [];
    let count = 0;
    for await (const page of pages) {
      count += 1;
      numbers.push(...page.Items.map((item) => item.sk));
    }
    return { numbers, count };
  }

  const all = Array.from({ length: ITEMS }, (_, index) => index);

  test("paginateQuery gives everything in order", async () => {
    const { numbers, count } = await collect(paginateQuery({ client: document, pageSize: 50 }, byPartition()));
    assert.deepEqual(numbers, all);
    assert.equal(count, 3);
  });

  test("paginateQuery walks backwards", async () => {
    const pages = paginateQuery({ client: document, pageSize: 7 }, byPartition({ ScanIndexForward: false }));
    assert.deepEqual((await collect(pages)).numbers, [...all].reverse());
  });

  test("paginateQuery starts at a token", async () => {
    const first = await document.send(new QueryCommand(byPartition({ Limit: 100 })));
    assert.deepEqual(first.LastEvaluatedKey, { pk: "all", sk: 99 });
    const rest = paginateQuery({ client: document, startingToken: first.LastEvaluatedKey }, byPartition());
    assert.deepEqual((await collect(rest)).numbers, all.slice(100));
  });

  test("paginateScan gives everything once", async () => {
    const pages = paginateScan({ client: document, pageSize: 11 }, { TableName: table, ConsistentRead: true });
    const { numbers } = await collect(pages);
    assert.deepEqual(numbers.sort((a, b) => a - b), all);
  });

  test("a filter thins the pages and not the reading", async () => {
    const answer = await document.send(
      new ScanCommand({
        TableName: table,
        FilterExpression: "sk BETWEEN :a AND :b AND contains(label, :nine)",
        ExpressionAttributeValues: { ":a": 10, ":b": 59, ":nine": "9" },
        ConsistentRead: true,
      }),
    );
    assert.deepEqual(answer.Items.map((item) => item.sk).sort(), [19, 29, 39, 49, 59]);
    assert.equal(answer.ScannedCount, ITEMS);
  });

  test("a sparse index gives the projected attributes", async () => {
    await eventually(async () => {
      const { Items } = await document.send(
        new QueryCommand({
          TableName: table,
          IndexName: "by-color",
          KeyConditionExpression: "color = :c AND sk < :n",
          ExpressionAttributeValues: { ":c": "red", ":n": 30 },
        }),
      );
      assert.deepEqual(
        Items,
        [0, 10, 20].map((sk) => ({ pk: "all", sk, color: "red", label: `item ${sk}` })),
      );
    });
  });

  test("a batch reads what exists and projects it", async () => {
    const Keys = [5, 6, 7, 5000].map((sk) => ({ pk: "all", sk }));
    const answer = await document.send(
      new BatchGetCommand({
        RequestItems: { [table]: { Keys, ProjectionExpression: "sk, label", ConsistentRead: true } },
      }),
    );
    const found = answer.Responses[table].sort((a, b) => a.sk - b.sk);
    assert.deepEqual(found, [5, 6, 7].map((sk) => ({ sk, label: `item ${sk}` })));
    assert.deepEqual(answer.UnprocessedKeys, {});
  });

  test("a batch of more than 16 MiB is read in rounds", async () => {
    const pk = unique();
    const body = "b".repeat(395_000);
    const items = Array.from({ length: 45 }, (_, sk) => ({ pk, sk, body }));
    await writeAll(puts(items));
    let RequestItems = { [table]: { Keys: items.map(({ sk }) => ({ pk, sk })), ConsistentRead: true } };
    const found = [];
    let rounds = 0;
    while (RequestItems && Object.keys(RequestItems).length > 0) {
      const answer = await document.send(new BatchGetCommand({ RequestItems }));
      assert.ok(answer.Responses[table].length > 0, "a round without progress would never end");
      found.push(...answer.Responses[table].map((item) => item.sk));
      RequestItems = answer.UnprocessedKeys;
      rounds += 1;
    }
    assert.ok(rounds >= 2);
    assert.deepEqual(found.sort((a, b) => a - b), items.map(({ sk }) => sk));
  });

  test("a batch deletes", async () => {
    const pk = unique();
    await writeAll(puts([0, 1, 2, 3].map((sk) => ({ pk, sk }))));
    await writeAll([1, 3].map((sk) => ({ DeleteRequest: { Key: { pk, sk } } })));
    const { Items } = await document.send(
      new QueryCommand(byPartition({ ExpressionAttributeValues: { ":p": pk } })),
    );
    assert.deepEqual(Items.map((item) => item.sk), [0, 2]);
  });
});
