// dynamodb-onetable: one table with a schema, unique fields, nested updates, pages, transactions, expiry.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Table } from "dynamodb-onetable";
import { dropTable, eventually, failure, makeClient, unique } from "../support.mjs";

const schema = {
  format: "onetable:1.1.0",
  version: "0.0.1",
  indexes: {
    primary: { hash: "pk", sort: "sk" },
    gs1: { hash: "gs1pk", sort: "gs1sk", project: "all", follow: true },
    ls1: { sort: "status", type: "local", project: ["cents"] },
  },
  models: {
    Account: {
      pk: { type: String, value: "account#${name}" },
      sk: { type: String, value: "account#" },
      id: { type: String, generate: "ulid" },
      name: { type: String, required: true, unique: true },
      balance: { type: Number, default: 0 },
      labels: { type: Set },
      address: { type: Object, default: {}, schema: { street: { type: String }, zip: { type: Number } } },
    },
    Invoice: {
      pk: { type: String, value: "account#${account}" },
      sk: { type: String, value: "invoice#${number}" },
      gs1pk: { type: String, value: "status#${status}" },
      gs1sk: { type: String, value: "invoice#${number}" },
      account: { type: String, required: true },
      number: { type: String, required: true },
      status: { type: String, enum: ["open", "paid"], default: "open" },
      cents: { type: Number },
      due: { type: Date },
      expires: { type: Date, ttl: true },
    },
  },
  params: { isoDates: true, timestamps: true, typeField: "_type" },
};

describe("dynamodb-onetable", () => {
  const client = makeClient();
  const name = unique("onetable");
  const table = new Table({ name, client, schema, partial: true });
  const Account = table.getModel("Account");
  const Invoice = table.getModel("Invoice");
  before(() => table.createTable());
  after(() => dropTable(name));

  const numbers = (invoices) => invoices.map(({ number }) => number);

  test("makes the table and its indexes from the schema", async () => {
    assert.equal(await table.exists(), true);
    const { Table: found } = await table.describeTable();
    assert.deepEqual(found.GlobalSecondaryIndexes.map(({ IndexName }) => IndexName), ["gs1"]);
    assert.deepEqual(found.LocalSecondaryIndexes[0].Projection, {
      ProjectionType: "INCLUDE",
      NonKeyAttributes: ["cents"],
    });
  });

  test("creates once, with unique fields kept by a transaction", async () => {
    const made = await Account.create({ name: "acme", labels: new Set(["a", "b"]) });
    assert.equal(made.balance, 0);
    const twice = await failure(Account.create({ name: "acme" }));
    assert.equal(twice.name, "OneTableError");
    assert.equal(twice.code, "UniqueError");
    const read = await Account.get({ name: "acme" });
    assert.deepEqual(read.labels, new Set(["a", "b"]));
    assert.equal(read.id, made.id);
    await Account.remove({ name: "acme" });
    assert.equal(await Account.get({ name: "acme" }), undefined);
    await Account.create({ name: "acme" }); // the name is free again
  });

  test("updates numbers, sets and nested fields", async () => {
    await Account.create({ name: "updated", labels: new Set(["a"]), address: { street: "Elm", zip: 1 } });
    const key = { name: "updated" };
    await Account.update(key, { add: { balance: 40 } });
    await Account.update(key, { add: { balance: 2, labels: new Set(["b"]) } });
    await Account.update(key, { delete: { labels: new Set(["a"]) } });
    await Account.update({ ...key, address: { zip: 7 } });
    const changed = await Account.update(key, { set: { "address.street": "Oak" }, return: "get" });
    assert.equal(changed.balance, 42);
    assert.deepEqual(changed.labels, new Set(["b"]));
    assert.deepEqual(changed.address, { street: "Oak", zip: 7 });
    await Invoice.create({ account: "updated", number: "1", cents: 50 });
    const dear = { account: "updated", number: "1", status: "paid" };
    const refused = await failure(Invoice.update(dear, { where: "${cents} < {10}" }));
    assert.equal(refused.code, "ConditionalCheckFailedException");
    assert.equal((await Invoice.get({ account: "updated", number: "1" })).status, "open");
  });

  test("finds by key, by index, by filter, in pages", async () => {
    for (let number = 0; number < 25; number++) {
      const padded = String(number).padStart(3, "0");
      await Invoice.create({ account: "paged", number: padded, cents: number, status: number % 5 ? "open" : "paid" });
    }
    let next;
    const pages = [];
    do {
      const page = await Invoice.find({ account: "paged" }, { limit: 10, next });
      pages.push(numbers(page));
      next = page.next;
    } while (next);
    assert.deepEqual(pages.map(({ length }) => length), [10, 10, 5]);
    assert.deepEqual(pages.flat(), [...pages.flat()].sort());
    await eventually(async () => {
      const paid = await Invoice.find({ status: "paid" }, { index: "gs1" });
      assert.deepEqual(numbers(paid), ["000", "005", "010", "015", "020"]);
    });
    const backwards = await Invoice.find({ account: "paged" }, { reverse: true, limit: 2 });
    assert.deepEqual(numbers(backwards), ["024", "023"]);
    const dear = await Invoice.find({ account: "paged" }, { where: "${cents} >= {23}" });
    assert.deepEqual(numbers(dear), ["023", "024"]);
    const some = await Invoice.find({ account: "paged", sk: { between: ["invoice#003", "invoice#005"] } });
    assert.deepEqual(numbers(some), ["003", "004", "005"]);
    assert.equal((await Invoice.find({ account: "paged" }, { count: true })).count, 25);
    const scanned = await Invoice.scan({ account: "paged" }, { segments: 3, segment: 0 });
    assert.ok(scanned.every(({ account }) => account === "paged"));
  });

  test("writes and reads in batches and transactions", async () => {
    const batch = {};
    for (const number of ["1", "2", "3"]) await Invoice.create({ account: "batch", number }, { batch });
    await table.batchWrite(batch);
    const wanted = {};
    for (const number of ["1", "3"]) Invoice.get({ account: "batch", number }, { batch: wanted });
    const read = await table.batchGet(wanted, { parse: true });
    assert.deepEqual(numbers(read).sort(), ["1", "3"]);

    const transaction = {};
    await Invoice.create({ account: "batch", number: "4", cents: 1 }, { transaction });
    await Invoice.update({ account: "batch", number: "1", cents: 9 }, { transaction });
    await Invoice.remove({ account: "batch", number: "2" }, { transaction });
    await table.transact("write", transaction);
    assert.deepEqual(numbers(await Invoice.find({ account: "batch" })), ["1", "3", "4"]);

    const refused = {};
    await Invoice.update({ account: "batch", number: "3", cents: 5 }, { transaction: refused });
    await Invoice.create({ account: "batch", number: "4" }, { transaction: refused });
    const error = await failure(table.transact("write", refused));
    assert.equal(error.code, "TransactionCanceledException");
    assert.equal((await Invoice.get({ account: "batch", number: "3" })).cents, undefined);
  });

  test("upserts, and keeps dates and expiry", async () => {
    const due = new Date("2031-02-03T04:05:06.000Z");
    const expires = new Date(Date.now() + 3_600_000);
    const key = { account: "dated", number: "1" };
    await Invoice.update({ ...key, due, expires }, { exists: null });
    const read = await Invoice.get(key);
    assert.equal(read.due.getTime(), due.getTime());
    const raw = await Invoice.get(key, { parse: false, hidden: true });
    assert.equal(raw.expires.N ?? raw.expires, String(Math.ceil(expires.getTime() / 1000)));
    const gone = await failure(Invoice.update({ account: "dated", number: "2", cents: 1 }, { exists: true }));
    assert.equal(gone.code, "ConditionalCheckFailedException");
  });
});
