'use strict';

const { spawn } = require('node:child_process');
const path = require('node:path');

const REGION = 'us-east-1';
const KEY = 'stator'; // any will do
const LIMIT_MS = 60_000; // a bound for a busy machine: a server starts and stops within milliseconds

// The services that a server speaks, as the SDKs name their endpoints in the environment.
const SERVICES = ['DYNAMODB', 'DYNAMODB_STREAMS', 'CLOUDWATCH', 'APPLICATION_AUTO_SCALING'];

// The program of this package; STATOR_BINARY in the environment names another one.
function program() {
  return process.env.STATOR_BINARY || path.join(__dirname, 'program', 'bin', 'stator');
}

// Resolves to the address that the server names in its first line. What it writes to its standard error is the reason where it
// does not start, and comes to this process's otherwise.
function addressOf(child) {
  return new Promise((resolve, reject) => {
    let said = '';
    let errors = '';
    const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
    const keep = (piece) => {
      errors += piece;
    };
    child.stderr.on('data', keep);
    child.stdout.on('data', (piece) => {
      said += piece;
      const ready = /(http:\/\/\S+).*\n/.exec(said);
      if (!ready) return;
      clearTimeout(timer);
      process.stderr.write(errors);
      child.stderr.off('data', keep).on('data', (more) => process.stderr.write(more));
      resolve(ready[1]);
    });
    const fail = (reason) => {
      clearTimeout(timer);
      reject(new Error(errors.trim() || reason));
    };
    child.once('error', (error) => fail(error.message));
    child.once('close', (code, signal) => fail(`the server ended before it was ready (${code ?? signal})`));
  });
}

function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  for (const handle of [child, child.stdout, child.stderr]) handle.ref();
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
    child.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    child.kill('SIGTERM');
  });
}

// Processes that a server ends with. A worker, which has a channel to the test runner, may live on when that is killed.
function parents() {
  const ids = process.connected ? [process.pid, process.ppid] : [process.pid];
  return ids.flatMap((id) => ['--parent', String(id)]);
}

async function startStator({ data, options = [] } = {}) {
  const place = data === undefined ? ['--in-memory'] : ['--data', data];
  const child = spawn(program(), ['serve', '--port', '0', ...parents(), ...place, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const endpoint = await addressOf(child);
  // A server that nobody stops does not keep this process; it ends with it.
  for (const handle of [child, child.stdout, child.stderr]) handle.unref();
  return {
    endpoint,
    clientConfig: { endpoint, region: REGION, credentials: { accessKeyId: KEY, secretAccessKey: KEY } },
    environment: {
      ...Object.fromEntries(SERVICES.map((service) => [`AWS_ENDPOINT_URL_${service}`, endpoint])),
      AWS_ACCESS_KEY_ID: KEY,
      AWS_SECRET_ACCESS_KEY: KEY,
      AWS_REGION: REGION,
    },
    stop: () => stop(child),
  };
}

module.exports = { startStator, program };
