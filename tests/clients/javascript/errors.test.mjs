// Errors are instances of the SDK's classes, with the fields that the service gives.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  ConditionalCheckFailedException,
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBServiceException,
  ResourceInUseException,
  ResourceNotFoundException,
  waitUntilTableExists,
  waitUntilTableNotExists,
} from "@aws-sdk/client-dynamodb";
import { DeleteCommand, GetCommand, PutCommand, QueryCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { dropTable, failure, makeClient, makeDocument, makeTable, tableDefinition, unique } from "./support.mjs";

describe("errors", () => {
  const client = makeClient();
  const document = makeDocument();
  let table;
  before(async () => {
    table = await makeTable();
  });
  after(() => dropTable(table));

  const conditional = {
    put: (Key) => new PutCommand({ TableName: table, Item: Key, ...onlyIfAbsent }),
    update: (Key) => new UpdateCommand({ TableName: table, Key, UpdateExpression: "REMOVE v", ...onlyIfAbsent }),
    delete: (Key) => new DeleteCommand({ TableName: table, Key, ...onlyIfAbsent }),
  };
  const onlyIfAbsent = {
    ConditionExpression: "attribute_not_exists(pk)",
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  };

  for (const [name, command] of Object.entries(conditional)) {
    test(`a failed condition of ${name} carries the item`, async () => {
      const Key = { pk: unique(), sk: 1 };
      await document.send(new PutCommand({ TableName: table, Item: { ...Key, v: [1, "x"] } }));
      const error = await failure(document.send(command(Key)));
      assert.ok(error instanceof ConditionalCheckFailedException);
      assert.equal(error.name, "ConditionalCheckFailedException");
      assert.equal(error.message, "The conditional request failed");
      assert.equal(error.$fault, "client");
      assert.equal(error.$metadata.httpStatusCode, 400);
      assert.deepEqual(error.Item, {
        pk: { S: Key.pk },
        sk: { N: "1" },
        v: { L: [{ N: "1" }, { S: "x" }] },
      });
    });
  }

  test("a failed condition carries no item unless asked", async () => {
    const Item = { pk: unique(), sk: 1 };
    const put = { TableName: table, Item, ConditionExpression: "attribute_not_exists(pk)" };
    await document.send(new PutCommand(put));
    const error = await failure(document.send(new PutCommand(put)));
    assert.ok(error instanceof ConditionalCheckFailedException);
    assert.equal(error.Item, undefined);
  });

  test("a missing table is ResourceNotFoundException", async () => {
    const error = await failure(
      document.send(new GetCommand({ TableName: unique("absent"), Key: { pk: "a", sk: 1 } })),
    );
    assert.ok(error instanceof ResourceNotFoundException);
    assert.equal(error.message, "Requested resource not found");
  });

  test("an existing table is ResourceInUseException", async () => {
    const error = await failure(client.send(new CreateTableCommand(tableDefinition(table))));
    assert.ok(error instanceof ResourceInUseException);
    assert.equal(error.message, `Table already exists: ${table}`);
  });

  test("a wrong request is a ValidationException that is not retried", async () => {
    const patient = makeDocument({}, { maxAttempts: 3 });
    const error = await failure(
      patient.send(
        new QueryCommand({
          TableName: table,
          KeyConditionExpression: "sk = :n",
          ExpressionAttributeValues: { ":n": 1 },
        }),
      ),
    );
    assert.ok(error instanceof DynamoDBServiceException);
    assert.equal(error.name, "ValidationException");
    assert.equal(error.message, "Query condition missed key schema element: pk");
    assert.equal(error.$metadata.attempts, 1);
  });

  test("the table waiters follow a table to its end", async () => {
    const TableName = unique();
    await client.send(new CreateTableCommand(tableDefinition(TableName)));
    const wait = { client, maxWaitTime: 60, minDelay: 1, maxDelay: 2 };
    const made = await waitUntilTableExists(wait, { TableName });
    assert.equal(made.state, "SUCCESS");
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    assert.equal(Table.TableStatus, "ACTIVE");
    assert.ok(Table.CreationDateTime instanceof Date);
    assert.ok(Math.abs(Date.now() - Table.CreationDateTime.getTime()) < 600_000);
    await client.send(new DeleteTableCommand({ TableName }));
    const gone = await waitUntilTableNotExists(wait, { TableName });
    assert.equal(gone.state, "SUCCESS");
    const error = await failure(client.send(new DescribeTableCommand({ TableName })));
    assert.ok(error instanceof ResourceNotFoundException);
  });
});
