const { CreateTableCommand, DynamoDBClient, ListTablesCommand } = require('@aws-sdk/client-dynamodb');
const { useStator } = require('stator-db/jest');

const table = {
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
};

describe('one server for a file', () => {
  const stator = useStator({ scope: 'file' });

  test.each([1, 2, 3])('table %i joins the others', async (number) => {
    const client = new DynamoDBClient(stator.clientConfig);
    await client.send(new CreateTableCommand({ ...table, TableName: `table-${number}` }));
    expect((await client.send(new ListTablesCommand({}))).TableNames).toHaveLength(number);
    client.destroy();
  });
});

describe('a server for each test', () => {
  const stator = useStator();

  test.each([1, 2, 3])('table %i is alone', async (number) => {
    Object.assign(process.env, stator.environment);
    const client = new DynamoDBClient({}); // as code under test makes it
    await client.send(new CreateTableCommand({ ...table, TableName: `table-${number}` }));
    expect((await client.send(new ListTablesCommand({}))).TableNames).toEqual([`table-${number}`]);
    client.destroy();
  });
});
