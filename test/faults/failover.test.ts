import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/db/database.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { httpClient } from '../support/http-client.ts';
import { brokenChecks } from '../support/proof.ts';
import { type ReplicatedPair, startReplicatedPair } from '../support/replicated-pair.ts';
import { makeDataDir, readDemo, removeDataDir, type ServiceProcess, startService } from '../support/service.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { rowsOf } from '../support/world.ts';

/** No request may hang longer than this, whatever the database does. */
const LONGEST_REQUEST_MS = 10_000;
/** From the promotion on. */
const SERVES_WITHIN_MS = 5_000;
const CONNECTIONS = 16;

interface Asked {
  key: string;
  status: number | undefined;
  begunAt: number;
  ms: number;
}

interface Load {
  asked: Asked[];
  stop(): Promise<void>;
}

const cleanUp: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const undo of cleanUp.reverse()) await undo();
});

/** Debits of one store, each under a key of its own, one after the other on every connection. */
function startDebits(service: ServiceProcess, dataDir: string): Load {
  const demo = readDemo(dataDir);
  const client = httpClient(service.baseUrl, CONNECTIONS);
  const asked: Asked[] = [];
  let stopped = false;
  const ask = async () => {
    while (!stopped) {
      const one: Asked = { key: `failover-${asked.length}`, status: undefined, begunAt: Date.now(), ms: 0 };
      asked.push(one);
      const body = { pin: demo.pin, amount: 1, storeId: demo.storeIds[0], narration: 'Failover' };
      const headers = { authorization: `Bearer ${demo.secretKey}`, 'idempotency-key': one.key };
      const answer = await client
        .send({ method: 'POST', url: '/branch/store/debit', body }, headers)
        .catch(() => undefined);
      one.ms = Date.now() - one.begunAt;
      one.status = answer?.status;
      if (one.status !== 200) await sleep(50);
    }
  };
  const asking = Promise.all(Array.from({ length: CONNECTIONS }, ask));
  return {
    asked,
    async stop() {
      stopped = true;
      await asking;
      await client.close();
    },
  };
}

const untilAnswered = (load: Load, since: number) =>
  expect
    .poll(() => load.asked.some(({ status, begunAt }) => status === 200 && begunAt >= since), {
      timeout: 30_000,
      interval: 20,
    })
    .toBe(true);

const readiness = async ({ baseUrl }: ServiceProcess) => (await fetch(`${baseUrl}/readyz`)).status;

interface Scene {
  pair: ReplicatedPair;
  proxy: TcpProxy;
}

describe.each<{ name: string; primaryGoes: (scene: Scene) => void }>([
  { name: 'is killed', primaryGoes: ({ pair }) => pair.killPrimary() },
  { name: 'is frozen', primaryGoes: ({ pair }) => pair.freezePrimary() },
  { name: 'is swallowed by the network', primaryGoes: ({ proxy }) => proxy.swallow() },
])('a primary that $name under load, and a standby that is promoted', ({ name, primaryGoes }) => {
  it('cost no acknowledged debit and repeat none; the service goes on by itself, and no request hangs', async () => {
    const pair = await startReplicatedPair();
    cleanUp.push(() => pair.remove());
    const proxy = await startTcpProxy(pair.primaryPort);
    cleanUp.push(() => proxy.close());
    const dataDir = makeDataDir();
    const address = `${pair.addressOf([proxy.port, pair.standbyPort])}?target_session_attrs=read-write`;
    const service = await startService({ dataDir, env: { DATABASE_URL: address, DEMO_DATA: 'true' } });
    cleanUp.push(() => removeDataDir(dataDir, [service]));
    expect(await readiness(service)).toBe(200);

    const load = startDebits(service, dataDir);
    await untilAnswered(load, Date.now());
    await sleep(1_000);
    primaryGoes({ pair, proxy });
    await expect.poll(() => readiness(service), { timeout: LONGEST_REQUEST_MS, interval: 200 }).toBe(503);
    const promotedAt = Date.now();
    pair.promoteStandby();
    await untilAnswered(load, promotedAt);
    const servedAfterMs = Date.now() - promotedAt;
    await sleep(500);
    await load.stop();
    // What was found a second ago is said once more.
    await expect.poll(() => readiness(service), { timeout: SERVES_WITHIN_MS, interval: 100 }).toBe(200);

    const standby = pair.addressOf([pair.standbyPort]);
    const kept = await rowsOf<{ key: string }>(standby, `select key from idempotency_keys where key like 'failover-%'`);
    const debits = await rowsOf<{ id: string }>(standby, `select id from transactions where narration = 'Failover'`);
    const keys = new Set(kept.map(({ key }) => key));
    const acknowledged = load.asked.filter(({ status }) => status === 200);
    const longest = Math.max(...load.asked.map(({ ms }) => ms));
    process.stdout.write(
      `primary ${name}: ${acknowledged.length} acknowledged, ${debits.length} in the books; ` +
        `served ${servedAfterMs} ms after the promotion; longest request ${longest} ms\n`,
    );
    expect(acknowledged.filter(({ key }) => !keys.has(key))).toEqual([]);
    expect(debits.length).toBe(keys.size);
    expect(longest).toBeLessThan(LONGEST_REQUEST_MS);
    expect(servedAfterMs).toBeLessThan(SERVES_WITHIN_MS);
    expect(load.asked.every(({ status }) => status === 200 || status === 503)).toBe(true);
    const database = openDatabase({ connectionString: standby, maxConnections: 2, logger: createLogger('silent') });
    expect(await brokenChecks(database)).toEqual([]);
    await database.close();
  });
});

describe('a server that takes no writes', () => {
  it('is not ready, and its debits are 503 and not a defect', async () => {
    const pair = await startReplicatedPair();
    cleanUp.push(() => pair.remove());
    const dataDir = makeDataDir();
    const both = { dataDir, env: { DATABASE_URL: pair.addressOf([pair.primaryPort]), DEMO_DATA: 'true' } };
    const first = await startService(both);
    await first.end('SIGTERM');
    const service = await startService({
      dataDir,
      args: ['serve'],
      env: { ...both.env, DATABASE_URL: pair.addressOf([pair.standbyPort]), LOG_LEVEL: 'info' },
    });
    cleanUp.push(() => removeDataDir(dataDir, [service]));
    expect(await readiness(service)).toBe(503);
    const load = startDebits(service, dataDir);
    await expect.poll(() => load.asked.some(({ status }) => status !== undefined)).toBe(true);
    await load.stop();
    expect(new Set(load.asked.map(({ status }) => status))).toEqual(new Set([503]));
  });
});
