import { test } from 'stator-db/vitest';

test('hangs', async ({ stator }) => {
  await new Promise((resolve) => setTimeout(resolve, 600_000, stator));
}, 600_000);
