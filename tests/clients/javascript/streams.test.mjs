// Streams, read with the SDK's stream client as a consumer would.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { BatchWriteItemCommand, DescribeTableCommand, UpdateTableCommand } from "@aws-sdk/client-dynamodb";
import {
  DescribeStreamCommand,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListStreamsCommand,
  ResourceNotFoundException,
} from "@aws-sdk/client-dynamodb-streams";
import {
  DeleteCommand,
  ExecuteStatementCommand,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import { dropTable, failure, makeClient, makeDocument, makeStreams, makeTable, unique } from "./support.mjs";

const client = makeClient();
const document = makeDocument();
const streams = makeStreams();

const streamOf = async (TableName) =>
  (await client.send(new DescribeTableCommand({ TableName }))).Table.LatestStreamArn;

async function shardsOf(StreamArn) {
  const shards = [];
  let ExclusiveStartShardId;
  do {
    const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn, ExclusiveStartShardId }));
    shards.push(...StreamDescription.Shards);
    ExclusiveStartShardId = StreamDescription.LastEvaluatedShardId;
  } while (ExclusiveStartShardId);
  return shards;
}

// All records of a stream, each with its `shard`: every shard from its beginning until it has nothing more. An open
// shard never ends, so the reading ends when all shards together have given what was written (`count`) and one more
// page is empty.
async function readStream(StreamArn, count) {
  const records = [];
  const iterators = new Map();
  for (const { ShardId } of await shardsOf(StreamArn)) {
    const begin = { StreamArn, ShardId, ShardIteratorType: "TRIM_HORIZON" };
    iterators.set(ShardId, (await streams.send(new GetShardIteratorCommand(begin))).ShardIterator);
  }
  const end = Date.now() + 20_000;
  for (let quiet = false; !quiet || (records.length < count && Date.now() < end); ) {
    quiet = true;
    for (const [shard, ShardIterator] of iterators) {
      if (!ShardIterator) continue;
      const page = await streams.send(new GetRecordsCommand({ ShardIterator }));
      iterators.set(shard, page.NextShardIterator);
      records.push(...page.Records.map((record) => ({ ...record, shard })));
      quiet &&= page.Records.length === 0;
    }
  }
  return records;
}

const image = (value) => value && unmarshall(value);

for (const StreamViewType of ["KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES"]) {
  describe(`a stream of ${StreamViewType}`, () => {
    let table;
    before(async () => {
      table = await makeTable({ StreamSpecification: { StreamEnabled: true, StreamViewType } });
    });
    after(() => dropTable(table));

    test("shows inserts, changes and removals of one item in their order", async () => {
      const Key = { pk: unique(), sk: 1 };
      await document.send(new PutCommand({ TableName: table, Item: { ...Key, v: 1 } }));
      const set = { UpdateExpression: "SET v = :v", ExpressionAttributeValues: { ":v": 2 } };
      await document.send(new UpdateCommand({ TableName: table, Key, ...set }));
      await document.send(new UpdateCommand({ TableName: table, Key, ...set })); // changes nothing: no record
      await document.send(new DeleteCommand({ TableName: table, Key }));
      await document.send(new DeleteCommand({ TableName: table, Key })); // neither does this

      const records = await readStream(await streamOf(table), 3);
      const shown = (from, to) => ({
        old: /OLD/.test(StreamViewType) ? from : undefined,
        new: /NEW/.test(StreamViewType) ? to : undefined,
      });
      const one = { ...Key, v: 1 };
      const two = { ...Key, v: 2 };
      assert.deepEqual(
        records.map(({ eventName, dynamodb }) => ({
          eventName,
          old: image(dynamodb.OldImage),
          new: image(dynamodb.NewImage),
        })),
        [
          { eventName: "INSERT", ...shown(undefined, one) },
          { eventName: "MODIFY", ...shown(one, two) },
          { eventName: "REMOVE", ...shown(two, undefined) },
        ],
      );
      const numbers = records.map(({ dynamodb }) => BigInt(dynamodb.SequenceNumber));
      assert.ok(numbers[0] < numbers[1] && numbers[1] < numbers[2]);
      for (const { eventSource, eventVersion, awsRegion, eventID, userIdentity, dynamodb } of records) {
        assert.deepEqual([eventSource, awsRegion, userIdentity], ["aws:dynamodb", "us-east-1", undefined]);
        assert.ok(eventVersion && eventID);
        assert.deepEqual(unmarshall(dynamodb.Keys), Key);
        assert.equal(dynamodb.StreamViewType, StreamViewType);
        assert.ok(dynamodb.SizeBytes > 0);
        assert.ok(Math.abs(Date.now() - dynamodb.ApproximateCreationDateTime.getTime()) < 600_000);
      }
      assert.equal(new Set(records.map(({ eventID }) => eventID)).size, 3);
    });
  });
}

describe("streams", () => {
  const StreamSpecification = { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" };
  let table;
  before(async () => {
    table = await makeTable({ StreamSpecification });
  });
  after(() => dropTable(table));

  test("are listed and described", async () => {
    const arn = await streamOf(table);
    const { Streams } = await streams.send(new ListStreamsCommand({ TableName: table }));
    assert.deepEqual(Streams.map(({ StreamArn, TableName }) => [StreamArn, TableName]), [[arn, table]]);
    const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn: arn }));
    assert.equal(StreamDescription.StreamStatus, "ENABLED");
    assert.equal(StreamDescription.StreamViewType, "NEW_AND_OLD_IMAGES");
    assert.deepEqual(StreamDescription.KeySchema.map(({ AttributeName }) => AttributeName), ["pk", "sk"]);
    assert.ok(StreamDescription.Shards.length > 0);
    assert.ok(arn.endsWith(`/stream/${Streams[0].StreamLabel}`));
  });

  test("have a record for each item of transactions, batches and statements", async () => {
    const own = await makeTable({ StreamSpecification });
    const pk = unique();
    const item = (sk) => ({ pk, sk });
    const set = { UpdateExpression: "SET a = :a", ExpressionAttributeValues: { ":a": 1 } };
    await document.send(
      new TransactWriteCommand({
        TransactItems: [
          { Put: { TableName: own, Item: item(0) } },
          { Update: { TableName: own, Key: item(1), ...set } },
        ],
      }),
    );
    const requests = [2, 3].map((sk) => ({ PutRequest: { Item: { pk: { S: pk }, sk: { N: `${sk}` } } } }));
    await client.send(new BatchWriteItemCommand({ RequestItems: { [own]: requests } }));
    await document.send(
      new ExecuteStatementCommand({ Statement: `INSERT INTO "${own}" VALUE {'pk': ?, 'sk': ?}`, Parameters: [pk, 4] }),
    );
    const records = await readStream(await streamOf(own), 5);
    const inserted = records.map(({ eventName, dynamodb }) => [eventName, unmarshall(dynamodb.Keys).sk]);
    assert.deepEqual(inserted.sort(([, a], [, b]) => a - b), [0, 1, 2, 3, 4].map((sk) => ["INSERT", sk]));
    await dropTable(own);
  });

  test("are read on from a sequence number, and from now", async () => {
    const own = await makeTable({ StreamSpecification });
    const StreamArn = await streamOf(own);
    const Key = { pk: unique(), sk: 0 };
    const touch = (v) => document.send(new PutCommand({ TableName: own, Item: { ...Key, v } }));
    for (const v of [1, 2, 3]) await touch(v);
    const records = await readStream(StreamArn, 3);
    const { SequenceNumber } = records[1].dynamodb;
    const ShardId = records[1].shard;
    const valuesFrom = async (ShardIteratorType, extra) => {
      const begin = { StreamArn, ShardId, ShardIteratorType, ...extra };
      const { ShardIterator } = await streams.send(new GetShardIteratorCommand(begin));
      const { Records } = await streams.send(new GetRecordsCommand({ ShardIterator }));
      return Records.map(({ dynamodb }) => image(dynamodb.NewImage).v);
    };
    assert.deepEqual(await valuesFrom("AT_SEQUENCE_NUMBER", { SequenceNumber }), [2, 3]);
    assert.deepEqual(await valuesFrom("AFTER_SEQUENCE_NUMBER", { SequenceNumber }), [3]);
    assert.deepEqual(await valuesFrom("LATEST"), []);
    await dropTable(own);
  });

  test("end when they are switched off, and a new one begins", async () => {
    const own = await makeTable({ StreamSpecification });
    const first = await streamOf(own);
    await document.send(new PutCommand({ TableName: own, Item: { pk: "a", sk: 1 } }));
    const off = { StreamEnabled: false };
    await client.send(new UpdateTableCommand({ TableName: own, StreamSpecification: off }));
    await document.send(new PutCommand({ TableName: own, Item: { pk: "a", sk: 2 } }));
    await client.send(new UpdateTableCommand({ TableName: own, StreamSpecification }));
    await document.send(new PutCommand({ TableName: own, Item: { pk: "a", sk: 3 } }));
    const second = await streamOf(own);
    assert.notEqual(first, second);
    const sorts = async (arn) => (await readStream(arn, 1)).map(({ dynamodb }) => unmarshall(dynamodb.Keys).sk);
    assert.deepEqual(await sorts(first), [1]);
    assert.deepEqual(await sorts(second), [3]);
    const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn: first }));
    assert.equal(StreamDescription.StreamStatus, "DISABLED");
    await dropTable(own);
  });

  test("that do not exist are ResourceNotFoundException", async () => {
    const StreamArn = (await streamOf(table)).replace(/stream\/.*/, "stream/2020-01-01T00:00:00.000");
    const error = await failure(streams.send(new DescribeStreamCommand({ StreamArn })));
    assert.ok(error instanceof ResourceNotFoundException, `${error}`);
  });
});
