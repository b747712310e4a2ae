import { test as base } from 'vitest';
import { startStator } from './index.js';

export const test = base.extend({
  statorOptions: {},
  stator: async ({ statorOptions }, use) => {
    const stator = await startStator(statorOptions);
    await use(stator);
    await stator.stop();
  },
});
