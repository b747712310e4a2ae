// Events of a pallet over ten shards, read as one in order, with the generated code of the shipments model.
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, PutCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";
import * as shipments from "./shipments.js";

const client = DynamoDBDocumentClient.from(
  new DynamoDBClient({
    endpoint: process.argv[2] ?? "",
    region: "us-east-1",
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
  }),
);

for (let minute = 10; minute < 40; minute++) {
  const event: shipments.BulkEvent = {
    $type: "BulkEvent",
    palletId: "p-1",
    eventId: `e${minute}`,
    happenedAt: `2026-06-08T09:${minute}:00Z`,
    kind: "SCAN",
    place: "Bonn",
    detail: {},
    expiresAt: 1,
  };
  await client.send(new PutCommand(shipments.putBulkEvent(event)));
}
const items = await shipments.fanOut(
  (request) => client.send(new QueryCommand(request)),
  shipments.palletHistory({ palletId: "p-1" }),
  5,
);
console.log(items.map((item) => shipments.readBulkEvent(item).eventId).join(" "));
console.log(new Set(items.map((item) => item["PK"])).size > 1);
