import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DemoFile } from '../../src/demo/index.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/db/embedded/index.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { tally } from '../support/http-client.ts';
import { startLoad, tellAgain, type Wish } from '../support/load.ts';
import { metricByProcess, processesOf } from '../support/processes.ts';
import {
  makeDataDir,
  readDemo,
  removeDataDir,
  runCommand,
  type ServiceProcess,
  startService,
} from '../support/service.ts';
import { rowsOf } from '../support/world.ts';

/**
 * Several processes of one command, some of which are killed in the middle of traffic into one wallet. `PROCESS_KILLS` makes
 * it long.
 */
const KILLS = Number(process.env['PROCESS_KILLS'] ?? 3);
const PROCESSES = 3;
const CONNECTIONS = 48;
const LOAD_MS = 1_500;
const REPLACED_MS = 60_000;

const databaseDir = makeDataDir();
const dataDir = makeDataDir();
const wishes: Wish[] = [];
let database: EmbeddedPostgres;
let env: Record<string, string>;
let service: ServiceProcess;
let demo: DemoFile;

beforeAll(async () => {
  database = await startEmbeddedPostgres({ dataDir: databaseDir, logger: createLogger('silent') });
  env = { DATABASE_URL: database.connectionString, DEMO_DATA: 'true', SHUTDOWN_DELAY_SECONDS: '2' };
  service = await startService({ dataDir, env: { ...env, PROCESSES: String(PROCESSES) } });
  demo = readDemo(dataDir);
});
afterAll(async () => {
  await service.end('SIGKILL');
  await database.stop();
  await removeDataDir(databaseDir);
  await removeDataDir(dataDir);
});

const answered = () => wishes.filter(({ answer }) => answer !== undefined).length;
const serving = async () => [...(await metricByProcess(service.baseUrl, 'process_start_time_seconds')).keys()].sort();

describe('processes of one command under load', () => {
  it('are replaced when they are killed, while the others serve on the same port', {
    timeout: 60_000 + KILLS * (REPLACED_MS + LOAD_MS * 2),
  }, async () => {
    for (let kill = 0; kill < KILLS; kill += 1) {
      const load = startLoad(service.baseUrl, demo, CONNECTIONS, wishes);
      await sleep(LOAD_MS);
      const before = processesOf(service);
      const victim = before[kill % before.length] as number;
      const answeredBefore = answered();
      process.kill(victim, 'SIGKILL');
      await expect.poll(answered, { timeout: REPLACED_MS }).toBeGreaterThan(answeredBefore + CONNECTIONS);
      await expect
        .poll(() => processesOf(service).filter((pid) => pid !== victim).length, { timeout: REPLACED_MS })
        .toBe(PROCESSES);
      await load.stop();
      await expect.poll(serving, { timeout: REPLACED_MS }).toEqual(['1', '2', '3']);
    }
    const heard = tally(wishes.flatMap((wish) => wish.heard));
    process.stdout.write(`${KILLS} killed: ${wishes.length} asked, heard ${JSON.stringify(heard)}\n`);
    expect(heard).not.toHaveProperty('ECONNREFUSED');
  });

  it('have each request in the books once that was answered, and each that is asked again', async () => {
    const unanswered = wishes.filter(({ answer }) => answer === undefined);
    await tellAgain(service.baseUrl, demo, unanswered, 60_000);
    const kept = await rowsOf<{ key: string; transaction_id: string; transfers: number }>(
      database.connectionString,
      `select k.key, k.transaction_id,
              (select count(*)::int from transfers f where f.merchant_id = k.merchant_id and f.transaction_id = k.transaction_id
                  and f.code in ('STORE_DEBIT', 'SUBACCOUNT_CREDIT', 'SUBACCOUNT_DEBIT', 'PAYOUT')
                  and f.kind in ('POSTED', 'PENDING')) as transfers
         from idempotency_keys k where k.merchant_id = $1 and k.key like 'wish-%' and k.answer_status = 200`,
      [demo.merchantId],
    );
    const byKey = new Map(kept.map((row) => [row.key, row]));
    const paid = wishes.filter(({ answer }) => answer?.status === 200);
    const wrong = paid.filter(({ key, answer }) => {
      const { transactionId } = (JSON.parse(answer?.text ?? '{}') as { data: { transactionId: string } }).data;
      return byKey.get(key)?.transaction_id !== transactionId || byKey.get(key)?.transfers !== 1;
    });
    expect(wrong).toEqual([]);
    expect(kept.length).toBe(paid.length);
    const { code, output } = await runCommand(dataDir, ['verify'], env);
    expect(code, output).toBe(0);
  });

  it('say that they are not ready, then answer all that came, before they end at a signal', async () => {
    const load = startLoad(service.baseUrl, demo, CONNECTIONS, [], 'last');
    await sleep(LOAD_MS);
    const ended = service.end('SIGTERM');
    // As a balancer would: it asks, and hands on no more once one says no.
    await expect
      .poll(async () => (await fetch(`${service.baseUrl}/readyz`)).status, { interval: 50, timeout: 2_000 })
      .toBe(503);
    await load.stop();
    expect(await ended, service.output().slice(-2_000)).toBe(0);
    expect(tally(load.wishes.flatMap(({ heard }) => heard))).toEqual({});
    expect(load.wishes.filter(({ answer }) => answer === undefined)).toEqual([]);
  });

  it('end in order when their supervisor is killed, and leave the port to the next start', async () => {
    service = await startService({ dataDir, env: { ...env, PROCESSES: '2' } });
    const left = processesOf(service);
    const { port } = service;
    await service.end('SIGKILL');
    const isGone = (pid: number) => {
      try {
        return process.kill(pid, 0) && false;
      } catch {
        return true;
      }
    };
    await expect.poll(() => left.every(isGone), { timeout: 30_000 }).toBe(true);
    service = await startService({ dataDir, port, env: { ...env, PROCESSES: '2' } });
    expect((await fetch(`${service.baseUrl}/readyz`)).status).toBe(200);
  });
});
