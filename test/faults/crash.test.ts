import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DemoFile } from '../../src/demo/index.ts';
import { httpClient, tally } from '../support/http-client.ts';
import { startLoad, tell, tellAgain, type Wish } from '../support/load.ts';
import {
  embeddedAddress,
  makeDataDir,
  postmasterPid,
  readDemo,
  removeDataDir,
  runCommand,
  type ServiceProcess,
  startService,
} from '../support/service.ts';
import { rowsOf } from '../support/world.ts';

/**
 * Kill -9 of the service, of the database's postmaster, of one of its processes and of everything, in the middle of
 * traffic. What a client was answered is in the books once; what it was not answered it asks again with its key, and
 * that too is in the books once. `CRASH_CYCLES` makes it long, `CRASH_LOAD_MS` sets the traffic before each blow.
 */
const ALL_BLOWS = ['service', 'postmaster', 'process', 'everything', 'connections'] as const;
type Blow = (typeof ALL_BLOWS)[number];
const BLOWS = ALL_BLOWS.filter((blow) => (process.env['CRASH_BLOWS'] ?? blow).split(',').includes(blow));
const CYCLES = Number(process.env['CRASH_CYCLES'] ?? BLOWS.length);
const LOAD_MS = Number(process.env['CRASH_LOAD_MS'] ?? 1_500);
const CONNECTIONS = 32;
const RECOVER_MS = 30_000;
const REPLAYED_SAMPLE = 300;
/** Reading all of it back, after a long run. */
const LOOK_MS = 30_000 + CYCLES * 5_000;

const dataDir = makeDataDir();
const wishes: Wish[] = [];
const counts = { cycles: 0, adopted: 0, retried: 0, retriedWithEffect: 0 };
let service: ServiceProcess;
let demo: DemoFile;

beforeAll(async () => {
  service = await startService({ dataDir });
  demo = readDemo(dataDir);
});
afterAll(() => removeDataDir(dataDir, [service]));

const unanswered = () => wishes.filter(({ answer }) => answer === undefined);

/** Strikes in the middle of traffic. The service has to be there again afterwards, by itself or by a new start. */
async function strike(blow: Blow): Promise<void> {
  const load = startLoad(service.baseUrl, demo, CONNECTIONS, wishes);
  await sleep(LOAD_MS * (0.5 + Math.random() / 2));
  const postmaster = postmasterPid(dataDir) as number;
  if (blow === 'process') process.kill(await someBackend(), 'SIGKILL');
  if (blow === 'connections') await endConnections();
  if (blow === 'postmaster' || blow === 'everything') process.kill(postmaster, 'SIGKILL');
  if (blow === 'service' || blow === 'everything') {
    await service.end('SIGKILL');
    await load.stop();
    service = await startService({ dataDir, port: service.port });
  } else {
    await backAgain();
    const answered = wishes.length - unanswered().length;
    await sleep(LOAD_MS / 2);
    await load.stop();
    expect(wishes.length - unanswered().length, 'traffic goes on after the blow').toBeGreaterThan(answered);
    expect(service.child.exitCode).toBeNull();
  }
  if (blow === 'service') {
    expect(postmasterPid(dataDir), 'the database that outlived the service was adopted').toBe(postmaster);
    counts.adopted += 1;
  }
  counts.cycles += 1;
}

async function someBackend(): Promise<number> {
  const rows = await rowsOf<{ pid: number }>(
    embeddedAddress(dataDir),
    `select pid from pg_stat_activity where backend_type = 'client backend' and application_name = 'manilla'
      order by state = 'active' desc limit 1`,
  );
  return rows[0]?.pid as number;
}

/** What a failover or a network device does to a pool. */
async function endConnections(): Promise<void> {
  for (let times = 0; times < 5; times += 1) {
    await rowsOf(
      embeddedAddress(dataDir),
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'manilla'`,
    );
    await sleep(50);
  }
}

async function backAgain(): Promise<void> {
  for (const deadline = Date.now() + RECOVER_MS; Date.now() < deadline; await sleep(50)) {
    const ready = await fetch(`${service.baseUrl}/readyz`).catch(() => undefined);
    if (ready?.status === 200) return;
  }
  throw new Error(`the service did not come back:\n${service.output().slice(-3_000)}`);
}

/** A 503 says that nothing was done: then there must be no effect under its key. */
async function expectHonestRefusals(): Promise<void> {
  const told = unanswered().filter(
    ({ heard }) => heard.length === 1 && heard[0]?.includes('"code":"SERVICE_UNAVAILABLE"'),
  );
  const kept = await rowsOf<{ key: string }>(
    embeddedAddress(dataDir),
    // A refusal may have been kept: it moved nothing.
    'select key from idempotency_keys where merchant_id = $1 and key = any ($2) and transaction_id is not null',
    [demo.merchantId, told.map(({ key }) => key)],
  );
  expect(kept, 'said "nothing was done", and something was').toEqual([]);
}

async function verified(): Promise<void> {
  const { code, output } = await runCommand(dataDir, ['verify']);
  expect(code, output).toBe(0);
}

describe('kill -9 in the middle of traffic', () => {
  it(
    `${CYCLES} times: everything answered is in the books once, and so is everything asked again`,
    async () => {
      for (let cycle = 0; cycle < CYCLES; cycle += 1) {
        const blow = BLOWS[cycle % BLOWS.length] as Blow;
        await strike(blow);
        await expectHonestRefusals();
        await verified();
        const again = unanswered();
        await tellAgain(service.baseUrl, demo, again, RECOVER_MS);
        counts.retried += again.length;
        counts.retriedWithEffect += again.filter(
          ({ answer }) => answer?.replayed === true && answer.status === 200,
        ).length;
        const heard = tally(
          again.flatMap((wish) => wish.heard.map((text) => text.replace(/.*"code":"(\w+)".*/, '$1'))),
        );
        process.stdout.write(
          `${blow}: ${wishes.length} asked, ${again.length} asked again; heard ${JSON.stringify(heard)}\n`,
        );
      }
      expect(unanswered()).toEqual([]);
    },
    30_000 + CYCLES * (LOAD_MS * 3 + 30_000),
  );

  it('a client gets nothing but answers, a 503, or that an outcome is unknown', () => {
    const strange = wishes
      .flatMap(({ heard }) => heard)
      .filter((text) => /^5/.test(text) && !/^503 .*"status":false/.test(text));
    expect(strange).toEqual([]);
  });

  it('every answer is in the books exactly once, with its transaction', { timeout: LOOK_MS }, async () => {
    // A crash makes PostgreSQL forget that its tables grew.
    await rowsOf(embeddedAddress(dataDir), 'analyze');
    const ids = wishes
      .filter(({ answer }) => answer?.status === 200)
      .map((wish) => [wish.key, transactionOf(wish)] as const);
    const rows = await rowsOf<{ key: string; transaction_id: string; transactions: number; transfers: number }>(
      embeddedAddress(dataDir),
      `select k.key, k.transaction_id,
              (select count(*)::int from transactions t where t.merchant_id = k.merchant_id and t.mode = k.mode and t.id = k.transaction_id) as transactions,
              (select count(*)::int from transfers f
                where f.merchant_id = k.merchant_id and f.transaction_id = k.transaction_id and f.code in
                  ('STORE_DEBIT', 'SUBACCOUNT_CREDIT', 'SUBACCOUNT_DEBIT', 'PAYOUT') and f.kind in ('POSTED', 'PENDING')) as transfers
         from idempotency_keys k where k.merchant_id = $1 and k.key like 'wish-%' and k.answer_status = 200`,
      [demo.merchantId],
    );
    const byKey = new Map(rows.map((row) => [row.key, row]));
    const wrong = ids.filter(([key, id]) => {
      const row = byKey.get(key);
      return row?.transaction_id !== id || row.transactions !== 1 || row.transfers !== 1;
    });
    expect(wrong).toEqual([]);
    expect(new Set(ids.map(([, id]) => id)).size, 'no two answers share a transaction').toBe(ids.length);
    expect(rows.length, 'nothing is in the books that nobody was sent').toBe(ids.length);
  });

  it('every refusal for lack of money moved nothing and stays refused', async () => {
    const refused = wishes.filter(({ answer }) => answer?.status !== 200);
    expect(tally(refused.map(({ answer }) => JSON.parse(answer?.text ?? '{}').code))).toEqual({
      INSUFFICIENT_FUNDS: refused.length,
    });
    const moved = await rowsOf(
      embeddedAddress(dataDir),
      'select key from idempotency_keys where merchant_id = $1 and key = any ($2) and transaction_id is not null',
      [demo.merchantId, refused.map(({ key }) => key)],
    );
    expect(moved).toEqual([]);
  });

  it('asked once more, each says the same word for word', { timeout: LOOK_MS }, async () => {
    const client = httpClient(service.baseUrl, 16);
    const step = Math.max(1, Math.floor(wishes.length / REPLAYED_SAMPLE));
    for (const wish of wishes.filter((_, at) => at % step === 0)) {
      const copy: Wish = { ...wish, answer: undefined, heard: [] };
      expect(await tell(client, demo, copy), copy.heard.join()).toBe(true);
      expect(copy.answer).toEqual({ status: wish.answer?.status, text: wish.answer?.text, replayed: true });
    }
    await client.close();
  });

  it('payouts that were caught by it come to their end, each sent to the bank once', {
    timeout: LOOK_MS + 60_000,
  }, async () => {
    const open = async () =>
      (
        await rowsOf<{ open: number }>(
          embeddedAddress(dataDir),
          `select count(*)::int as open from transactions where category = 'PAYOUT' and status in ('QUEUED', 'PROCESSING')`,
        )
      )[0]?.open;
    // Claims of killed workers run out in real time; here they have.
    await rowsOf(embeddedAddress(dataDir), 'update payouts set due_at = now() where due_at is not null');
    for (const deadline = Date.now() + 60_000; (await open()) !== 0; await sleep(200)) {
      if (Date.now() > deadline) break;
      // A payout that lost its answer asks the bank again later; play time may pass faster.
      await fetch(`${service.baseUrl}/sandbox/clock/advance`, {
        method: 'POST',
        headers: { authorization: `Bearer ${demo.secretKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ seconds: 3_600 }),
      });
    }
    expect(
      await rowsOf(
        embeddedAddress(dataDir),
        `select t.id, t.status, t.reason, p.next_step, p.due_at, p.attempts, p.rail_code, p.scenario, now()
           from transactions t join payouts p on p.merchant_id = t.merchant_id and p.mode = t.mode and p.id = t.id
          where t.status in ('QUEUED', 'PROCESSING') limit 5`,
      ),
    ).toEqual([]);
    const unlike = await rowsOf(
      embeddedAddress(dataDir),
      `select t.id, t.status from transactions t
         left join payouts p on p.merchant_id = t.merchant_id and p.id = t.id
         left join sandbox_rail_transfers s on s.merchant_id = t.merchant_id and s.rail_reference = p.rail_reference
        where t.category = 'PAYOUT' and (t.status <> 'SUCCESS' or s.received_at is null or s.amount_minor <> t.amount_minor)`,
    );
    expect(unlike).toEqual([]);
  });

  it('the balances are what the answers add up to', async () => {
    const call = async (path: string) =>
      (
        (await (
          await fetch(`${service.baseUrl}${path}`, { headers: { authorization: `Bearer ${demo.secretKey}` } })
        ).json()) as { data: never }
      ).data as Record<string, unknown>;
    const moved = { wallet: 0, stores: 0, subaccounts: 0 };
    for (const { request, answer } of wishes.filter((wish) => wish.answer?.status === 200)) {
      const { amount, totalAmount } = JSON.parse(answer?.text ?? '').data as { amount: number; totalAmount: number };
      const kobo = Math.round(amount * 100);
      if (request.url === '/branch/store/debit')
        [moved.stores, moved.wallet] = [moved.stores - kobo, moved.wallet + kobo];
      if (request.url === '/subaccount/credit')
        [moved.wallet, moved.subaccounts] = [moved.wallet - kobo, moved.subaccounts + kobo];
      if (request.url === '/subaccount/debit')
        [moved.subaccounts, moved.wallet] = [moved.subaccounts - kobo, moved.wallet + kobo];
      if (request.url === '/payout/single') moved.wallet -= Math.round(totalAmount * 100);
    }
    const { wallet } = (await call('/wallet/merchant')) as { wallet: Record<string, number> };
    const { records } = (await call('/branch/store')) as { records: { bookedBalance: number }[] };
    const stores = records.reduce((sum, { bookedBalance }) => sum + Math.round(bookedBalance * 100), 0);
    expect({
      wallet: Math.round((wallet['bookedBalance'] as number) * 100) - 10_000_000_00,
      stores: stores - 3_000_000_00,
      subaccounts: Math.round((wallet['totalChildAccountBalance'] as number) * 100),
    }).toEqual(moved);
    expect(wallet['availableBalance']).toBe(wallet['bookedBalance']);
  });

  it('verify agrees, and the numbers are printed', { timeout: LOOK_MS }, async () => {
    await verified();
    const acknowledged = wishes.filter(({ answer }) => answer?.status === 200).length;
    process.stdout.write(
      `crash: ${JSON.stringify({ ...counts, acknowledged, refused: wishes.length - acknowledged })}\n`,
    );
    expect(await service.end('SIGTERM'), service.output().slice(-2_000)).toBe(0);
    expect(postmasterPid(dataDir)).toBeUndefined();
  });
});

function transactionOf({ answer }: Wish): string {
  return (JSON.parse(answer?.text ?? '{}') as { data: { transactionId: string } }).data.transactionId;
}
