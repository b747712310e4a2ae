// Transactions: what they change, why they are cancelled, tokens, and transactions that collide.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { IdempotentParameterMismatchException, TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { GetCommand, PutCommand, TransactGetCommand, TransactWriteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import { dropTable, failure, makeDocument, makeTable, unique } from "./support.mjs";

describe("transactions", () => {
  const document = makeDocument();
  let table;
  let other;
  before(async () => {
    [table, other] = await Promise.all([makeTable(), makeTable()]);
  });
  after(() => Promise.all([dropTable(table), dropTable(other)]));

  const put = (Item, extra = {}) => ({ Put: { TableName: table, Item, ...extra } });
  const add = (Key, amount, extra = {}) => ({
    Update: {
      TableName: table,
      Key,
      UpdateExpression: "ADD n :amount",
      ExpressionAttributeValues: { ":amount": amount },
      ...extra,
    },
  });
  const check = (Key, ConditionExpression, extra = {}) => ({
    ConditionCheck: { TableName: table, Key, ConditionExpression, ...extra },
  });
  const write = (TransactItems, extra = {}) => document.send(new TransactWriteCommand({ TransactItems, ...extra }));
  const get = async (Key, TableName = table) =>
    (await document.send(new GetCommand({ TableName, Key, ConsistentRead: true }))).Item;
  const keys = (count) => {
    const pk = unique();
    return Array.from({ length: count }, (_, sk) => ({ pk, sk }));
  };

  async function cancelled(promise) {
    const error = await failure(promise);
    assert.ok(error instanceof TransactionCanceledException, `${error}`);
    assert.equal(error.$metadata.httpStatusCode, 400);
    const codes = error.CancellationReasons.map(({ Code }) => Code);
    assert.equal(
      error.message,
      `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes.join(", ")}]`,
    );
    return error.CancellationReasons;
  }

  test("all four actions over two tables", async () => {
    const [a, b, c, d] = keys(4);
    await document.send(new PutCommand({ TableName: table, Item: { ...b, n: 1 } }));
    await document.send(new PutCommand({ TableName: other, Item: c }));
    await document.send(new PutCommand({ TableName: table, Item: d }));
    const answer = await write(
      [
        put({ ...a, tags: new Set(["x"]) }, { ConditionExpression: "attribute_not_exists(pk)" }),
        add(b, 4),
        { Delete: { TableName: other, Key: c } },
        check(d, "attribute_exists(pk)"),
      ],
      { ReturnConsumedCapacity: "TOTAL" },
    );
    assert.deepEqual(await get(a), { ...a, tags: new Set(["x"]) });
    assert.deepEqual(await get(b), { ...b, n: 5 });
    assert.equal(await get(c, other), undefined);
    const units = Object.fromEntries(answer.ConsumedCapacity.map((use) => [use.TableName, use.CapacityUnits]));
    assert.deepEqual(units, { [table]: 6, [other]: 2 });
  });

  test("one failed condition leaves everything as it was, and its reason carries the item", async () => {
    const [a, b, c] = keys(3);
    await document.send(new PutCommand({ TableName: table, Item: { ...b, n: 3, l: [1, { x: null }] } }));
    const reasons = await cancelled(
      write([
        put(a),
        add(b, -5, {
          ConditionExpression: "n >= :least",
          ExpressionAttributeValues: { ":amount": -5, ":least": 5 },
          ReturnValuesOnConditionCheckFailure: "ALL_OLD",
        }),
        check(c, "attribute_exists(pk)", { ReturnValuesOnConditionCheckFailure: "ALL_OLD" }),
      ]),
    );
    assert.deepEqual(
      reasons.map(({ Code, Message, Item }) => [Code, Message, Item && unmarshall(Item)]),
      [
        ["None", undefined, undefined],
        ["ConditionalCheckFailed", "The conditional request failed", { ...b, n: 3, l: [1, { x: null }] }],
        ["ConditionalCheckFailed", "The conditional request failed", undefined],
      ],
    );
    assert.equal(await get(a), undefined);
    assert.equal((await get(b)).n, 3);
  });

  test("an error of the data is a reason, too", async () => {
    const [a, b] = keys(2);
    await document.send(new PutCommand({ TableName: table, Item: { ...b, n: "text" } }));
    const reasons = await cancelled(write([put(a), add(b, 1)]));
    assert.equal(reasons[0].Code, "None");
    assert.equal(reasons[1].Code, "ValidationError");
    assert.equal(reasons[1].Message, "An operand in the update expression has an incorrect data type");
    assert.equal(await get(a), undefined);
  });

  test("one item twice is refused", async () => {
    const [a] = keys(1);
    const error = await failure(write([put(a), check(a, "attribute_exists(pk)")]));
    assert.equal(error.name, "ValidationException");
    assert.equal(error.message, "Transaction request cannot include multiple operations on one item");
  });

  test("a hundred actions are the most", async () => {
    const all = keys(101);
    await write(all.slice(0, 100).map((key) => put(key)));
    assert.deepEqual(await get(all[99]), all[99]);
    const error = await failure(write(all.map((key) => put(key))));
    assert.equal(error.name, "ValidationException");
    assert.match(error.message, /Member must have length less than or equal to 100/);
  });

  test("a token makes a repetition harmless", async () => {
    const [a, b] = keys(2);
    const ClientRequestToken = randomUUID();
    for (let round = 0; round < 3; round += 1) await write([add(a, 1), add(b, 10)], { ClientRequestToken });
    assert.equal((await get(a)).n, 1);
    assert.equal((await get(b)).n, 10);
    const error = await failure(write([add(a, 2), add(b, 10)], { ClientRequestToken }));
    assert.ok(error instanceof IdempotentParameterMismatchException);
    assert.equal((await get(a)).n, 1);
  });

  test("a repetition may name the attributes in another order", async () => {
    const [a] = keys(1);
    const ClientRequestToken = randomUUID();
    const rest = { x: 1, y: { p: 1, q: 2 } };
    await write([put({ ...a, ...rest })], { ClientRequestToken });
    await document.send(new UpdateCommand({ TableName: table, Key: a, UpdateExpression: "REMOVE x" }));
    await write([put({ y: { q: 2, p: 1 }, x: 1, sk: a.sk, pk: a.pk })], { ClientRequestToken });
    assert.equal((await get(a)).x, undefined);
  });

  test("without a token of one's own every call counts", async () => {
    const [a] = keys(1);
    await write([add(a, 1)]);
    await write([add(a, 1)]);
    assert.equal((await get(a)).n, 2);
  });

  test("a cancelled transaction does not use its token up", async () => {
    const [a] = keys(1);
    const ClientRequestToken = randomUUID();
    const guarded = () => write([add(a, 1, { ConditionExpression: "attribute_exists(pk)" })], { ClientRequestToken });
    await cancelled(guarded());
    await document.send(new PutCommand({ TableName: table, Item: { ...a, n: 1 } }));
    await guarded();
    assert.equal((await get(a)).n, 2);
  });

  test("a read gives the items in the order asked, and nothing for an absent one", async () => {
    const [a, b, c] = keys(3);
    await document.send(new PutCommand({ TableName: table, Item: { ...a, m: { x: [1, 2] }, rest: true } }));
    await document.send(new PutCommand({ TableName: other, Item: { ...c, n: 1 } }));
    const { Responses } = await document.send(
      new TransactGetCommand({
        TransactItems: [
          { Get: { TableName: other, Key: c } },
          { Get: { TableName: table, Key: b } },
          { Get: { TableName: table, Key: a, ProjectionExpression: "m.x[1]" } },
        ],
      }),
    );
    assert.deepEqual(Responses, [{ Item: { ...c, n: 1 } }, {}, { Item: { m: { x: [2] } } }]);
  });

  // Transactions on one item collide: each is done or cancelled with TransactionConflict, and those done all count.
  test("colliding transactions are done or cancelled as conflicts", async () => {
    const [a, b] = keys(2);
    let done = 0;
    const attempt = async () => {
      try {
        await write([add(a, 1), add(b, -1)]);
        done += 1;
      } catch (error) {
        assert.ok(error instanceof TransactionCanceledException, `${error}`);
        const codes = error.CancellationReasons.map(({ Code }) => Code);
        assert.ok(codes.includes("TransactionConflict"), `${codes}`);
        assert.ok(codes.every((code) => code === "None" || code === "TransactionConflict"), `${codes}`);
      }
    };
    await Promise.all(Array.from({ length: 200 }, attempt));
    assert.ok(done > 0);
    assert.equal((await get(a)).n, done);
    assert.equal((await get(b)).n, -done);
  });

  test("the sum stays while money moves", async () => {
    const accounts = keys(5);
    await write(accounts.map((key) => put({ ...key, n: 20 })));
    const transfer = async (turn) => {
      const from = accounts[turn % 5];
      const to = accounts[(turn + 1 + (turn % 4)) % 5];
      const enough = { ConditionExpression: "n >= :least", ExpressionAttributeValues: { ":amount": -7, ":least": 7 } };
      await write([add(from, -7, enough), add(to, 7)]).catch((error) => {
        if (!(error instanceof TransactionCanceledException)) throw error;
      });
    };
    const balances = async () => {
      const Gets = accounts.map((Key) => ({ Get: { TableName: table, Key } }));
      const answer = await document.send(new TransactGetCommand({ TransactItems: Gets })).catch((error) => {
        if (!(error instanceof TransactionCanceledException)) throw error;
      });
      if (!answer) return 0;
      const found = answer.Responses.map(({ Item }) => Item.n);
      assert.equal(found.reduce((sum, n) => sum + n), 100, `${found}`);
      assert.ok(found.every((n) => n >= 0), `${found}`);
      return 1;
    };
    for (let turn = 0; turn < 40; turn += 1) {
      await Promise.all([transfer(turn), transfer(turn + 2), balances(), transfer(turn * 3 + 1)]);
    }
    assert.equal(await balances(), 1);
  });
});
