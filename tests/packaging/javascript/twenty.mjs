import { CreateTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { startStator } from 'stator-db';

const servers = await Promise.all(Array.from({ length: 20 }, () => startStator()));
const clients = servers.map((stator) => new DynamoDBClient(stator.clientConfig));
await Promise.all(clients.map((client, number) => client.send(new CreateTableCommand({
  TableName: `table-${number}`,
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
}))));
const answers = await Promise.all(clients.map((client) => client.send(new ListTablesCommand({}))));
console.log(JSON.stringify({ endpoints: servers.map((s) => s.endpoint), tables: answers.map((a) => a.TableNames) }));
// Nothing is stopped: the process ends by itself, and the servers with it.
