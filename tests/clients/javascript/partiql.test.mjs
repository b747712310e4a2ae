// PartiQL through the document client: statements, pages, batches, transactions.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import {
  ConditionalCheckFailedException,
  DuplicateItemException,
  TransactionCanceledException,
} from "@aws-sdk/client-dynamodb";
import {
  BatchExecuteStatementCommand,
  ExecuteStatementCommand,
  ExecuteTransactionCommand,
} from "@aws-sdk/lib-dynamodb";
import { dropTable, eventually, failure, makeDocument, makeTable, unique } from "./support.mjs";

describe("PartiQL", () => {
  const document = makeDocument();
  let table;
  before(async () => {
    table = await makeTable({
      AttributeDefinitions: [{ AttributeName: "color", AttributeType: "S" }],
      GlobalSecondaryIndexes: [
        {
          IndexName: "by-color",
          KeySchema: [{ AttributeName: "color", KeyType: "HASH" }],
          Projection: { ProjectionType: "ALL" },
        },
      ],
    });
  });
  after(() => dropTable(table));

  // "TABLE" stands for the table's name in the statements below.
  const statement = (text) => text.replace("TABLE", `"${table}"`);
  const execute = (text, Parameters, extra = {}) => {
    const request = { Statement: statement(text), Parameters, ConsistentRead: true, ...extra };
    return document.send(new ExecuteStatementCommand(request));
  };
  const write = (text, Parameters, extra) => execute(text, Parameters, { ConsistentRead: undefined, ...extra });
  const insert = (item) => write("INSERT INTO TABLE VALUE ?", [item]);
  const rows = async (...parameters) => (await execute(...parameters)).Items;

  test("what is inserted is selected", async () => {
    const item = { pk: unique(), sk: 1, list: [1, "two", null], map: { deep: true }, tags: new Set(["a", "b"]) };
    await insert(item);
    assert.deepEqual(await rows("SELECT * FROM TABLE WHERE pk = ? AND sk = ?", [item.pk, 1]), [item]);
    assert.deepEqual(await rows("SELECT list[1], map.deep FROM TABLE WHERE pk = ?", [item.pk]), [
      { "list[1]": "two", deep: true },
    ]);
  });

  test("a second insert is DuplicateItemException", async () => {
    const item = { pk: unique(), sk: 1 };
    await insert(item);
    const error = await failure(insert(item));
    assert.ok(error instanceof DuplicateItemException, `${error}`);
    assert.equal(error.message, "Duplicate primary key exists in table");
  });

  test("conditions of all kinds select", async () => {
    const pk = unique();
    for (const sk of [1, 2, 3, 4, 5]) {
      await insert({ pk, sk, name: `n${sk}`, ...(sk > 3 && { extra: [sk] }) });
    }
    const cases = [
      ["sk BETWEEN 2 AND 4", [2, 3, 4]],
      ["sk > 1 AND NOT name = 'n3'", [2, 4, 5]],
      ["name IN ['n1', 'n5']", [1, 5]],
      ["begins_with(name, 'n') AND sk <= 2", [1, 2]],
      ["contains(extra, 4)", [4]],
      ["extra IS MISSING", [1, 2, 3]],
      ["extra IS NOT MISSING", [4, 5]],
      ["attribute_type(extra, 'L')", [4, 5]],
      ["size(name) = 2 AND (sk = 1 OR sk = 3)", [1, 3]],
    ];
    for (const [condition, expected] of cases) {
      const found = await rows(`SELECT sk FROM TABLE WHERE pk = ? AND ${condition}`, [pk]);
      assert.deepEqual(found.map(({ sk }) => sk), expected, condition);
    }
    const backwards = await rows("SELECT sk FROM TABLE WHERE pk = ? ORDER BY sk DESC", [pk]);
    assert.deepEqual(backwards.map(({ sk }) => sk), [5, 4, 3, 2, 1]);
  });

  test("pages go on by their token", async () => {
    const pk = unique();
    for (let sk = 0; sk < 7; sk += 1) await insert({ pk, sk });
    const found = [];
    let NextToken;
    do {
      const page = await execute("SELECT * FROM TABLE WHERE pk = ?", [pk], { Limit: 3, NextToken });
      assert.ok(page.Items.length <= 3);
      found.push(...page.Items.map(({ sk }) => sk));
      NextToken = page.NextToken;
    } while (NextToken);
    assert.deepEqual(found, [0, 1, 2, 3, 4, 5, 6]);
  });

  test("an index is selected from", async () => {
    const item = { pk: unique(), sk: 1, color: unique("color") };
    await insert(item);
    await eventually(async () => {
      const Statement = `SELECT * FROM "${table}"."by-color" WHERE color = ?`;
      const { Items } = await document.send(new ExecuteStatementCommand({ Statement, Parameters: [item.color] }));
      assert.deepEqual(Items, [item]);
    });
  });

  test("an update sets, adds, removes and returns", async () => {
    const pk = unique();
    await insert({ pk, sk: 1, n: 1, old: true, list: ["a"], tags: new Set(["x"]) });
    const { Items } = await write(
      `UPDATE TABLE SET n = n + ? SET list = list_append(list, ?) SET tags = set_add(tags, ?) REMOVE old
       WHERE pk = ? AND sk = ? RETURNING ALL NEW *`,
      [2, ["b"], new Set(["y"]), pk, 1],
    );
    assert.deepEqual(Items, [{ pk, sk: 1, n: 3, list: ["a", "b"], tags: new Set(["x", "y"]) }]);
  });

  test("an update or delete whose condition fails is ConditionalCheckFailedException", async () => {
    const pk = unique();
    await insert({ pk, sk: 1, n: 1 });
    const error = await failure(
      write("UPDATE TABLE SET n = 5 WHERE pk = ? AND sk = 1 AND n = 2", [pk], {
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      }),
    );
    assert.ok(error instanceof ConditionalCheckFailedException, `${error}`);
    assert.deepEqual(error.Item, { pk: { S: pk }, sk: { N: "1" }, n: { N: "1" } });
    const refused = await failure(write("DELETE FROM TABLE WHERE pk = ? AND sk = 1 AND n = 2", [pk]));
    assert.ok(refused instanceof ConditionalCheckFailedException, `${refused}`);
    const { Items } = await write("DELETE FROM TABLE WHERE pk = ? AND sk = 1 RETURNING ALL OLD *", [pk]);
    assert.deepEqual(Items, [{ pk, sk: 1, n: 1 }]);
    assert.deepEqual(await rows("SELECT * FROM TABLE WHERE pk = ?", [pk]), []);
  });

  test("a batch answers each statement on its own", async () => {
    const pk = unique();
    await insert({ pk, sk: 1 });
    const Statement = statement("INSERT INTO TABLE VALUE ?");
    const { Responses } = await document.send(
      new BatchExecuteStatementCommand({
        Statements: [
          { Statement, Parameters: [{ pk, sk: 1 }] },
          { Statement, Parameters: [{ pk, sk: 2 }] },
        ],
      }),
    );
    assert.equal(Responses[0].Error.Code, "DuplicateItem");
    assert.equal(Responses[1].Error, undefined);
    const Select = statement("SELECT * FROM TABLE WHERE pk = ? AND sk = ?");
    const read = await document.send(
      new BatchExecuteStatementCommand({
        Statements: [1, 2, 3].map((sk) => ({ Statement: Select, Parameters: [pk, sk], ConsistentRead: true })),
      }),
    );
    assert.deepEqual(read.Responses.map(({ Item }) => Item), [{ pk, sk: 1 }, { pk, sk: 2 }, undefined]);
  });

  test("a transaction is done as a whole, once for its token", async () => {
    const pk = unique();
    await insert({ pk, sk: 1, n: 10 });
    const ClientRequestToken = randomUUID();
    const move = (amount, token) =>
      document.send(
        new ExecuteTransactionCommand({
          ClientRequestToken: token,
          TransactStatements: [
            {
              Statement: statement("UPDATE TABLE SET n = n - ? WHERE pk = ? AND sk = 1 AND n >= ?"),
              Parameters: [amount, pk, amount],
            },
            { Statement: statement("INSERT INTO TABLE VALUE ?"), Parameters: [{ pk, sk: amount + 100 }] },
          ],
        }),
      );
    await move(4, ClientRequestToken);
    await move(4, ClientRequestToken);
    const error = await failure(move(7, randomUUID()));
    assert.ok(error instanceof TransactionCanceledException, `${error}`);
    assert.deepEqual(error.CancellationReasons.map(({ Code }) => Code), ["ConditionalCheckFailed", "None"]);
    const Select = statement("SELECT * FROM TABLE WHERE pk = ? AND sk = ?");
    const { Responses } = await document.send(
      new ExecuteTransactionCommand({
        TransactStatements: [1, 104, 107].map((sk) => ({ Statement: Select, Parameters: [pk, sk] })),
      }),
    );
    assert.deepEqual(Responses.map(({ Item }) => Item), [{ pk, sk: 1, n: 6 }, { pk, sk: 104 }, undefined]);
  });

  test("a statement that is none is a ValidationException", async () => {
    const error = await failure(execute("SELEC * FROM TABLE", undefined));
    assert.equal(error.name, "ValidationException");
    assert.match(error.message, /^Statement wasn't well formed, can't be processed: /);
  });
});
