import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DemoFile } from '../../src/demo/index.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type HttpAnswer, httpClient, tally } from '../support/http-client.ts';
import { metricByProcess, processesOf } from '../support/processes.ts';
import { makeDataDir, readDemo, removeDataDir, type ServiceProcess, startService } from '../support/service.ts';
import { rowsOf } from '../support/world.ts';

/** One command in two processes. What becomes of those that are killed is in `test/faults/processes.test.ts`. */
const CONNECTIONS = 24;
const PER_SECOND = 20;
const WINDOW_SECONDS = 10;

const dataDir = makeDataDir();
let database: TestDatabase;
let service: ServiceProcess;
let demo: DemoFile;

beforeAll(async () => {
  database = await createTestDatabase();
  const env = { DATABASE_URL: database.connectionString, DEMO_DATA: 'true', RATE_LIMIT_PER_SECOND: String(PER_SECOND) };
  service = await startService({ dataDir, args: ['--processes', '2'], env });
  demo = readDemo(dataDir);
});
afterAll(async () => {
  await removeDataDir(dataDir, [service]);
  await database.drop();
});

/** Each over a connection of its own, all at once: the kernel shares them out. */
async function askAtOnce(
  count: number,
  ask: (send: ReturnType<typeof httpClient>['send'], at: number) => Promise<HttpAnswer>,
) {
  const clients = Array.from({ length: CONNECTIONS }, () => httpClient(service.baseUrl, 1));
  try {
    return await Promise.all(
      Array.from({ length: count }, (_, at) => ask((clients[at % CONNECTIONS] as (typeof clients)[0]).send, at)),
    );
  } finally {
    await Promise.all(clients.map((client) => client.close()));
  }
}

const authorization = () => `Bearer ${demo.secretKey}`;

const READ = { method: 'GET' as const, url: '/wallet/merchant', body: undefined };

const debit = (amount: number) => ({
  method: 'POST' as const,
  url: '/branch/store/debit',
  body: { pin: demo.pin, amount, storeId: demo.storeIds[0], narration: 'Of many' },
});

describe('one command in two processes', () => {
  it('is two processes on one port, and its start shows one screen', () => {
    expect(processesOf(service)).toHaveLength(2);
    expect(service.output().match(/Manilla is up at/g)).toHaveLength(1);
  });

  it('moves money once for one key that both are asked with at the same time', async () => {
    const headers = { authorization: authorization(), 'idempotency-key': 'once-in-both' };
    const answers = await askAtOnce(CONNECTIONS, (send) => send(debit(1.25), headers));
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: CONNECTIONS });
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(tally(answers.map((answer) => String(answer.headers['idempotency-replayed'] ?? 'first')))).toEqual({
      first: 1,
      true: CONNECTIONS - 1,
    });
    const kept = await rowsOf(database.connectionString, `select key from idempotency_keys where key = 'once-in-both'`);
    expect(kept).toHaveLength(1);
  });

  it('says at one address what each of them counted', async () => {
    const debits = () => metricByProcess(service.baseUrl, 'http_request_duration_seconds_count', /store\/debit/);
    await expect
      .poll(async () => [...(await debits()).values()].reduce((sum, each) => sum + each, 0))
      .toBe(CONNECTIONS);
    expect([...(await debits()).keys()].sort()).toEqual(['1', '2']);
    expect([...(await metricByProcess(service.baseUrl, 'rail_circuit_closed', /SANDBOX/)).values()]).toEqual([1, 1]);
  });

  it('moves money for each of many keys, and both have the same balance then', async () => {
    const balance = async (send: ReturnType<typeof httpClient>['send']) => {
      const answer = await send(READ, { authorization: authorization() });
      return (JSON.parse(answer.text) as { data: { wallet: { bookedBalance: number } } }).data.wallet.bookedBalance;
    };
    const [before = 0] = await Promise.all([balance(httpClient(service.baseUrl, 1).send)]);
    const answers = await askAtOnce(CONNECTIONS * 4, (send, at) =>
      send(debit(2), { authorization: authorization(), 'idempotency-key': `many-${at}` }),
    );
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: CONNECTIONS * 4 });
    const after: number[] = [];
    await askAtOnce(CONNECTIONS / 2, async (send) => {
      after.push(await balance(send));
      return { status: 200, headers: {}, text: '' };
    });
    expect(new Set(after)).toEqual(new Set([before + CONNECTIONS * 8]));
  });

  it('takes of one key as many requests as each of them does by itself, and no more', async () => {
    const limit = PER_SECOND * WINDOW_SECONDS;
    // A key that nobody has used, so that its window begins here.
    const headers = { authorization: `Bearer ${demo.pendingMerchant.secretKey}` };
    const begun = performance.now();
    const answers = await askAtOnce(3 * limit, (send) => send({ ...READ, url: '/merchant/info' }, headers));
    // A busy machine may take longer for them than a window lasts.
    const windows = Math.ceil((performance.now() - begun) / (WINDOW_SECONDS * 1_000));
    const { 200: taken = 0, ...others } = tally(answers.map(({ status }) => status));
    expect(Object.keys(others)).toEqual(['429']);
    expect(taken).toBeGreaterThan(limit);
    expect(taken).toBeLessThanOrEqual(2 * limit * windows);
  });

  it('ends as one, by one signal', async () => {
    expect(await service.end('SIGTERM'), service.output().slice(-2_000)).toBe(0);
  });
});
