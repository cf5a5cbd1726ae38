import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { createServer as createApiServer } from '../../src/platform/http/server.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { readRows } from '../../src/platform/spreadsheet/read-file.ts';
import { openConnection } from '../../src/webhooks/connection.ts';

/**
 * What the service takes for granted of the program that runs it, tried out in a process of its own by `runtime.test.ts`.
 * The argument names the trial; the last line that is printed is what came of it, as JSON.
 */
const TRIALS: Readonly<Record<string, () => Promise<unknown>>> = {
  'heap-limit': heapLimit,
  'guarded-connection': guardedConnection,
  farewell,
  'few-files': fewFiles,
};

/** Reads a list with none, one, two … descriptors free. @returns what came of it, each once */
async function fewFiles() {
  const folder = mkdtempSync(join(tmpdir(), 'manilla-few-'));
  writeFileSync(join(folder, 'list.csv'), 'bank,account\n058,0123456785\n');
  const list = openSync(join(folder, 'list.csv'), 'r');
  rmSync(folder, { recursive: true });
  const held: number[] = [];
  try {
    for (;;) held.push(openSync('/dev/null', 'r'));
  } catch {
    // All that there are.
  }
  const came = new Set<string>();
  while (!came.has('READ') && held.length > 0) {
    try {
      for await (const _ of readRows(list, 'CSV', 10).pieces);
      came.add('READ');
    } catch (error) {
      came.add((error as { code?: string }).code ?? String(error));
    }
    closeSync(held.pop() as number);
  }
  return [...came].sort();
}

const LIMIT_MB = 64;
/** Far beyond the limit, and far from what a machine of a test has. */
const STOP_AT_MB = 700;

/**
 * A thread that fills its heap is ended by its limit, and by nothing else. It fills it with a number of pieces, and so ends one way or
 * the other whatever time it gets; they are numbers in a row, which a collector need not walk through again and again near the limit.
 */
async function heapLimit() {
  const fill = `const { parentPort } = require('node:worker_threads');
    const kept = [];
    const filling = setInterval(() => {
      kept.push(new Array(128 * 1024).fill(0.5));
      if (kept.length < ${STOP_AT_MB}) return;
      clearInterval(filling);
      parentPort.postMessage('GROWS_WITHOUT_LIMIT');
    }, 1);`;
  const worker = new Worker(fill, { eval: true, resourceLimits: { maxOldGenerationSizeMb: LIMIT_MB } });
  const ended = await new Promise((resolve) => {
    worker.on('message', resolve);
    worker.on('error', (error) => resolve((error as NodeJS.ErrnoException).code));
    worker.on('exit', () => resolve('EXIT'));
  });
  return { ended };
}

/** A name that leads to this machine gets no call, and neither does the cloud's own address. */
async function guardedConnection() {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(request.url ?? '');
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const call = async (path: string, address: string, allowLoopback = false) => {
    const resolve = async () => [address];
    const mode = 'SANDBOX';
    const connection = openConnection(`http://shop.example.com:${port}/${path}`, { mode, allowLoopback, resolve });
    const result = await connection.post('{}', {});
    connection.close();
    return result?.error ?? null;
  };
  const loopback = await call('loopback', '127.0.0.1');
  const metadata = await call('metadata', '169.254.169.254');
  const allowed = await call('allowed', '127.0.0.1', true);
  return { loopback, metadata, allowed, heard };
}

/** A server that closes answers what is under way, and ends a connection that has asked for nothing. */
async function farewell() {
  const app = await createApiServer({ logger: createLogger('silent'), trustedProxies: [] });
  let begun = (): void => undefined;
  const isBegun = new Promise<void>((resolve) => (begun = resolve));
  app.get('/slow', async () => {
    begun();
    await new Promise((resolve) => setTimeout(resolve, 100));
    return 'answered';
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const asked = fetch(`http://127.0.0.1:${port}/slow`).then((answer) => answer.text());
  await isBegun;
  await app.close();
  return { answer: await asked };
}

const outcome = await TRIALS[process.argv[2] ?? '']?.();
process.stdout.write(`${JSON.stringify(outcome)}\n`, () => process.exit(0));
