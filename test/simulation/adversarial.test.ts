import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createContainer } from '../../src/container.ts';
import { confirmOutcome } from '../../src/outcomes/confirm-outcome.ts';
import { proposeOutcome } from '../../src/outcomes/propose-outcome.ts';
import { createPerson } from '../../src/people/index.ts';
import { createLogger } from '../../src/platform/logger.ts';
import {
  createSandboxRail,
  type ProviderWebhookRequest,
  SANDBOX_SCENARIOS,
  type SandboxTransfer,
} from '../../src/rails/index.ts';
import { verifyBooks } from '../../src/verify/index.ts';
import { createTestApp, TEST_PIN, type TestApp, type TestMerchant } from '../support/app.ts';
import { bearer, rowsOf } from '../support/world.ts';
import { startWorkers, type WorkerProcesses } from './worker-processes.ts';

/**
 * A rail on its worst day: payouts in every scenario it can play, three workers killed at random, webhooks doubled and
 * shuffled. When nothing is left to do, the rail's books and ours agree payout by payout. `ADVERSARIAL_PAYOUTS` makes
 * it long.
 */
const PAYOUTS = Number(process.env['ADVERSARIAL_PAYOUTS'] ?? 300);
const MERCHANTS = Math.min(10, Math.ceil(PAYOUTS / 100));
/** About so long a worker lives once it works. */
const ALIVE_MS = 2_000;
/** At least so many, however fast it drains. */
const MIN_KILLS = Math.min(40, Math.ceil(PAYOUTS / 60));
const DRAIN_MS = 240_000 + PAYOUTS * 60;
/** Never end by themselves: an operator has to. The rail is silent about the first, and about another transfer for the rest. */
const OPEN_FOR_EVER = ['pending-forever', 'other-amount', 'other-currency', 'other-account', 'other-reference'];
/** Fails, and says so only in the answer to the send: where a worker died with that answer, two people have to decide. */
const TOLD_ONCE = 'failed-not-permitted';
const NAIRA = 1_000;
const SCENARIOS = SANDBOX_SCENARIOS.map(({ name, suffix }) => ({ name, suffix }));

let app: TestApp;
let workers: WorkerProcesses;
let told = 0;
const merchants: TestMerchant[] = [];

beforeAll(async () => {
  app = await createTestApp();
  for (let at = 0; at < MERCHANTS; at += 1) merchants.push(await app.addMerchant({ name: `Adversary ${at}` }));
  workers = startWorkers(3, {
    DATABASE_URL: app.connectionString,
    PIN_PEPPER: 'a pepper of thirty-two characters',
    KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  });
});
afterAll(async () => {
  await workers?.stop();
  await app?.close();
});

async function must(merchant: TestMerchant, method: 'GET' | 'POST', path: string, body?: unknown) {
  const reply = await app.call(method, path, body, bearer(merchant.secretKey));
  if (reply.body?.status !== true) throw new Error(`${method} ${path}: ${reply.text}`);
  return reply.body.data;
}

/** Accounts of every scenario by turns, each account once. */
function itemsOf(merchantAt: number, count: number) {
  return Array.from({ length: count }, (_, at) => {
    const scenario = SCENARIOS[at % SCENARIOS.length] as (typeof SCENARIOS)[number];
    const front = 1_000 + merchantAt * 500 + Math.floor(at / SCENARIOS.length);
    const accountNumber = `${front}${scenario.suffix}`;
    return { amount: NAIRA + at, bankCode: '058', accountNumber, narration: `${scenario.name} ${at}` };
  });
}

async function dispatchAll(): Promise<number> {
  const counts = await Promise.all(
    merchants.map(async (merchant, at) => {
      await must(merchant, 'POST', '/sandbox/wallet/fund', { walletId: merchant.walletId, amount: 50_000_000 });
      const items = itemsOf(at, Math.ceil(PAYOUTS / MERCHANTS));
      const { batchReference } = await must(merchant, 'POST', '/payout/bulk', { items });
      for (;;) {
        const batch = await must(merchant, 'GET', `/payout/bulk/${batchReference}`);
        if (batch.status === 'READY' || batch.status === 'NEEDS_FIX') break;
        // Time that banks take to be silent about a name.
        await must(merchant, 'POST', '/sandbox/clock/advance', { seconds: 60 });
        await sleep(300);
      }
      await must(merchant, 'POST', '/payout/bulk/dispatch', { pin: TEST_PIN, batchReference, skipInvalid: true });
      return (await must(merchant, 'GET', `/payout/bulk/${batchReference}`)).counts.valid as number;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

interface Ours {
  merchant_id: string;
  rail_reference: string;
  status: string;
  reason: string | null;
  amount_minor: string;
  narration: string;
}

function ourBooks(): Promise<Ours[]> {
  return rowsOf<Ours>(
    app.connectionString,
    `select p.merchant_id, p.rail_reference, t.status, t.reason, t.amount_minor, t.narration
       from payouts p
       join transactions t on t.merchant_id = p.merchant_id and t.mode = p.mode and t.id = p.id`,
  );
}

async function leftToDo(): Promise<number> {
  const [row] = await rowsOf<{ open: number }>(
    app.connectionString,
    `select ((select count(*) from transactions t
               where t.category = 'PAYOUT' and t.status not in ('SUCCESS', 'FAILED', 'REVERSED', 'CANCELLED')
                 and split_part(t.narration, ' ', 1) <> all ($1)
                 and not (t.narration like '${TOLD_ONCE} %' and t.reason = 'OUTCOME_UNKNOWN'))
           + (select count(*) from batch_chunks where due_at is not null)
           + (select count(*) from sandbox_rail_transfers where next_webhook_at is not null))::int as open`,
    [OPEN_FOR_EVER],
  );
  return row?.open ?? 0;
}

/** Moves sandbox time on, so that the waits of a day take a minute. */
async function drain(): Promise<void> {
  const mischief = createMischief();
  for (const deadline = Date.now() + DRAIN_MS; ; ) {
    const left = await leftToDo();
    if (left === 0 && workers.killed >= MIN_KILLS) return;
    if (Date.now() > deadline) throw new Error(`${left} are left to do:\n${workers.output()}`);
    for (const merchant of merchants) await must(merchant, 'POST', '/sandbox/clock/advance', { seconds: 60 });
    await mischief();
    await sleep(300);
  }
}

/** Takes the webhooks that are due out of the workers' hands, and tells them over HTTP, each twice, in any order. */
function createMischief(): () => Promise<void> {
  const held: ProviderWebhookRequest[] = [];
  const rail = createSandboxRail({
    database: app.database,
    clock: app.clock,
    providerWebhooks: {
      secret: app.secrets.hmac('sandbox-rail', 'webhooks'),
      deliver: async (request) => void held.push(request),
    },
  });
  return async () => {
    await rail.deliverAllDueWebhooks(app.jobs);
    const copies = held.splice(0).flatMap((request) => [request, request]);
    for (const { headers, rawBody } of copies.sort(() => Math.random() - 0.5)) {
      const url = '/rail/sandbox/sandbox/webhook';
      const reply = await app.app.server.inject({ method: 'POST', url, headers: { ...headers }, payload: rawBody });
      expect(reply.statusCode, reply.body).toBe(200);
      told += 1;
    }
  };
}

async function railBooks(): Promise<Map<string, SandboxTransfer>> {
  const rail = createSandboxRail({ database: app.database, clock: app.clock });
  const lines = new Map<string, SandboxTransfer>();
  for (const { merchantId } of merchants) {
    let after = '';
    for (;;) {
      const page = await rail.listTransfers({ merchantId, mode: 'SANDBOX' }, { after, limit: 1_000 });
      for (const line of page) lines.set(line.railReference, line);
      const last = page.at(-1);
      if (last === undefined) break;
      after = last.railReference;
    }
  }
  return lines;
}

/** The answers that died with their workers, as two operators find them in the rail's books. */
async function decideByTwo(): Promise<number> {
  const { config, database, secrets, clock } = app;
  const container = createContainer({ config, database, secrets, clock, logger: createLogger('fatal') });
  const password = 'correct horse battery staple';
  const operator = (email: string) => createPerson({ database, clock }, { kind: 'OPERATOR', email, password });
  const [one, other] = [await operator('one@operator.example'), await operator('two@operator.example')];
  const open = await rowsOf<{ merchant_id: string; id: string }>(
    app.connectionString,
    `select merchant_id, id from transactions where status = 'PROCESSING' and narration like '${TOLD_ONCE} %'`,
  );
  for (const { merchant_id: merchantId, id: payoutId } of open) {
    const tenant = { merchantId, mode: 'SANDBOX' } as const;
    const word = { outcome: 'FAILED', source: 'RAIL_DASHBOARD', note: 'The rail shows it as declined.' } as const;
    const proposed = await proposeOutcome(container, { tenant, payoutId, ...word, personId: one.personId });
    await confirmOutcome(container, { tenant, ...proposed, personId: other.personId });
  }
  return open.length;
}

/** What our status has to be where the rail's books say this. */
const AGREES: Record<string, string> = {
  succeeded: 'SUCCESS',
  failed: 'FAILED',
  reversed: 'REVERSED',
  unknown: 'PROCESSING',
};

function agrees({ status, reason, amount_minor, narration }: Ours, theirs: SandboxTransfer | undefined): boolean {
  if (theirs === undefined || theirs.amountMinor !== BigInt(amount_minor)) return false;
  if (OPEN_FOR_EVER.includes(narration.split(' ')[0] ?? '')) return status === 'PROCESSING';
  // Returned before anybody saw the success, because a worker died with it: it was never paid, and says why.
  if (theirs.outcome === 'reversed' && status === 'FAILED') return reason === 'RAIL_REVERSED';
  return AGREES[theirs.outcome] === status;
}

describe('the rail on its worst day', () => {
  it(
    'pays, fails and returns exactly what the rail did, payout by payout, whatever is killed on the way',
    async () => {
      const accepted = await dispatchAll();
      const killing = workers.startKilling(ALIVE_MS);
      try {
        await drain();
      } finally {
        await killing.stop();
      }
      await workers.stop();
      const decided = await decideByTwo();

      const rail = await railBooks();
      const ours = await ourBooks();
      const counts: Record<string, number> = {};
      for (const { status } of ours) counts[status] = (counts[status] ?? 0) + 1;
      const disagreements = ours.filter((payout) => !agrees(payout, rail.get(payout.rail_reference)));
      process.stdout.write(
        `${accepted} payouts, ${workers.killed} workers killed, ${told} webhooks told, each twice and in any order, ${decided} decided by two people, ${JSON.stringify(counts)}\n`,
      );
      expect(disagreements.slice(0, 5)).toEqual([]);
      expect(ours.length).toBe(accepted);
      expect(rail.size).toBe(accepted);
      const open = ours.filter(({ status }) => status === 'PROCESSING').map(({ narration }) => narration.split(' ')[0]);
      expect(open.filter((scenario) => !OPEN_FOR_EVER.includes(scenario ?? ''))).toEqual([]);
      const report = await verifyBooks(app.database);
      expect(report.checks.filter(({ ok }) => !ok)).toEqual([]);
      await expectMoneyToAddUp(ours);
    },
    DRAIN_MS + 120_000,
  );
});

/** Each wallet has what it began with, less what was paid and what is held for the open ones. */
async function expectMoneyToAddUp(ours: readonly Ours[]): Promise<void> {
  const [row] = await rowsOf<{ wrong: number }>(
    app.connectionString,
    `select count(*)::int as wrong from transactions t
       join payouts p on p.merchant_id = t.merchant_id and p.mode = t.mode and p.id = t.id
       cross join lateral (
         select coalesce(sum(case when x.kind in ('POST', 'POSTED') then
                  case when a.id = x.debit_account_id then -x.amount_minor else x.amount_minor end end), 0) as moved
           from transfers x
           join accounts a on a.merchant_id = x.merchant_id and a.kind = 'MERCHANT_WALLET'
            and a.id in (x.debit_account_id, x.credit_account_id)
          where x.merchant_id = t.merchant_id and x.transaction_id = t.id
       ) wallet
      where t.category = 'PAYOUT'
        and wallet.moved <> case when t.status = 'SUCCESS' then -(t.amount_minor + t.charges_minor) else 0 end`,
  );
  expect(row?.wrong).toBe(0);
  expect(ours.length).toBeGreaterThan(0);
}
