// electrodb: entities and services on one table, composed keys, collections, cursors, transactions.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { CreateTableCommand } from "@aws-sdk/client-dynamodb";
import { Entity, Service, createConversions } from "electrodb";
import { dropTable, eventually, failure, makeClient, unique } from "../support.mjs";

const table = unique("electrodb");
const client = makeClient();

const index = (number) => ({
  IndexName: `gsi${number}`,
  KeySchema: [
    { AttributeName: `gsi${number}pk`, KeyType: "HASH" },
    { AttributeName: `gsi${number}sk`, KeyType: "RANGE" },
  ],
  Projection: { ProjectionType: "ALL" },
});
const names = ["pk", "sk", "gsi1pk", "gsi1sk"];

const Employee = new Entity(
  {
    model: { entity: "employee", version: "1", service: "office" },
    attributes: {
      employee: { type: "string", required: true },
      office: { type: "string", required: true },
      team: { type: ["red", "blue"], required: true },
      salary: { type: "number", default: 100 },
      skills: { type: "set", items: "string" },
      history: { type: "list", items: { type: "map", properties: { year: { type: "number" } } } },
      contact: { type: "map", properties: { mail: { type: "string" }, phone: { type: "string" } } },
    },
    indexes: {
      self: { pk: { field: "pk", composite: ["employee"] }, sk: { field: "sk", composite: [] } },
      colleagues: {
        collection: "workplace",
        index: "gsi1",
        pk: { field: "gsi1pk", composite: ["office"] },
        sk: { field: "gsi1sk", composite: ["team", "employee"] },
      },
    },
  },
  { client, table },
);

const Office = new Entity(
  {
    model: { entity: "office", version: "1", service: "office" },
    attributes: { office: { type: "string", required: true }, city: { type: "string" }, seats: { type: "number" } },
    indexes: {
      self: { pk: { field: "pk", composite: ["office"] }, sk: { field: "sk", composite: [] } },
      staff: {
        collection: "workplace",
        index: "gsi1",
        pk: { field: "gsi1pk", composite: ["office"] },
        sk: { field: "gsi1sk", composite: [] },
      },
    },
  },
  { client, table },
);

const service = new Service({ employees: Employee, offices: Office });

describe("electrodb", () => {
  before(() =>
    client.send(
      new CreateTableCommand({
        TableName: table,
        KeySchema: [
          { AttributeName: "pk", KeyType: "HASH" },
          { AttributeName: "sk", KeyType: "RANGE" },
        ],
        AttributeDefinitions: names.map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
        GlobalSecondaryIndexes: [index(1)],
        BillingMode: "PAY_PER_REQUEST",
      }),
    ),
  );
  after(() => dropTable(table));

  const someone = (employee, rest = {}) => ({ employee, office: "north", team: "red", ...rest });
  const who = (list) => list.map(({ employee }) => employee);

  test("creates once and gives back every type", async () => {
    const made = someone("ada", {
      skills: ["go", "c"],
      history: [{ year: 2001 }, { year: 2002 }],
      contact: { mail: "a@b", phone: "1" },
    });
    await Employee.create(made).go();
    const { data } = await Employee.get({ employee: "ada" }).go();
    assert.deepEqual(data, { ...made, skills: ["c", "go"], salary: 100 });
    const error = await failure(Employee.create(made).go());
    assert.equal(error.cause?.name, "ConditionalCheckFailedException");
    assert.match(error.message, /The conditional request failed/);
  });

  test("updates parts of lists, maps and sets", async () => {
    await Employee.create(someone("ben", { skills: ["x", "y"], history: [], contact: { mail: "m" } })).go();
    const { data } = await Employee.patch({ employee: "ben" })
      .add({ salary: 5, skills: ["z"] })
      .append({ history: [{ year: 1999 }] })
      .data((attribute, operation) => {
        operation.set(attribute.contact.phone, "7");
        operation.remove(attribute.contact.mail);
      })
      .go({ response: "all_new" });
    assert.equal(data.salary, 105);
    assert.deepEqual(new Set(data.skills), new Set(["x", "y", "z"]));
    assert.deepEqual(data.history, [{ year: 1999 }]);
    assert.deepEqual(data.contact, { phone: "7" });
    const smaller = await Employee.patch({ employee: "ben" })
      .delete({ skills: ["x"] })
      .subtract({ salary: 5 })
      .go({ response: "updated_new" });
    assert.equal(smaller.data.salary, 100);
    const absent = await failure(Employee.patch({ employee: "nobody" }).set({ salary: 1 }).go());
    assert.equal(absent.cause?.name, "ConditionalCheckFailedException");
    const raised = await Employee.upsert(someone("new", { salary: 3 })).go({ response: "all_new" });
    assert.equal(raised.data.salary, 3);
  });

  test("guards a write by where, and gives the item that stood against it", async () => {
    await Employee.create(someone("cleo", { salary: 70 })).go();
    const raise = Employee.patch({ employee: "cleo" })
      .set({ salary: 80 })
      .where(({ salary, contact }, { gt, notExists }) => `${gt(salary, 75)} AND ${notExists(contact)}`);
    const error = await failure(raise.go());
    assert.equal(error.cause?.name, "ConditionalCheckFailedException");
    const removed = await Employee.remove({ employee: "cleo" })
      .where(({ salary }, { between }) => between(salary, 60, 75))
      .go({ response: "all_old" });
    assert.equal(removed.data.salary, 70);
  });

  test("pages through an index by cursors", async () => {
    const staff = Array.from({ length: 30 }, (_, number) =>
      someone(`p${String(number).padStart(2, "0")}`, { office: "paged", team: number % 2 ? "red" : "blue" }),
    );
    const { unprocessed } = await Employee.put(staff).go({ concurrency: 2 });
    assert.deepEqual(unprocessed, []);
    await eventually(async () => {
      let cursor = null;
      const pages = [];
      do {
        const page = await Employee.query.colleagues({ office: "paged" }).go({ cursor, limit: 8 });
        pages.push(who(page.data));
        cursor = page.cursor;
      } while (cursor);
      assert.deepEqual(pages.map(({ length }) => length), [8, 8, 8, 6]);
      assert.equal(new Set(pages.flat()).size, 30);
      assert.deepEqual(pages.flat()[0], "p00");
    });
    await eventually(async () => {
      const colleagues = Employee.query.colleagues;
      const red = await colleagues({ office: "paged", team: "red" }).go({ order: "desc", pages: "all" });
      assert.deepEqual(who(red.data).slice(0, 2), ["p29", "p27"]);
      const between = colleagues({ office: "paged", team: "blue" }).between({ employee: "p10" }, { employee: "p14" });
      assert.deepEqual(who((await between.go()).data), ["p10", "p12", "p14"]);
      const filtered = colleagues({ office: "paged" }).where(({ employee }, { contains }) => contains(employee, "9"));
      assert.deepEqual(who((await filtered.go({ pages: "all" })).data).sort(), ["p09", "p19", "p29"]);
    });
    const scanned = await Employee.scan.where(({ office }, { eq }) => eq(office, "paged")).go({ pages: "all" });
    assert.equal(scanned.data.length, 30);
    const converted = createConversions(Employee).fromKeys.toCursor(
      Employee.get({ employee: "p00" }).params().Key,
    );
    assert.equal(typeof converted, "string");
  });

  test("reads a collection of two entities", async () => {
    await Office.create({ office: "south", city: "Lyon", seats: 2 }).go();
    await Employee.create(someone("dan", { office: "south" })).go();
    await eventually(async () => {
      const { data } = await service.collections.workplace({ office: "south" }).go();
      assert.deepEqual(who(data.employees), ["dan"]);
      assert.deepEqual(data.offices, [{ office: "south", city: "Lyon", seats: 2 }]);
    });
    const batch = await Employee.get([{ employee: "dan" }, { employee: "nobody" }]).go({ preserveBatchOrder: true });
    assert.equal(batch.data[0].employee, "dan");
    assert.equal(batch.data[1], null);
  });

  test("does several writes as one", async () => {
    const both = await service.transaction
      .write(({ employees, offices }) => [
        employees.create(someone("eve", { office: "west" })).commit(),
        offices.upsert({ office: "west", city: "Brest" }).commit(),
        employees.check({ employee: "nobody" }).where(({ employee }, { notExists }) => notExists(employee)).commit(),
      ])
      .go({ token: unique("token") });
    assert.equal(both.canceled, false);
    const again = await service.transaction
      .write(({ employees, offices }) => [
        offices.patch({ office: "west" }).set({ seats: 9 }).commit(),
        employees.create(someone("eve", { salary: 1 })).commit({ response: "all_old" }),
      ])
      .go();
    assert.equal(again.canceled, true);
    assert.deepEqual(again.data.map(({ code }) => code), ["None", "ConditionalCheckFailed"]);
    assert.equal(again.data[1].item.salary, 100);
    const read = await service.transaction
      .get(({ employees, offices }) => [
        employees.get({ employee: "eve" }).commit(),
        offices.get({ office: "west" }).commit(),
        offices.get({ office: "nowhere" }).commit(),
      ])
      .go();
    assert.equal(read.data[0].item.office, "west");
    assert.deepEqual(read.data[1].item, { office: "west", city: "Brest" });
    assert.equal(read.data[2].item, null);
  });
});
