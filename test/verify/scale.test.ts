import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { type VerifyReport, verifyAll } from '../../src/verify/index.ts';
import { callWith } from '../approvals/approval-fixture.ts';
import { createTestApp, TEST_PIN, type TestApp } from '../support/app.ts';
import { bearer } from '../support/world.ts';
import { cloneBooks } from './clones.ts';
import { type Must, mustOf } from './maker.ts';

/** How many transfers the books are to have: none where nobody asks for it. `npm run test:long` does. */
const TRANSFERS = Number(process.env['VERIFY_TRANSFERS'] ?? 0);
/** Of the books that are copied; as many debits of a store for every twenty payouts of each kind. */
const DEBITS = 3_000;
const PAYOUTS = DEBITS / 20;
/** 5 million transfers in 3 minutes on two processors: time of processors, which a busy machine hardly changes. */
const MICROSECONDS_EACH = (2 * 180 * 1e6) / 5e6;
const MEMORY_MB = 1_024;
const TIME_LIMIT_MS = 7_200_000;

describe.runIf(TRANSFERS > 0)(`books of ${TRANSFERS.toLocaleString('en-GB')} transfers`, () => {
  let t: TestApp;
  let client: pg.Client;
  /** As the service opens it: the fixture proves on one connection that it keeps. */
  let database: Database;
  beforeAll(async () => {
    t = await createTestApp();
    client = new pg.Client({ connectionString: t.connectionString });
    await client.connect();
    database = openDatabase({
      connectionString: t.connectionString,
      maxConnections: 1,
      logger: createLogger('silent'),
    });
    await makeBooks(t, mustOf(callWith(t, bearer(t.merchant.secretKey))));
    const { ok, sizes } = await verifyAll(t);
    expect(ok).toBe(true);
    await cloneBooks(client, t.merchant.merchantId, Math.ceil(TRANSFERS / Number(sizes.transfers)) - 1);
  }, TIME_LIMIT_MS);
  afterAll(async () => {
    await Promise.all([client.end(), database.close()]);
    await t.close();
  });

  it(
    'are proven at a rate of 5 million in 3 minutes on two processors, within 1 GB',
    async () => {
      const watch = watchServer(client);
      const begun = performance.now();
      let report: VerifyReport;
      try {
        report = await verifyAll({ ...t, database });
      } finally {
        watch.stop();
      }
      const seconds = (performance.now() - begun) / 1e3;
      const { memoryMb, processorSeconds } = await watch.seen;
      const here = Math.round(process.memoryUsage.rss() / 2 ** 20);
      const said = [
        `${report.sizes.transfers} transfers, ${report.sizes.transactions} transactions`,
        `${seconds.toFixed(0)} s, of the server's processors ${processorSeconds.toFixed(0)} s`,
        `${memoryMb} MB in the server and ${here} MB here at most`,
      ];
      process.stdout.write(`\n${said.join('; ')}\n`);
      expect(report.checks.filter(({ ok }) => !ok)).toEqual([]);
      expect(processorSeconds, 'the processes of the proof were watched').toBeGreaterThan(0);
      expect(memoryMb + here).toBeLessThan(MEMORY_MB);
      expect((processorSeconds * 1e6) / Number(report.sizes.transfers)).toBeLessThan(MICROSECONDS_EACH);
    },
    TIME_LIMIT_MS,
  );
});

/** Debits of a store, a batch and single payouts, all of them through. */
async function makeBooks({ app, clock, merchant }: TestApp, must: Must): Promise<void> {
  await must('POST', '/sandbox/wallet/fund', { walletId: merchant.walletId, amount: 900_000_000 });
  const to = (at: number) => ({ bankCode: '058', accountNumber: String(1_000_000_000 + at), narration: `Item ${at}` });
  const items = Array.from({ length: PAYOUTS }, (_, at) => ({ amount: 1_000 + at, ...to(at) }));
  const { batchReference } = await must('POST', '/payout/bulk', { items });
  await app.worker.runOnce();
  await must('POST', '/payout/bulk/dispatch', { pin: TEST_PIN, batchReference });
  const debit = { pin: TEST_PIN, storeId: merchant.storeIds[0], amount: 1, narration: 'Sweep' };
  for (let at = 0; at < DEBITS; at += 50)
    await Promise.all(Array.from({ length: 50 }, () => must('POST', '/branch/store/debit', debit)));
  for (let at = 0; at < PAYOUTS; at += 1)
    await must('POST', '/payout/single', { pin: TEST_PIN, amount: 5_000 + at, ...to(at), reference: `INV-${at}` });
  for (let round = 0; round < 12; round += 1) {
    await app.worker.runOnce();
    clock.advance(60_000);
  }
}

/** What the server's processes of a proof take at most: memory of their own, and processor time. Linux alone says it. */
function watchServer(client: pg.Client) {
  let going = true;
  const watch = async () => {
    let memoryMb = 0;
    const seconds = new Map<number, number>();
    while (going) {
      const { rows } = await client.query<{ pid: number }>(
        `select pid from pg_stat_activity where datname = current_database() and application_name like '% reading'`,
      );
      const now = rows.map(({ pid }) => ({ pid, ...processOf(pid) }));
      memoryMb = Math.max(memoryMb, Math.round(now.reduce((sum, one) => sum + one.memoryKb, 0) / 1024));
      for (const one of now) seconds.set(one.pid, Math.max(one.seconds, seconds.get(one.pid) ?? 0));
      await sleep(100);
    }
    return { memoryMb, processorSeconds: [...seconds.values()].reduce((sum, one) => sum + one, 0) };
  };
  return {
    seen: watch(),
    stop() {
      going = false;
    },
  };
}

const TICKS_A_SECOND = 100;

function processOf(pid: number): { memoryKb: number; seconds: number } {
  try {
    const [, memory] = /RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    // After the name, which may have spaces in it: the fields from the third on.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return { memoryKb: Number(memory), seconds: (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND };
  } catch {
    // It has ended meanwhile.
    return { memoryKb: 0, seconds: 0 };
  }
}
