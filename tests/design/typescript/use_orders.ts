// Uses the generated code of the order model with the document client of the JavaScript SDK. Prints one line for each
// step; tests/design/test_codegen_typescript.py compares them. The endpoint is the only argument.
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";
import * as orders from "./orders.js";

const client = DynamoDBDocumentClient.from(
  new DynamoDBClient({
    endpoint: process.argv[2] ?? "",
    region: "us-east-1",
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
  }),
);

const put = (request: orders.PutRequest) => client.send(new PutCommand(request));

const order: orders.Order = {
  $type: "Order",
  customerId: "a1b2",
  orderId: "o-9001",
  orderDate: "2026-06-01",
  status: "OPEN",
  total: 149.5,
  version: 0,
};
await put(orders.putCustomer({
  $type: "Customer",
  customerId: "a1b2",
  name: "Ada",
  email: "ada@example.com",
  tier: "gold",
  createdAt: "2026-01-01T00:00:00Z",
}));
await put(orders.putOrder(order));
await put(orders.putOrderHeader({ $type: "OrderHeader", orderId: "o-9001", status: "OPEN", version: 0 }));
for (const lineNumber of [10, 2, 1]) {
  await put(orders.putLineItem({ $type: "LineItem", orderId: "o-9001", lineNumber, sku: "ABC", qty: 2, price: 49.5 }));
}

const customer = await client.send(new GetCommand(orders.a1({ customerId: "a1b2" })));
console.log("get", JSON.stringify(orders.readCustomer(customer.Item ?? {})));

const collection = await client.send(new QueryCommand(orders.a3({ orderId: "o-9001" })));
for (const one of (collection.Items ?? []).map(orders.readItem)) {
  // The compiler knows which properties there are by now.
  if (orders.isLineItem(one)) console.log("line", one.lineNumber, one.sku);
  else if (one.$type === "OrderHeader") console.log("header", one.status, one.version);
}

const open = await client.send(new QueryCommand(orders.a5()));
console.log("open", open.Count);

const mine = orders.readOrder((await client.send(new GetCommand({ TableName: orders.TABLE, Key: orders.keyOfOrder(order) }))).Item ?? {});
await put(orders.putOrder({ ...mine, status: "SHIPPED" }));
try {
  await put(orders.putOrder({ ...mine, status: "CANCELLED" }));
} catch (error) {
  console.log("conflict", orders.isVersionConflict(error));
}
const last = await orders.retryOnConflict(async () => {
  const read = await client.send(new GetCommand({ TableName: orders.TABLE, Key: orders.keyOfOrder(order) }));
  const now = orders.readOrder(read.Item ?? {});
  await put(orders.putOrder({ ...now, total: 1 }));
  return now;
});
console.log("now", last.status, last.version, (await client.send(new QueryCommand(orders.a5()))).Count);
