import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/db/embedded/index.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { httpClient, tally } from '../support/http-client.ts';
import { makeDataDir, readDemo, removeDataDir, type ServiceProcess, startService } from '../support/service.ts';
import { rowsOf } from '../support/world.ts';

const CHECK_EVERY_MS = 200;
const CONNECTIONS = 16;

const databaseDir = makeDataDir();
const dataDir = makeDataDir();
let database: EmbeddedPostgres;
let env: Record<string, string>;

beforeAll(async () => {
  database = await startEmbeddedPostgres({ dataDir: databaseDir, logger: createLogger('silent') });
  env = { DATABASE_URL: database.connectionString, DEMO_DATA: 'true' };
  const first = await startService({ dataDir, env });
  await first.end('SIGTERM');
});
afterAll(async () => {
  await database.stop();
  await removeDataDir(databaseDir);
  await removeDataDir(dataDir);
});

const startServing = () =>
  startService({ dataDir, args: ['serve'], env: { ...env, SHUTDOWN_DELAY_SECONDS: '1', LOG_LEVEL: 'info' } });

interface Balancer {
  baseUrl: string;
  /** Resolves when it has said that it is ready. */
  add(service: ServiceProcess): Promise<void>;
  close(): void;
}

/** As plain as a balancer can be: asks each service for its readiness, and hands requests to those that said yes last. */
async function startBalancer(): Promise<Balancer> {
  const services = new Map<string, boolean>();
  let turn = 0;
  const check = async (baseUrl: string) => {
    const answer = await fetch(`${baseUrl}/readyz`).catch(() => undefined);
    if (services.has(baseUrl)) services.set(baseUrl, answer?.status === 200);
  };
  const timer = setInterval(() => void Promise.all([...services.keys()].map(check)), CHECK_EVERY_MS);
  const hand = (asked: IncomingMessage, answer: ServerResponse) => {
    const ready = [...services].filter(([, isReady]) => isReady).map(([baseUrl]) => baseUrl);
    turn += 1;
    const target = ready[turn % ready.length];
    if (target === undefined) return answer.writeHead(502).end('no service is ready');
    const onward = request(`${target}${asked.url}`, { method: asked.method, headers: asked.headers }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    });
    onward.on('error', (error: NodeJS.ErrnoException) => answer.writeHead(502).end(error.code));
    return asked.pipe(onward);
  };
  const server: Server = createServer(hand);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async add({ baseUrl }) {
      services.set(baseUrl, false);
      await expect.poll(() => services.get(baseUrl), { timeout: 30_000, interval: 50 }).toBe(true);
    },
    close() {
      clearInterval(timer);
      server.closeAllConnections();
      server.close();
    },
  };
}

describe('a rolling restart behind a balancer, under load', () => {
  it('refuses nobody and fails no request, also while the schema of the next version is there', async () => {
    const balancer = await startBalancer();
    let services = [await startServing(), await startServing()];
    for (const service of services) await balancer.add(service);
    const demo = readDemo(dataDir);
    const client = httpClient(balancer.baseUrl, CONNECTIONS);
    const heard: string[] = [];
    let stopped = false;
    const ask = async (): Promise<void> => {
      while (!stopped) {
        const body = { pin: demo.pin, amount: 1, storeId: demo.storeIds[0], narration: 'Rolling' };
        const headers = { authorization: `Bearer ${demo.secretKey}` };
        const { status, text } = await client.send({ method: 'POST', url: '/branch/store/debit', body }, headers);
        heard.push(status === 200 ? '200' : `${status} ${text}`);
      }
    };
    const asking = Promise.all(Array.from({ length: CONNECTIONS }, ask));
    await expect.poll(() => heard.length).toBeGreaterThan(CONNECTIONS);
    // What the next version adds, this one has to live with.
    await rowsOf(database.connectionString, 'alter table wallets add column of_the_next_version text', []);
    await rowsOf(
      database.connectionString,
      `insert into schema_migrations values ('9999_of-the-next-version.sql', 'none', now())`,
      [],
    );
    for (const before of services) {
      const next = await startServing();
      await balancer.add(next);
      const ended = before.end('SIGTERM');
      await expect.poll(async () => (await fetch(`${before.baseUrl}/readyz`)).status, { interval: 50 }).toBe(503);
      expect(await ended, before.output().slice(-2_000)).toBe(0);
      services = [...services, next];
    }
    await sleep(500);
    stopped = true;
    await asking;
    await client.close();
    process.stdout.write(`rolling restart of two processes: ${JSON.stringify(tally(heard))}\n`);
    expect(tally(heard)).toEqual({ '200': heard.length });
    for (const service of services) await service.end('SIGKILL');
    balancer.close();
  });
});
