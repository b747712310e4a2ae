// The document client: JavaScript values to attribute values and back, with its options.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { GetItemCommand } from "@aws-sdk/client-dynamodb";
import { GetCommand, NumberValue, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { dropTable, makeClient, makeDocument, makeTable, unique } from "./support.mjs";

describe("document client", () => {
  let table;
  before(async () => {
    table = await makeTable();
  });
  after(() => dropTable(table));

  async function roundTrip(document, attributes) {
    const Key = { pk: unique(), sk: 1 };
    await document.send(new PutCommand({ TableName: table, Item: { ...Key, ...attributes } }));
    const { Item } = await document.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
    const { pk, sk, ...rest } = Item;
    assert.deepEqual({ pk, sk }, Key);
    return rest;
  }

  async function stored(document, attributes) {
    const Key = { pk: unique(), sk: 1 };
    await document.send(new PutCommand({ TableName: table, Item: { ...Key, ...attributes } }));
    const raw = { pk: { S: Key.pk }, sk: { N: "1" } };
    const { Item } = await makeClient().send(
      new GetItemCommand({ TableName: table, Key: raw, ConsistentRead: true }),
    );
    delete Item.pk;
    delete Item.sk;
    return Item;
  }

  test("plain values round trip", async () => {
    const attributes = {
      text: "naïve 漢字 🚲",
      empty: "",
      integer: 42,
      fraction: -0.25,
      yes: true,
      no: false,
      nothing: null,
      list: [1, "two", [3, { four: 4 }], []],
      map: { nested: { deeper: { deepest: [null, true] } }, none: {} },
    };
    assert.deepEqual(await roundTrip(makeDocument(), attributes), attributes);
  });

  test("binary values round trip byte by byte", async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    const found = await roundTrip(makeDocument(), { bytes });
    assert.deepEqual([...found.bytes], [...bytes]);
  });

  test("sets round trip as sets", async () => {
    const attributes = { strings: new Set(["a", "b"]), numbers: new Set([1, 2.5, -3]) };
    const found = await roundTrip(makeDocument(), attributes);
    assert.ok(found.strings instanceof Set);
    assert.deepEqual([...found.strings].sort(), ["a", "b"]);
    assert.deepEqual([...found.numbers].sort((a, b) => a - b), [-3, 1, 2.5]);
  });

  test("a set of binary values round trips", async () => {
    const set = new Set([Uint8Array.of(0, 255), Uint8Array.of(1)]);
    const found = await roundTrip(makeDocument(), { set });
    assert.deepEqual([...found.set].map((value) => [...value]).sort(), [[0, 255], [1]]);
  });

  test("bigints keep every digit", async () => {
    const large = 12345678901234567890123456789012345678n;
    const found = await roundTrip(makeDocument(), { large });
    assert.equal(found.large, large);
  });

  test("wrapped numbers keep 38 digits", async () => {
    const document = makeDocument({ unmarshallOptions: { wrapNumbers: true } });
    const text = "1234567890123456789.0123456789012345678";
    const Key = { pk: unique(), sk: 1 };
    await document.send(new PutCommand({ TableName: table, Item: { ...Key, n: NumberValue.from(text) } }));
    const { Item } = await document.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
    assert.equal(String(Item.n.value ?? Item.n), text);
  });

  test("removeUndefinedValues leaves them out", async () => {
    const document = makeDocument({ marshallOptions: { removeUndefinedValues: true } });
    const found = await roundTrip(document, { a: 1, gone: undefined, m: { b: 2, gone: undefined } });
    assert.deepEqual(found, { a: 1, m: { b: 2 } });
  });

  test("convertEmptyValues stores null for empty values", async () => {
    const document = makeDocument({ marshallOptions: { convertEmptyValues: true } });
    const raw = await stored(document, { text: "", bytes: new Uint8Array(0), set: new Set() });
    assert.deepEqual(raw, { text: { NULL: true }, bytes: { NULL: true }, set: { NULL: true } });
  });

  test("convertClassInstanceToMap stores an object's fields", async () => {
    class Point {
      constructor() {
        this.x = 1;
        this.y = 2;
      }
    }
    const document = makeDocument({ marshallOptions: { convertClassInstanceToMap: true } });
    assert.deepEqual(await stored(document, { at: new Point() }), {
      at: { M: { x: { N: "1" }, y: { N: "2" } } },
    });
  });

  test("updates take and return native values", async () => {
    const document = makeDocument();
    const Key = { pk: unique(), sk: 7 };
    await document.send(new PutCommand({ TableName: table, Item: { ...Key, tags: new Set(["a"]), l: [1] } }));
    const { Attributes } = await document.send(
      new UpdateCommand({
        TableName: table,
        Key,
        UpdateExpression: "SET #n = if_not_exists(#n, :zero) + :two, l = list_append(l, :more) ADD tags :tag",
        ExpressionAttributeNames: { "#n": "count" },
        ExpressionAttributeValues: { ":zero": 0, ":two": 2, ":more": [{ x: 1 }], ":tag": new Set(["b"]) },
        ReturnValues: "ALL_NEW",
      }),
    );
    assert.equal(Attributes.count, 2);
    assert.deepEqual(Attributes.l, [1, { x: 1 }]);
    assert.deepEqual([...Attributes.tags].sort(), ["a", "b"]);
  });

  test("an absent item is undefined", async () => {
    const answer = await makeDocument().send(
      new GetCommand({ TableName: table, Key: { pk: unique(), sk: 1 }, ConsistentRead: true }),
    );
    assert.equal(answer.Item, undefined);
    assert.equal(answer.$metadata.httpStatusCode, 200);
    assert.ok(answer.$metadata.requestId);
  });
});
