import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/platform/db/database.ts';
import { rowsFor } from '../../src/platform/db/statement.ts';
import { createJobMonitor } from '../../src/platform/jobs/job-monitor.ts';
import { createLogger } from '../../src/platform/logger.ts';
import type { Tenant } from '../../src/platform/tenant.ts';
import {
  type CreditHint,
  type CreditKey,
  createSandboxRail,
  PAYER_SCENARIOS,
  type PayerScenarioName,
  type ProviderWebhookRequest,
  type SandboxPayment,
  sandboxCredits,
  sandboxRailAdvanceWrites,
} from '../../src/rails/index.ts';
import {
  listCreditsToSettle,
  listDisputesToSettle,
  listRefundsToSettle,
} from '../../src/rails/sandbox/settlement-queries.ts';
import { openTestDatabase } from '../support/database.ts';
import { planOf } from '../support/plans.ts';
import { accountOf, newTenant, openRail, paymentTo, SECRET, SIGNAL } from './sandbox-support.ts';
import { makeSandboxWalletHarness, WALLET_BANK } from './sandbox-wallet-support.ts';
import { describeWalletProvider } from './wallet-conformance.ts';

let database: Database;
let drop: () => Promise<void>;

beforeAll(async () => {
  ({ database, drop } = await openTestDatabase());
});
afterAll(() => drop());

describeWalletProvider('the sandbox', makeSandboxWalletHarness, {
  reports: [
    'sessionId',
    'channel',
    'accountNumber',
    'providerFeeMinor',
    'paidAt',
    'payerName',
    'payerAccountNumber',
    'payerBankName',
    'narration',
  ],
  marksMode: true,
  playsOnly: true,
  reverses: true,
  queriesBy: ['providerTransactionId'],
  pageSize: 100,
});

describe('an account for one payment in the sandbox', () => {
  const request = {
    tenant: newTenant(),
    reference: 'a'.repeat(32),
    payer: { name: 'Ada Obi', email: 'ada@example.com', phoneNumber: null },
    amountMinor: 100_00n,
    expiresAt: new Date('2026-11-20T10:00:00Z'),
    description: 'Bread',
  };

  it('is known without a call, and the same as a call gives', async () => {
    const { wallets } = openRail(database, { walletBank: WALLET_BANK }).rail;
    const { at: _asked, ...asked } = (await wallets?.openOneTimeAccount?.(request, SIGNAL)) ?? { at: undefined };
    const { at: _known, ...known } = wallets?.oneTimeAccountOf?.(request) ?? { at: undefined };
    expect(known).toEqual(asked);
    expect(known).toMatchObject({ outcome: 'opened' });
    expect(() => wallets?.oneTimeAccountOf?.({ ...request, tenant: { ...request.tenant, mode: 'LIVE' } })).toThrow();
  });

  it('has to be asked for where every call is given a delay', () => {
    const slow = createSandboxRail({ database, walletBank: WALLET_BANK, delayMs: 1 });
    expect(slow.wallets?.oneTimeAccountOf).toBeUndefined();
  });
});

const ACCOUNT_NUMBER = '2000000012';
const AMOUNT = 1_234_505n;

function open() {
  const opened = openRail(database, { walletBank: WALLET_BANK });
  const wallets = opened.rail.wallets;
  if (wallets === undefined) throw new Error('the sandbox has a bank for wallets');
  const hints = async (): Promise<CreditHint[]> =>
    (await Promise.all(opened.taken.map((one) => wallets.readCreditWebhook(one)))).flat();
  const pay = (scenario: PayerScenarioName, changes: Partial<SandboxPayment> = {}) =>
    opened.rail.receiveCredit({
      tenant: newTenant(),
      accountNumber: ACCOUNT_NUMBER,
      amountMinor: AMOUNT,
      scenario,
      ...changes,
    });
  const ask = (id: string) =>
    wallets.queryCredit({ providerTransactionId: id, providerReference: null, sessionId: null }, SIGNAL);
  return { ...opened, wallets, hints, pay, ask };
}

/** What a payer of one credit did, what the bank sent about it after each pause, and what it says then. */
async function play(scenario: PayerScenarioName, ...pauses: number[]) {
  const opened = open();
  const tenant = newTenant();
  const [row] = await opened.pay(scenario, { tenant });
  if (row === undefined) throw new Error('one credit was made');
  const sent = [opened.taken.length];
  for (const seconds of pauses) {
    opened.forward(seconds);
    sent.push(await opened.rail.deliverDueWebhooks(tenant));
  }
  const ask = async () => (await opened.ask(row.id)).outcome;
  return { ...opened, tenant, row, sent, outcome: ask };
}

describe('the sandbox as a bank of wallets', () => {
  it('opens an account with the same valid number however often one reference is sent, and another for another', async () => {
    const { wallets } = open();
    const holder = { name: 'ADIRE & CO', email: 'a@b.example', phoneNumber: '2348012345678', bvn: null, nin: null };
    const openUnder = async (reference: string) => {
      const answer = await wallets.openAccount({ tenant: newTenant(), reference, holder, preferredBank: null }, SIGNAL);
      return answer.outcome === 'opened' ? answer.accounts : [];
    };
    const first = await openUnder('a'.repeat(32));
    expect(await openUnder('a'.repeat(32))).toEqual(first);
    expect(await openUnder('b'.repeat(32))).not.toEqual(first);
    const number = first[0]?.accountNumber ?? '';
    expect(number).toMatch(/^\d{10}$/);
    expect(WALLET_BANK.checkDigit(WALLET_BANK.code, number.slice(0, 9))).toBe(number[9]);
  });

  it('has no wallets where it was not said at which bank they are', () => {
    expect(createSandboxRail({ database }).wallets).toBeUndefined();
  });

  it('takes no live tenant', async () => {
    const { wallets, pay } = open();
    const tenant = { ...newTenant(), mode: 'LIVE' } as const;
    const request = { tenant, reference: 'a'.repeat(32), providerAccountId: 'a' };
    await expect(wallets.closeAccount(request, SIGNAL)).rejects.toThrow('live');
    await expect(pay('paid', { tenant })).rejects.toThrow('live');
  });

  it('confirms who paid what, under an id that leads to the merchant and a session id of 30 digits', async () => {
    const { pay, ask, clock, hints } = open();
    const payer = { name: 'EZE UDOH', accountNumber: '0123456785', bankName: 'Zenith Bank' };
    const [row] = await pay('paid', { payer, narration: 'Invoice 9' });
    const answer = await ask(row?.id ?? '');
    expect(answer).toMatchObject({
      outcome: 'confirmed',
      credit: {
        providerTransactionId: row?.id,
        sessionId: expect.stringMatching(/^\d{30}$/),
        accountNumber: ACCOUNT_NUMBER,
        amountMinor: AMOUNT,
        currency: 'NGN',
        mode: 'SANDBOX',
        paidAt: clock.at,
        payerName: payer.name,
        payerAccountNumber: payer.accountNumber,
        payerBankName: payer.bankName,
        narration: 'Invoice 9',
      },
    });
    expect(await hints()).toMatchObject([
      { providerTransactionId: row?.id, amountMinor: AMOUNT, accountNumber: ACCOUNT_NUMBER },
    ]);
  });

  it.each([
    '',
    'sbx_',
    'nothing',
    `sbx_${'0'.repeat(32)}_${'0'.repeat(32)}`,
    `sbx_${'z'.repeat(32)}_${'0'.repeat(32)}`,
  ])('finds nothing under %j', async (id) => {
    expect((await open().ask(id)).outcome).toBe('not_found');
  });

  it('finds no credit under the id of another merchant, whatever stands behind it', async () => {
    const { pay, ask } = open();
    const [row] = await pay('paid');
    const of = newTenant().merchantId.replaceAll('-', '');
    expect((await ask(`sbx_${of}_${row?.id.slice(-32)}`)).outcome).toBe('not_found');
  });

  it('does not say that there is no credit where it was asked by what it does not know', async () => {
    const key: CreditKey = { providerTransactionId: null, providerReference: 'x', sessionId: null };
    expect((await open().wallets.queryCredit(key, SIGNAL)).outcome).toBe('unknown');
  });

  it('calls a status unknown that is on no list', async () => {
    const { pay, ask } = open();
    const [row] = await pay('paid');
    await database.pool.query('alter table sandbox_credits drop constraint sandbox_credits_status');
    await database.pool.query(`update sandbox_credits set status = 'ODD' where id = $1`, [row?.id]);
    expect(await ask(row?.id ?? '')).toMatchObject({ outcome: 'unknown', code: 'ODD' });
  });

  it('lists each credit of a window once, by time, in pages of a hundred, of all merchants', async () => {
    const { pay, forward, clock, wallets } = open();
    forward(86_400);
    const from = new Date(clock.at);
    const rows = [...(await pay('paid', { times: 60 })), ...(await pay('never_notified', { times: 60 }))];
    await pay('failed');
    forward(1);
    const to = new Date(clock.at);
    await pay('paid');
    const first = await wallets.listCredits({ from, to, cursor: null }, SIGNAL);
    const second = await wallets.listCredits({ from, to, cursor: first.next }, SIGNAL);
    expect([first.credits.length + second.credits.length, second.next]).toEqual([120, null]);
    expect(second.credits.length).toBeGreaterThan(0);
    const listed = [...first.credits, ...second.credits].map((one) => one.providerTransactionId);
    expect(listed).toHaveLength(rows.length);
    expect(new Set(listed)).toEqual(new Set(rows.map(({ id }) => id)));
  });

  it('has one webhook of each of many payments at one moment', async () => {
    const { pay, taken } = open();
    const tenant = newTenant();
    await Promise.all(Array.from({ length: 12 }, () => pay('paid', { tenant })));
    expect(taken).toHaveLength(12);
  });

  it('leaves what came to its end as it is where the sandbox clock goes forward, however much that is', async () => {
    const { rail, forward, clock } = openRail(database);
    const tenant = newTenant();
    const requests = [paymentTo(tenant, accountOf('pending-forever')), paymentTo(tenant, accountOf('pending-forever'))];
    const sentAt: Date[] = [];
    for (const request of requests) {
      await rail.send(request, SIGNAL);
      sentAt.push(clock.at);
      forward(2 * 86_400);
    }
    forward(-2 * 86_400);
    for (const { into, row } of sandboxRailAdvanceWrites(tenant, 60, clock.at)) {
      await database.run(...rowsFor(into, [row as never]));
    }
    const { rows } = await database.pool.query<{ received_at: Date }>(
      'select received_at from sandbox_rail_transfers where merchant_id = $1 order by received_at',
      [tenant.merchantId],
    );
    const [old, late] = sentAt as [Date, Date];
    expect(rows.map(({ received_at }) => received_at)).toEqual([old, new Date(late.getTime() - 60_000)]);
  });

  it.each([
    ['payments', listCreditsToSettle],
    ['refunds', listRefundsToSettle],
    ['disputes', listDisputesToSettle],
  ])('compares no %s with each line of its settlements to find those that it has not settled', async (_what, asked) => {
    const values = [newTenant().merchantId, 'SANDBOX', 500];
    expect(await planOf<object>(database, { statement: asked, values })).toContain('hashed SubPlan');
  });

  it('keeps the time of payment where the sandbox clock brings what is late nearer', async () => {
    const { row, tenant, rail, outcome, taken, ask, clock } = await play('notified_late');
    const [reversed] = await rail.receiveCredit({
      tenant,
      accountNumber: ACCOUNT_NUMBER,
      amountMinor: 1n,
      scenario: 'reversed',
    });
    const sent = taken.length;
    for (const { into, row: values } of sandboxRailAdvanceWrites(tenant, 3_600, clock.at)) {
      await database.run(...rowsFor(into, [values as never]));
    }
    expect(await rail.deliverDueWebhooks(tenant)).toBe(2);
    expect(taken.length).toBe(sent + 2);
    expect(await outcome()).toBe('confirmed');
    expect(await ask(reversed?.id ?? '')).toMatchObject({ outcome: 'reversed', credit: { paidAt: clock.at } });
    expect(await ask(row.id)).toMatchObject({ credit: { paidAt: clock.at } });
  });
});

describe('the payers of the sandbox', () => {
  it('paid: the money is there and one webhook says so', async () => {
    const { sent, outcome } = await play('paid', 0, 86_400);
    expect([sent, await outcome()]).toEqual([[1, 0, 0], 'confirmed']);
  });

  it('never_notified: no webhook comes, and the query and the list have the money', async () => {
    const { sent, outcome, wallets, clock, row } = await play('never_notified', 86_400);
    expect([sent, await outcome()]).toEqual([[0, 0], 'confirmed']);
    const page = await wallets.listCredits({ from: row.paid_at, to: clock.at, cursor: null }, SIGNAL);
    expect(page.credits.map((one) => one.providerTransactionId)).toContain(row.id);
  });

  it('notified_twice: two webhooks are about one credit', async () => {
    const { sent, hints, row } = await play('notified_twice', 60);
    expect(sent).toEqual([2, 0]);
    expect((await hints()).map((one) => one.providerTransactionId)).toEqual([row.id, row.id]);
  });

  it('notified_late: the money is there at once, its webhook an hour later', async () => {
    const { sent, outcome } = await play('notified_late', 3_599, 1, 1);
    expect([sent, await outcome()]).toEqual([[0, 0, 1, 0], 'confirmed']);
  });

  it.each([
    ['pending_first', 'pending'],
    ['not_found_first', 'not_found'],
  ] as const)('%s: the first query is answered with %s, every later one confirms', async (scenario, first) => {
    const { outcome, sent } = await play(scenario);
    expect([await outcome(), await outcome(), await outcome()]).toEqual([first, 'confirmed', 'confirmed']);
    expect(sent).toEqual([1]);
    // Where nobody asks, time passes all the same.
    expect(await (await play(scenario, 60)).outcome()).toBe('confirmed');
  });

  it('reversed: what was confirmed goes back after a minute, and a webhook says so', async () => {
    const { outcome, forward, rail, tenant, hints, row } = await play('reversed');
    expect(await outcome()).toBe('confirmed');
    forward(59);
    expect([await outcome(), await rail.deliverDueWebhooks(tenant)]).toEqual(['confirmed', 0]);
    forward(1);
    expect([await rail.deliverDueWebhooks(tenant), await outcome()]).toEqual([1, 'reversed']);
    expect((await hints()).map((one) => one.providerTransactionId)).toEqual([row.id, row.id]);
  });

  it('failed: the webhook says that money arrived, and no query does', async () => {
    const { outcome, hints } = await play('failed');
    expect([await outcome(), (await hints())[0]?.amountMinor]).toEqual(['failed', AMOUNT]);
  });

  it('forged: the webhook is refused and comes once, and no query ever finds the money', async () => {
    const { taken, wallets, outcome, sent } = await play('forged', 86_400);
    expect(sent).toEqual([1, 0]);
    const [forged] = taken;
    if (forged === undefined) throw new Error('one came');
    await expect(wallets.readCreditWebhook(forged)).rejects.toMatchObject({
      code: 'PROVIDER_WEBHOOK_SIGNATURE_INVALID',
    });
    expect(await outcome()).toBe('not_found');
  });

  it('forged: that it is refused holds up no other webhook and is not sent again', async () => {
    let refused = 0;
    const deliver = async () => {
      refused += 1;
      throw new Error('401');
    };
    const { rail } = openRail(database, { walletBank: WALLET_BANK, providerWebhooks: { secret: SECRET, deliver } });
    const tenant = newTenant();
    await rail.receiveCredit({ tenant, accountNumber: ACCOUNT_NUMBER, amountMinor: 1n, scenario: 'forged' });
    await rail.deliverDueWebhooks(tenant);
    expect(refused).toBe(1);
    // What is no forgery stays due until it is taken.
    await rail.receiveCredit({ tenant, accountNumber: ACCOUNT_NUMBER, amountMinor: 1n });
    await rail.deliverDueWebhooks(tenant);
    expect(refused).toBe(3);
  });

  it('wrong_amount_in_webhook: what is signed says more than what a query confirms', async () => {
    const { hints, ask, row } = await play('wrong_amount_in_webhook');
    expect((await hints())[0]?.amountMinor).toBe(AMOUNT * 10n);
    expect(await ask(row.id)).toMatchObject({ outcome: 'confirmed', credit: { amountMinor: AMOUNT } });
  });

  it('out_of_order: the webhook of pending comes after the one of success', async () => {
    const { sent, taken } = await play('out_of_order', 1, 1);
    expect(sent).toEqual([1, 1, 0]);
    expect(taken.map(({ rawBody }) => JSON.parse(rawBody.toString()))).toMatchObject([
      { status: 'SUCCESS', sequence: 2 },
      { status: 'PENDING', sequence: 1 },
    ]);
  });

  it('each has a sentence of its own', () => {
    expect(new Set(PAYER_SCENARIOS.map(({ happens }) => happens)).size).toBe(PAYER_SCENARIOS.length);
  });
});

describe('the webhooks of both roles', () => {
  it('are delivered by the job: those that are not taken wait alone, and come again', async () => {
    const taken: string[] = [];
    let isRefusing = true;
    const deliver = async ({ rawBody }: ProviderWebhookRequest) => {
      const { transactionId, railReference } = JSON.parse(rawBody.toString());
      if (isRefusing && transactionId === bad?.id) throw new Error('503');
      taken.push(transactionId ?? railReference);
    };
    // Books of their own: what other tests left due is not theirs.
    const books = await openTestDatabase();
    const providerWebhooks = { secret: SECRET, deliver };
    const { rail, clock, forward } = openRail(books.database, { walletBank: WALLET_BANK, providerWebhooks });
    const jobs = createJobMonitor({ clock, logger: createLogger('silent') });
    const [tenant, other] = [newTenant(), newTenant()];
    const pay = async (payer: Tenant) => {
      const { rows, writes } = sandboxCredits(
        { tenant: payer, accountNumber: ACCOUNT_NUMBER, amountMinor: 1n },
        clock.at,
      );
      for (const { into, row } of writes) await books.database.run(into, [row]);
      return rows[0];
    };
    const bad = await pay(tenant);
    const good = [await pay(tenant), await pay(other)].map((row) => row?.id);
    const transfer = paymentTo(other, accountOf('pending-then-success'));
    await rail.send(transfer, SIGNAL);
    forward(5);
    expect(await rail.deliverAllDueWebhooks(jobs)).toBe(3);
    expect(new Set(taken)).toEqual(new Set([...good, transfer.railReference]));
    isRefusing = false;
    expect(await rail.deliverAllDueWebhooks(jobs)).toBe(0);
    forward(60);
    expect(await rail.deliverAllDueWebhooks(jobs)).toBe(1);
    expect(taken.at(-1)).toBe(bad?.id);
    await books.drop();
  });

  it('are kept apart: neither role takes one of the other for its own, or for a broken one', async () => {
    const { rail, pay, taken, wallets } = open();
    await pay('paid');
    const tenant = newTenant();
    await rail.send(paymentTo(tenant, accountOf('early-webhook')), SIGNAL);
    const [ofCredit, ofTransfer] = taken;
    if (ofCredit === undefined || ofTransfer === undefined) throw new Error('both came');
    expect(await rail.verifyWebhook(ofCredit)).toEqual([]);
    expect(await wallets.readCreditWebhook(ofTransfer)).toEqual([]);
    expect(await rail.verifyWebhook(ofTransfer)).toHaveLength(1);
    expect(await wallets.readCreditWebhook(ofCredit)).toHaveLength(1);
  });

  it('about credits are refused when they are altered, old or unsigned', async () => {
    const { pay, taken, wallets, forward } = open();
    await pay('paid');
    const [one] = taken;
    if (one === undefined) throw new Error('one came');
    const refused = { code: 'PROVIDER_WEBHOOK_SIGNATURE_INVALID' };
    const rawBody = Buffer.from(one.rawBody.toString().replace(String(AMOUNT), '9999999'));
    await expect(wallets.readCreditWebhook({ ...one, rawBody })).rejects.toMatchObject(refused);
    await expect(wallets.readCreditWebhook({ ...one, headers: {} })).rejects.toMatchObject(refused);
    forward(301);
    await expect(wallets.readCreditWebhook(one)).rejects.toMatchObject(refused);
  });
});
