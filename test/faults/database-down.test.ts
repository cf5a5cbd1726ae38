import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DemoFile } from '../../src/demo/index.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/db/embedded/index.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { refusalFaults } from '../support/operations.ts';
import { makeDataDir, readDemo, removeDataDir, type ServiceProcess, startService } from '../support/service.ts';
import { rowsOf } from '../support/world.ts';

/** The operator's own database goes away and comes back; the service waits for it and needs no hand. */
const logger = createLogger('silent');
const databaseDir = makeDataDir();
const dataDir = makeDataDir();
let database: EmbeddedPostgres;
let service: ServiceProcess;
let demo: DemoFile;

beforeAll(async () => {
  database = await startEmbeddedPostgres({ dataDir: databaseDir, logger });
  service = await startService({ dataDir, env: { DATABASE_URL: database.connectionString, DEMO_DATA: 'true' } });
  demo = readDemo(dataDir);
});
afterAll(async () => {
  await service.end('SIGKILL');
  await database.stop();
  await removeDataDir(databaseDir);
  await removeDataDir(dataDir);
});

const debit = (key?: string) =>
  fetch(`${service.baseUrl}/branch/store/debit`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${demo.secretKey}`,
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    body: JSON.stringify({ pin: demo.pin, amount: 1, storeId: demo.storeIds[0], narration: 'Try' }),
  });
const wallet = () =>
  fetch(`${service.baseUrl}/wallet/merchant`, { headers: { authorization: `Bearer ${demo.secretKey}` } });

describe('a database that is down', () => {
  it('is answered with 503, Retry-After and a sentence, for reads and for money, and soon', async () => {
    expect((await debit()).status).toBe(200);
    await database.stop();
    for (const ask of [debit, wallet, () => debit('down-1')]) {
      const begun = Date.now();
      const answer = await ask();
      const body = (await answer.json()) as { code?: string };
      expect([answer.status, body.code], JSON.stringify(body)).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(answer.headers.get('x-request-id')).toBeTruthy();
      expect(refusalFaults(body)).toEqual([]);
      expect(Date.now() - begun).toBeLessThan(8_000);
    }
  });

  it('is still so after what the service remembered of its callers is too old', async () => {
    await sleep(2_500);
    const answer = await debit();
    expect([answer.status, ((await answer.json()) as { code?: string }).code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  });

  it('leaves the service alive, and not ready', async () => {
    expect((await fetch(`${service.baseUrl}/healthz`)).status).toBe(200);
    const ready = await fetch(`${service.baseUrl}/readyz`);
    expect(ready.status).toBe(503);
    expect(Number(ready.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refusalFaults(await ready.json())).toEqual([]);
  });

  it('comes back: the next request works, and what was refused meanwhile had no effect', async () => {
    const before = database.connectionString;
    database = await startEmbeddedPostgres({ dataDir: databaseDir, logger });
    expect(database.connectionString).toBe(before);
    const answer = await debit('down-1');
    expect(answer.status, await answer.clone().text()).toBe(200);
    expect(answer.headers.get('idempotency-replayed')).toBeNull();
    expect((await fetch(`${service.baseUrl}/readyz`)).status).toBe(200);
    const [row] = await rowsOf<{ debits: number }>(
      database.connectionString,
      `select count(*)::int as debits from transactions where category = 'STORE_TO_MERCHANT'`,
    );
    expect(row?.debits).toBe(2);
  });

  it('does not end the service when it goes away between two requests, several times', async () => {
    for (let times = 0; times < 2; times += 1) {
      await database.stop();
      database = await startEmbeddedPostgres({ dataDir: databaseDir, logger });
      expect((await debit()).status).toBe(200);
    }
    expect(service.child.exitCode).toBeNull();
    expect(await service.end('SIGTERM'), service.output().slice(-2_000)).toBe(0);
  });

  it('at the start is said in one line', async () => {
    await database.stop();
    const started = startService({ dataDir, env: { DATABASE_URL: database.connectionString, DEMO_DATA: 'true' } });
    const error = await started.then(
      (running) => running.end('SIGKILL').then(() => 'it started'),
      (failure: Error) => failure.message,
    );
    expect(error).toMatch(/database|connect|reach/i);
    expect(error).not.toMatch(/\n\s+at .*\(/);
  });
});
