// Everything that the package declares, used as its types allow.
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { expect } from 'vitest';
import { program, startStator, type Stator, type StatorOptions } from 'stator-db';
import { test } from 'stator-db/vitest';
import type { useStator, UseStatorOptions } from 'stator-db/jest';

async function tables(stator: Stator): Promise<string[] | undefined> {
  const client = new DynamoDBClient(stator.clientConfig);
  const { TableNames } = await client.send(new ListTablesCommand({}));
  client.destroy();
  return TableNames;
}

test('a server by fixture', async ({ stator, statorOptions }) => {
  expect(statorOptions).toEqual({});
  expect(await tables(stator)).toEqual([]);
});

const recorded = test.extend<{ statorOptions: StatorOptions }>({ statorOptions: { options: ['--slow-ms', '1000'] } });

recorded('a server with options', async ({ stator }) => {
  expect(await tables(stator)).toEqual([]);
});

test('a server by hand', async () => {
  const stator: Stator = await startStator();
  expect(stator.environment.AWS_ENDPOINT_URL_DYNAMODB).toBe(stator.endpoint);
  expect(program()).toContain('stator');
  await stator.stop();
  await stator.stop();
  await expect(tables(stator)).rejects.toThrow();
});

test('a server that cannot start says why', async () => {
  await expect(startStator({ options: ['--nonsense'] })).rejects.toThrow('--nonsense');
});

export type Used = ReturnType<typeof useStator> & UseStatorOptions;
