'use strict';

const { beforeAll, beforeEach, afterAll, afterEach } = require('@jest/globals'); // jest has it wherever it runs tests
const { startStator } = require('./index.js');

const LIMIT_MS = 60_000;

function useStator({ scope = 'test', ...options } = {}) {
  const [before, after] = scope === 'file' ? [beforeAll, afterAll] : [beforeEach, afterEach];
  const current = {};
  before(async () => {
    Object.assign(current, await startStator(options));
  }, LIMIT_MS);
  after(() => current.stop?.(), LIMIT_MS);
  return current;
}

module.exports = { useStator };
