import type { TestAPI } from 'vitest';
import type { Stator, StatorOptions } from './index.js';

/** vitest's `test` with a server of its own, with an empty database, for each test that names `stator`. */
export const test: TestAPI<{
  stator: Stator;
  /** Options of the server; extend `test` to give some: `test.extend({ statorOptions: { options: [...] } })`. */
  statorOptions: StatorOptions;
}>;
