import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyOutcome } from '../../src/payout-delivery/apply-outcome.ts';
import { findPayout, type PayoutRecord } from '../../src/payouts/index.ts';
import { NOTHING_REPORTED, type RailAnswer, SANDBOX_SCENARIOS } from '../../src/rails/index.ts';
import { lockWaits } from '../support/lock-waits.ts';
import {
  createPayoutFixture,
  executed,
  type Merchant,
  type PayoutFixture,
  payment,
  untilQuiet,
} from './payout-fixture.ts';

let fixture: PayoutFixture;
beforeAll(async () => {
  fixture = await createPayoutFixture();
});
afterAll(() => fixture.close());

/** Refused before anything is taken: the name enquiry says so. */
const REFUSED: Record<string, number> = { 'name-not-found': 422, 'name-enquiry-unavailable': 503 };
/** The rail calls them a success of another transfer: nobody believes it. */
const OTHER_TRANSFERS = ['other-amount', 'other-currency', 'other-account', 'other-reference'];
/** What is not listed here ends in success. */
const ENDS: Record<string, readonly [status: string, reason: string]> = {
  'failed-do-not-honour': ['FAILED', 'DO_NOT_HONOUR'],
  'failed-dormant-account': ['FAILED', 'ACCOUNT_DORMANT'],
  'failed-invalid-account': ['FAILED', 'ACCOUNT_INVALID'],
  'failed-name-mismatch': ['FAILED', 'ACCOUNT_NAME_MISMATCH'],
  'failed-rail-funds': ['FAILED', 'RAIL_FUNDS_INSUFFICIENT'],
  'failed-limit': ['FAILED', 'LIMIT_EXCEEDED'],
  'failed-suspected-fraud': ['FAILED', 'FRAUD_SUSPECTED'],
  'failed-not-permitted': ['FAILED', 'SENDER_NOT_PERMITTED'],
  'timeout-failed': ['FAILED', 'DO_NOT_HONOUR'],
  'pending-then-failed': ['FAILED', 'DO_NOT_HONOUR'],
  'pending-forever': ['PROCESSING', 'OUTCOME_UNKNOWN'],
  'late-reversal': ['REVERSED', 'RAIL_REVERSED'],
  ...Object.fromEntries(OTHER_TRANSFERS.map((name) => [name, ['PROCESSING', 'OUTCOME_UNKNOWN'] as const])),
};

async function payoutOf(merchant: Merchant, id: string): Promise<PayoutRecord> {
  const { merchantId, mode } = merchant.tenant;
  const [payout] = await fixture.database.query(findPayout, [merchantId, mode, id]);
  return payout!;
}

async function pay(merchant: Merchant, fields: Record<string, unknown> = {}): Promise<PayoutRecord> {
  const reply = await merchant.call('POST', '/payout/single', payment(fields));
  expect(reply.body).toMatchObject({ status: true, data: { status: 'QUEUED', conclusive: false } });
  return payoutOf(merchant, reply.body.data.transactionId);
}

async function sums(merchant: Merchant): Promise<Record<string, [posted: bigint, held: bigint]>> {
  const { rows } = await fixture.database.pool.query(
    `select kind, sum(credits_posted_minor - debits_posted_minor)::text as posted,
            sum(debits_pending_minor + credits_pending_minor)::text as held
       from accounts where merchant_id = $1 and mode = 'SANDBOX' group by kind`,
    [merchant.merchantId],
  );
  return Object.fromEntries(rows.map((row) => [row.kind, [BigInt(row.posted), BigInt(row.held)]]));
}

const WEBHOOK = { kind: 'PROVIDER_WEBHOOK' } as const;

const answer = (outcome: RailAnswer['outcome'], reason: string | null = null): RailAnswer => ({
  outcome,
  code: '00',
  reason,
  message: 'test',
  sessionId: '1'.repeat(30),
  reported: NOTHING_REPORTED,
  at: fixture.clock.now(),
});

describe('a payout through the sandbox rail', () => {
  it('ends in every scenario as documented, with books, holds and the rail in agreement', async () => {
    const merchant = await fixture.addMerchant();
    const payouts = new Map<string, string>();
    const asked = SANDBOX_SCENARIOS.map(async ({ name, suffix }) => ({
      name,
      reply: await merchant.call('POST', '/payout/single', payment({ accountNumber: `0000${suffix}` })),
    }));
    for (const { name, reply } of await Promise.all(asked)) {
      expect([name, reply.status]).toEqual([name, REFUSED[name] ?? 200]);
      if (reply.status === 200) payouts.set(name, reply.body.data.transactionId);
    }
    await untilQuiet(fixture);

    let paidMinor = 0n;
    let chargesMinor = 0n;
    const references: string[] = [];
    const reversed: string[] = [];
    for (const [name, id] of payouts) {
      const payout = await payoutOf(merchant, id);
      const [status, reason] = ENDS[name] ?? ['SUCCESS', null];
      expect([name, payout.status, payout.reason]).toEqual([name, status, reason]);
      expect([name, payout.due_at === null]).toEqual([name, status !== 'PROCESSING']);
      if (status === 'REVERSED') reversed.push(payout.rail_reference);
      if (status !== 'SUCCESS') continue;
      expect(payout.paid_at).not.toBeNull();
      expect(payout.session_id).toMatch(/^\d{30}$/);
      paidMinor += payout.amount_minor;
      chargesMinor += payout.charges_minor;
      references.push(payout.rail_reference);
    }
    const {
      MERCHANT_WALLET: wallet,
      PAYOUT_CLEARING: clearing,
      FEE_INCOME: fee,
      TAX_PAYABLE: tax,
    } = await sums(merchant);
    const openIds = ['pending-forever', ...OTHER_TRANSFERS].map((name) => payouts.get(name)!);
    const open = await Promise.all(openIds.map((id) => payoutOf(merchant, id)));
    const heldMinor = open.reduce((sum, one) => sum + one.amount_minor + one.charges_minor, 0n);
    expect(wallet).toEqual([1_000_000_000n - paidMinor - chargesMinor, heldMinor]);
    expect(clearing).toEqual([paidMinor, open.reduce((sum, one) => sum + one.amount_minor, 0n)]);
    expect(fee![0] + tax![0]).toBe(chargesMinor);
    const inItsBooks = await fixture.rail.listTransfers(merchant.tenant, { after: '', limit: 1_000 });
    const moved = (outcome: string) =>
      inItsBooks.filter((line) => line.outcome === outcome).map((line) => line.railReference);
    const disbelieved = open.map((one) => one.rail_reference);
    expect(
      moved('succeeded')
        .filter((one) => !disbelieved.includes(one))
        .sort(),
    ).toEqual(references.sort());
    expect(moved('reversed').sort()).toEqual(reversed.sort());
  });

  it('is refused with a sentence for a bank or account that does not exist, and takes nothing', async () => {
    const merchant = await fixture.addMerchant();
    const noBank = await merchant.call('POST', '/payout/single', payment({ bankCode: '998' }));
    expect([noBank.status, noBank.body.code]).toEqual([422, 'BANK_NOT_FOUND']);
    const closed = await merchant.call('POST', '/payout/single', payment({ bankCode: '030' }));
    expect(closed.body.code).toBe('BANK_NOT_FOUND');
    const noAccount = await merchant.call('POST', '/payout/single', payment({ accountNumber: '0009999904' }));
    expect([noAccount.status, noAccount.body.code]).toEqual([422, 'ACCOUNT_NOT_FOUND']);
    expect(await merchant.balance()).toMatchObject({ bookedMinor: 1_000_000_000n, availableMinor: 1_000_000_000n });
  });

  it('is refused in live mode while no rail is configured', async () => {
    const merchant = await fixture.addMerchant(0, 'LIVE');
    const reply = await merchant.call('POST', '/payout/single', payment());
    expect([reply.status, reply.body.code]).toEqual([503, 'RAIL_NOT_CONFIGURED']);
  });

  it('holds amount and charges at once, and cannot spend what is held', async () => {
    const merchant = await fixture.addMerchant(20_000);
    const first = await merchant.call('POST', '/payout/single', payment({ amount: 15_000 }));
    // Fee 25.00, VAT 1.88, stamp duty 50.00.
    expect(first.body.data).toMatchObject({
      fee: 25,
      vat: 1.88,
      stampDuty: 50,
      charges: 76.88,
      totalAmount: 15_076.88,
    });
    expect(await merchant.balance()).toMatchObject({ bookedMinor: 2_000_000n, availableMinor: 492_312n });
    const second = await merchant.call('POST', '/payout/single', payment({ amount: 4_923.12 }));
    expect([second.status, second.body.code]).toEqual([422, 'INSUFFICIENT_FUNDS']);
  });

  it('takes a reference of the merchant once for ever, and repeats its answer for the same key only', async () => {
    const merchant = await fixture.addMerchant();
    const headers = { 'idempotency-key': 'k-1' };
    const body = payment({ reference: 'INV-1', metadata: { order: 7 } });
    const first = await merchant.call('POST', '/payout/single', body, headers);
    const again = await merchant.call('POST', '/payout/single', body, headers);
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotency-replayed']).toBe('true');
    const other = await merchant.call('POST', '/payout/single', body);
    expect([other.status, other.body.code]).toEqual([409, 'REFERENCE_TAKEN']);
    await fixture.worker.runOnce();
    expect(await executed(fixture, merchant.tenant)).toHaveLength(1);
  });

  it('plays the scenario that the header names, and refuses a name that is none', async () => {
    const merchant = await fixture.addMerchant();
    const wrong = await merchant.call('POST', '/payout/single', payment(), { 'x-sandbox-scenario': 'sucess' });
    expect([wrong.status, wrong.body.code]).toEqual([400, 'VALIDATION_FAILED']);
    const headers = { 'x-sandbox-scenario': 'failed-limit' };
    const reply = await merchant.call('POST', '/payout/single', payment(), headers);
    await fixture.worker.runOnce();
    expect(await payoutOf(merchant, reply.body.data.transactionId)).toMatchObject({ reason: 'LIMIT_EXCEEDED' });
  });
});

describe('applying an outcome', () => {
  it('twice, or many times at once, changes nothing more', async () => {
    const merchant = await fixture.addMerchant();
    for (const outcome of ['succeeded', 'failed'] as const) {
      const payout = await pay(merchant);
      const applied = await Promise.all(
        Array.from({ length: 10 }, () => applyOutcome(fixture.deps, payout, answer(outcome), WEBHOOK)),
      );
      expect(applied.filter((one) => one === 'APPLIED')).toHaveLength(1);
      const before = await sums(merchant);
      expect(await applyOutcome(fixture.deps, payout, answer(outcome), WEBHOOK)).toBe('ALREADY_APPLIED');
      expect(await applyOutcome(fixture.deps, await payoutOf(merchant, payout.id), answer(outcome), WEBHOOK)).toBe(
        'ALREADY_APPLIED',
      );
      expect(await sums(merchant)).toEqual(before);
    }
  });

  it('lets the first end stand when the rail contradicts itself', async () => {
    const merchant = await fixture.addMerchant();
    const payout = await pay(merchant);
    await applyOutcome(fixture.deps, payout, answer('failed', 'DO_NOT_HONOUR'), WEBHOOK);
    expect(await applyOutcome(fixture.deps, payout, answer('succeeded'), WEBHOOK)).toBe('ALREADY_APPLIED');
    expect((await payoutOf(merchant, payout.id)).status).toBe('FAILED');
    expect(await merchant.balance()).toMatchObject({ bookedMinor: 1_000_000_000n, availableMinor: 1_000_000_000n });
  });

  it('keeps the hold for everything that is not conclusive', async () => {
    const merchant = await fixture.addMerchant();
    const payout = await pay(merchant);
    for (const outcome of ['unknown', 'not_found'] as const) {
      expect(await applyOutcome(fixture.deps, payout, answer(outcome), WEBHOOK)).toBe('OPEN');
    }
    const { availableMinor, bookedMinor } = await merchant.balance();
    expect(bookedMinor - availableMinor).toBe(payout.amount_minor + payout.charges_minor);
    await applyOutcome(fixture.deps, payout, answer('failed', 'DO_NOT_HONOUR'), WEBHOOK);
  });

  it('returns amount and charges once when the bank takes a success back', async () => {
    const merchant = await fixture.addMerchant();
    const payout = await pay(merchant, { amount: 15_000 });
    await applyOutcome(fixture.deps, payout, answer('succeeded'), WEBHOOK);
    const paid = await payoutOf(merchant, payout.id);
    const reversals = Array.from({ length: 5 }, () =>
      applyOutcome(fixture.deps, paid, answer('reversed', 'RAIL_REVERSED'), WEBHOOK),
    );
    expect((await Promise.all(reversals)).filter((one) => one === 'APPLIED')).toHaveLength(1);
    expect(await payoutOf(merchant, payout.id)).toMatchObject({ status: 'REVERSED', reason: 'RAIL_REVERSED' });
    const now = await sums(merchant);
    expect(now['MERCHANT_WALLET']).toEqual([1_000_000_000n, 0n]);
    expect([now['PAYOUT_CLEARING'], now['FEE_INCOME'], now['TAX_PAYABLE']]).toEqual([
      [0n, 0n],
      [0n, 0n],
      [0n, 0n],
    ]);
  });
});

describe('a requery', () => {
  it('of a concluded transaction says that it has already been completed', async () => {
    const merchant = await fixture.addMerchant();
    const payout = await pay(merchant);
    await fixture.worker.runOnce();
    const reply = await merchant.call('POST', '/transaction/requery', { transactionId: payout.id });
    expect(reply.status).toBe(409);
    expect(reply.body).toMatchObject({
      status: false,
      message: 'Transaction has already been completed',
      code: 'TRANSACTION_ALREADY_COMPLETED',
    });
  });

  it('of an open one asks the rail now and shows the fresh state', async () => {
    const merchant = await fixture.addMerchant();
    const payout = await pay(merchant, { accountNumber: '0008999924', reference: 'R-1' });
    const early = await merchant.call('POST', '/transaction/requery', { transactionId: payout.id });
    expect(early.body).toMatchObject({ status: true, data: { status: 'QUEUED' } });
    await fixture.worker.runOnce();
    expect(await payoutOf(merchant, payout.id)).toMatchObject({ status: 'PROCESSING', reason: 'OUTCOME_UNKNOWN' });
    const reply = await merchant.call('POST', '/transaction/requery', { transactionId: payout.id, reference: 'R-1' });
    expect(reply.body).toMatchObject({ status: true, data: { status: 'SUCCESS', conclusive: true } });
  });

  it('finds a transaction by either name, and none where two names differ or belong to somebody else', async () => {
    const merchant = await fixture.addMerchant();
    const payout = await pay(merchant, { accountNumber: '0006999934', reference: 'R-2' });
    const other = await pay(merchant, { accountNumber: '0006999934' });
    const ask = async (body: unknown, by = merchant) => (await by.call('POST', '/transaction/requery', body)).status;
    const said = async (body: unknown) => (await merchant.call('POST', '/transaction/requery', body)).body.message;
    expect(await said({ reference: 'R-9' })).toBe('There is no transaction with this reference.');
    expect(await said({ transactionId: other.id, reference: 'R-2' })).toBe(
      'There is no transaction with both this id and this reference.',
    );
    expect(await ask({ reference: 'R-2' })).toBe(200);
    expect(await ask({ reference: `MNL${payout.id.replaceAll('-', '')}` })).toBe(200);
    expect(await ask({ transactionId: other.id, reference: 'R-2' })).toBe(404);
    expect(await ask({ transactionId: 'nonsense' })).toBe(404);
    expect(await ask({})).toBe(400);
    expect(await ask({ transactionId: payout.id }, await fixture.addMerchant())).toBe(404);
  });

  it('by many at once ends it once, and sends nothing', async () => {
    const merchant = await fixture.addMerchant();
    const payout = await pay(merchant, { accountNumber: '0008999924' });
    await fixture.worker.runOnce();
    const ask = () => merchant.call('POST', '/transaction/requery', { transactionId: payout.id });
    const replies = await Promise.all(Array.from({ length: 8 }, ask));
    expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1);
    const { data } = (await merchant.call('GET', `/transaction/${payout.id}/evidence`)).body;
    expect(data.transaction.status).toBe('SUCCESS');
    const kinds = (name: string, key: string) =>
      data[name].filter((one: Record<string, string>) => Object.values(one).includes(key)).length;
    expect([kinds('attempts', 'SEND'), kinds('stateChanges', 'SUCCESS'), kinds('events', 'payout.succeeded')]).toEqual([
      1, 1, 1,
    ]);
    expect(data.transfers.filter(({ kind }: { kind: string }) => kind === 'POST')).toHaveLength(
      data.transfers.filter(({ kind }: { kind: string }) => kind === 'PENDING').length,
    );
  });

  it('asks the rail at most ten times in a minute about one payout, and says when to come again', async () => {
    const merchant = await fixture.addMerchant();
    const payout = await pay(merchant, { accountNumber: '0006999934' });
    await fixture.worker.runOnce();
    const ask = () => merchant.call('POST', '/transaction/requery', { transactionId: payout.id });
    const statuses: number[] = [];
    for (let times = 0; times < 12; times += 1) statuses.push((await ask()).status);
    expect([statuses.filter((status) => status === 200).length, statuses.at(-1)]).toEqual([10, 429]);
    const refused = await ask();
    expect([refused.body.code, refused.headers['retry-after']]).toEqual(['REQUERY_TOO_OFTEN', '60']);
    fixture.clock.advance(60_000);
    expect((await ask()).status).toBe(200);
  });

  it('asks no more often where all requests come at once', async () => {
    const merchant = await fixture.addMerchant();
    const payout = await pay(merchant, { accountNumber: '0006999934' });
    await fixture.worker.runOnce();
    const ask = () => merchant.call('POST', '/transaction/requery', { transactionId: payout.id });
    const replies = await Promise.all(Array.from({ length: 40 }, ask));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(replies.filter(({ body }) => body.code === 'REQUERY_TOO_OFTEN')).toHaveLength(30);
  });

  it('asks ten times also where the tenth and the eleventh are asked for at the same moment', async () => {
    const merchant = await fixture.addMerchant();
    const payout = await pay(merchant, { accountNumber: '0006999934' });
    await fixture.worker.runOnce();
    const ask = () => merchant.call('POST', '/transaction/requery', { transactionId: payout.id });
    for (let times = 0; times < 9; times += 1) expect((await ask()).status).toBe(200);
    const { pool } = fixture.database;
    const holder = await pool.connect();
    await holder.query('begin');
    await holder.query('select 1 from payouts where merchant_id = $1 and id = $2 for update', [
      merchant.merchantId,
      payout.id,
    ]);
    const both = Promise.all([ask(), ask()]);
    await expect.poll(() => lockWaits(fixture.connectionString)).toBe(2);
    await holder.query('rollback');
    holder.release();
    expect((await both).map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 429]);
  });

  it('is answered in the minute in which a clock that was ahead is put right, however often it was asked for by it', async () => {
    const merchant = await fixture.addMerchant();
    const payout = await pay(merchant, { accountNumber: '0006999934' });
    await fixture.worker.runOnce();
    const ask = () => merchant.call('POST', '/transaction/requery', { transactionId: payout.id });
    fixture.clock.advance(10 * 60_000);
    for (let times = 0; times < 10; times += 1) await ask();
    expect((await ask()).status).toBe(429);
    fixture.clock.advance(-10 * 60_000);
    expect((await ask()).status).toBe(200);
  });
});
