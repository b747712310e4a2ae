// What travels below the operations: connections, compression, many requests at once.
import assert from "node:assert/strict";
import { Agent } from "node:http";
import { after, before, describe, test } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import { Readable } from "node:stream";
import { GetCommand, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { dropTable, makeDocument, makeTable, unique } from "./support.mjs";

describe("transport", () => {
  let table;
  before(async () => {
    table = await makeTable();
  });
  after(() => dropTable(table));

  const put = (document, Item) => document.send(new PutCommand({ TableName: table, Item }));
  const get = async (document, Key) =>
    (await document.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }))).Item;

  test("one connection carries many requests", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    let connections = 0;
    const connect = agent.createConnection;
    agent.createConnection = function (...options) {
      connections += 1;
      return connect.apply(this, options);
    };
    const document = makeDocument({}, { requestHandler: { httpAgent: agent } });
    const pk = unique();
    for (let sk = 0; sk < 30; sk += 1) {
      await put(document, { pk, sk });
      assert.deepEqual(await get(document, { pk, sk }), { pk, sk });
    }
    // An error answer must leave the connection usable, too.
    await assert.rejects(get(document, { pk }), { name: "ValidationException" });
    assert.deepEqual(await get(document, { pk, sk: 0 }), { pk, sk: 0 });
    document.destroy();
    assert.equal(connections, 1);
  });

  test("200 requests at once are all answered, each with its own item", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 200 });
    const document = makeDocument({}, { requestHandler: { httpAgent: agent } });
    const pk = unique();
    const numbers = Array.from({ length: 200 }, (_, sk) => sk);
    await Promise.all(numbers.map((sk) => put(document, { pk, sk, body: `${sk}`.repeat(50) })));
    const items = await Promise.all(numbers.map((sk) => get(document, { pk, sk })));
    assert.deepEqual(items, numbers.map((sk) => ({ pk, sk, body: `${sk}`.repeat(50) })));
    document.destroy();
  });

  test("200 increments at once lose none", async () => {
    const document = makeDocument({}, { requestHandler: { httpAgent: new Agent({ maxSockets: 50 }) } });
    const Key = { pk: unique(), sk: 0 };
    const increment = () =>
      document.send(
        new UpdateCommand({
          TableName: table,
          Key,
          UpdateExpression: "ADD hits :one",
          ExpressionAttributeValues: { ":one": 1 },
          ReturnValues: "UPDATED_NEW",
        }),
      );
    const answers = await Promise.all(Array.from({ length: 200 }, increment));
    const seen = answers.map((answer) => answer.Attributes.hits).sort((a, b) => a - b);
    assert.deepEqual(seen, Array.from({ length: 200 }, (_, index) => index + 1));
    document.destroy();
  });

  test("a compressed request is understood", async () => {
    const document = makeDocument();
    document.middlewareStack.add(
      (next) => (args) => {
        const body = gzipSync(args.request.body);
        args.request.body = body;
        args.request.headers["content-encoding"] = "gzip";
        args.request.headers["content-length"] = String(body.length);
        return next(args);
      },
      { step: "build", name: "gzipRequest", priority: "low" },
    );
    const item = { pk: unique(), sk: 1, body: "squeeze ".repeat(2000) };
    await put(document, item);
    assert.deepEqual(await get(makeDocument(), { pk: item.pk, sk: 1 }), item);
  });

  test("a large answer is compressed for a client that takes gzip", async () => {
    const document = makeDocument();
    const item = { pk: unique(), sk: 1, body: "inflate ".repeat(20_000) };
    await put(document, item);
    const encodings = [];
    document.middlewareStack.add(
      (next) => (args) => {
        args.request.headers["accept-encoding"] = "gzip";
        return next(args);
      },
      { step: "build", name: "acceptGzip" },
    );
    document.middlewareStack.add(
      (next) => async (args) => {
        const result = await next(args);
        const { response } = result;
        encodings.push(response.headers["content-encoding"]);
        if (response.headers["content-encoding"] === "gzip") {
          const chunks = [];
          for await (const chunk of response.body) chunks.push(chunk);
          response.body = Readable.from([gunzipSync(Buffer.concat(chunks))]);
        }
        return result;
      },
      { step: "deserialize", name: "gunzipAnswer", priority: "low" },
    );
    assert.deepEqual(await get(document, { pk: item.pk, sk: 1 }), item);
    assert.deepEqual(encodings, ["gzip"]);
  });

  test("an item near the size limit travels both ways", async () => {
    const document = makeDocument();
    const item = { pk: unique(), sk: 1, body: "ü".repeat(200_000) };
    await put(document, item);
    assert.deepEqual(await get(document, { pk: item.pk, sk: 1 }), item);
  });

  test("a request given up by its client leaves the server well", async () => {
    const document = makeDocument();
    const pk = unique();
    const stop = new AbortController();
    const given = Array.from({ length: 20 }, (_, sk) =>
      document.send(new PutCommand({ TableName: table, Item: { pk, sk, body: "x".repeat(300_000) } }), {
        abortSignal: stop.signal,
      }),
    );
    const results = Promise.allSettled(given);
    stop.abort();
    assert.ok((await results).every(({ status }) => status === "rejected"));
    await put(document, { pk, sk: 100 });
    assert.deepEqual(await get(document, { pk, sk: 100 }), { pk, sk: 100 });
  });
});
