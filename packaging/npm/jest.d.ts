import type { Stator, StatorOptions } from './index.js';

export interface UseStatorOptions extends StatorOptions {
  /** `test`: a new server with an empty database for each test (the default); `file`: one for the tests of a file or `describe`. */
  scope?: 'test' | 'file';
}

/** Starts servers before tests and stops them after. Its members are those of the server of the running test. */
export function useStator(options?: UseStatorOptions): Readonly<Stator>;
