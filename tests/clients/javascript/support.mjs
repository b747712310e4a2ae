// What the test files share: clients of STATOR_ENDPOINT and tables that are ready for use.
import { randomUUID } from "node:crypto";
import {
  CreateTableCommand,
  DeleteTableCommand,
  DynamoDBClient,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import { DynamoDBStreamsClient } from "@aws-sdk/client-dynamodb-streams";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";

const endpoint = process.env.STATOR_ENDPOINT;
if (!endpoint) throw new Error("STATOR_ENDPOINT is not set; use tests/clients/run");

// One attempt only: a retry inside the SDK would hide a fault of the server.
export const configuration = {
  endpoint,
  region: "us-east-1",
  credentials: { accessKeyId: "testkey", secretAccessKey: "testsecret" },
  maxAttempts: 1,
};

export const makeClient = (options = {}) => new DynamoDBClient({ ...configuration, ...options });

export const makeStreams = () => new DynamoDBStreamsClient(configuration);

export function makeDocument(translateConfig = {}, options = {}) {
  return DynamoDBDocumentClient.from(makeClient(options), translateConfig);
}

export const unique = (prefix = "js") => `${prefix}-${randomUUID().slice(0, 13)}`;

export function tableDefinition(TableName, extra = {}) {
  return {
    TableName,
    KeySchema: [
      { AttributeName: "pk", KeyType: "HASH" },
      { AttributeName: "sk", KeyType: "RANGE" },
    ],
    AttributeDefinitions: [
      { AttributeName: "pk", AttributeType: "S" },
      { AttributeName: "sk", AttributeType: "N" },
      ...(extra.AttributeDefinitions ?? []),
    ],
    BillingMode: "PAY_PER_REQUEST",
    ...(extra.GlobalSecondaryIndexes && { GlobalSecondaryIndexes: extra.GlobalSecondaryIndexes }),
    ...(extra.StreamSpecification && { StreamSpecification: extra.StreamSpecification }),
  };
}

// The waiter asks before it waits, so a table that is ready costs no delay.
export async function makeTable(extra) {
  const client = makeClient();
  const name = unique();
  await client.send(new CreateTableCommand(tableDefinition(name, extra)));
  await waitUntilTableExists({ client, maxWaitTime: 60, minDelay: 1, maxDelay: 2 }, { TableName: name });
  client.destroy();
  return name;
}

export async function dropTable(name) {
  const client = makeClient();
  await client.send(new DeleteTableCommand({ TableName: name }));
  client.destroy();
}

// The error that a request ends with.
export async function failure(promise) {
  let answer;
  try {
    answer = await promise;
  } catch (error) {
    return error;
  }
  throw new Error(`expected an error, got ${JSON.stringify(answer)}`);
}

// For what comes in its own time: reads of global secondary indexes, expiry.
export async function eventually(check, deadlineMs = 10_000) {
  const end = Date.now() + deadlineMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
