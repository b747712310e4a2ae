// Time to live: items that the server takes away by itself.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { DescribeTimeToLiveCommand, UpdateTimeToLiveCommand } from "@aws-sdk/client-dynamodb";
import {
  DescribeStreamCommand,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListStreamsCommand,
} from "@aws-sdk/client-dynamodb-streams";
import { GetCommand, PutCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import { dropTable, eventually, failure, makeClient, makeDocument, makeStreams, makeTable } from "./support.mjs";

// Expiry comes in the background, at the server's own pace.
const EXPIRY_MS = 60_000;
const seconds = (offset) => Math.floor(Date.now() / 1000) + offset;

describe("time to live", () => {
  const client = makeClient();
  const document = makeDocument();
  const streams = makeStreams();
  let table;
  before(async () => {
    table = await makeTable({
      StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" },
      AttributeDefinitions: [{ AttributeName: "color", AttributeType: "S" }],
      GlobalSecondaryIndexes: [
        {
          IndexName: "by-color",
          KeySchema: [{ AttributeName: "color", KeyType: "HASH" }],
          Projection: { ProjectionType: "ALL" },
        },
      ],
    });
    const TimeToLiveSpecification = { Enabled: true, AttributeName: "expires" };
    const answer = await client.send(new UpdateTimeToLiveCommand({ TableName: table, TimeToLiveSpecification }));
    assert.deepEqual(answer.TimeToLiveSpecification, TimeToLiveSpecification);
  });
  after(() => dropTable(table));

  const put = (Item) => document.send(new PutCommand({ TableName: table, Item }));
  const get = async (Key) =>
    (await document.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }))).Item;
  const gone = (Key) => eventually(async () => assert.equal(await get(Key), undefined), EXPIRY_MS);

  test("is described, and not switched on twice", async () => {
    const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName: table }));
    assert.deepEqual(TimeToLiveDescription, { TimeToLiveStatus: "ENABLED", AttributeName: "expires" });
    const TimeToLiveSpecification = { Enabled: true, AttributeName: "expires" };
    const error = await failure(
      client.send(new UpdateTimeToLiveCommand({ TableName: table, TimeToLiveSpecification })),
    );
    assert.equal(error.name, "ValidationException");
    assert.equal(error.message, "TimeToLive is already enabled");
  });

  test("takes what has expired, and nothing else", async () => {
    const kept = [
      { pk: "kept", sk: 1, expires: seconds(3600) },
      { pk: "kept", sk: 2, expires: `${seconds(-60)}` }, // a string is no time
      { pk: "kept", sk: 3 },
      { pk: "kept", sk: 4, expires: seconds(-6 * 365 * 86_400) }, // more than five years ago
    ];
    await Promise.all(kept.map(put));
    await put({ pk: "due", sk: 1, expires: seconds(-10) });
    await put({ pk: "due", sk: 2, expires: seconds(2) });
    await gone({ pk: "due", sk: 1 });
    await gone({ pk: "due", sk: 2 });
    for (const item of kept) assert.deepEqual(await get({ pk: item.pk, sk: item.sk }), item);
  });

  test("looks at the time that the item has when it is due", async () => {
    await put({ pk: "moved", sk: 1, expires: seconds(2) });
    await put({ pk: "moved", sk: 1, expires: seconds(3600) });
    await put({ pk: "moved", sk: 2, expires: seconds(2) });
    await gone({ pk: "moved", sk: 2 });
    assert.ok(await get({ pk: "moved", sk: 1 }));
  });

  test("takes an item out of its indexes", async () => {
    const colored = async () => {
      const query = {
        TableName: table,
        IndexName: "by-color",
        KeyConditionExpression: "color = :c",
        ExpressionAttributeValues: { ":c": "red" },
      };
      return (await document.send(new QueryCommand(query))).Items.map(({ sk }) => sk);
    };
    await put({ pk: "indexed", sk: 1, color: "red", expires: seconds(3) });
    await put({ pk: "indexed", sk: 2, color: "red" });
    await gone({ pk: "indexed", sk: 1 });
    await eventually(async () => assert.deepEqual(await colored(), [2]));
  });

  test("names the service as the author of its deletions", async () => {
    const Key = { pk: "streamed", sk: 1 };
    const item = { ...Key, expires: seconds(-5), rest: "x" };
    await put(item);
    await gone(Key);
    const { Streams } = await streams.send(new ListStreamsCommand({ TableName: table }));
    const { StreamArn } = Streams[0];
    const removed = async () => {
      const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }));
      const found = [];
      for (const { ShardId } of StreamDescription.Shards) {
        const begin = { StreamArn, ShardId, ShardIteratorType: "TRIM_HORIZON" };
        const { ShardIterator } = await streams.send(new GetShardIteratorCommand(begin));
        found.push(...(await streams.send(new GetRecordsCommand({ ShardIterator }))).Records);
      }
      return found.filter(
        ({ eventName, dynamodb }) => eventName === "REMOVE" && unmarshall(dynamodb.Keys).pk === "streamed",
      );
    };
    await eventually(async () => assert.equal((await removed()).length, 1));
    const [record] = await removed();
    assert.deepEqual(record.userIdentity, { PrincipalId: "dynamodb.amazonaws.com", Type: "Service" });
    assert.deepEqual(unmarshall(record.dynamodb.OldImage), item);
    assert.equal(record.dynamodb.NewImage, undefined);
  });
});
