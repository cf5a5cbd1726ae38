import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Container } from '../../src/container.ts';
import { statement } from '../../src/platform/db/statement.ts';
import { newId } from '../../src/platform/ids.ts';
import { decodeCursor, listRequest } from '../../src/platform/lists/list.ts';
import { rowsBeyond } from '../../src/platform/lists/queries.ts';
import { NOTHING_REPORTED, type RailCaller, type RefundCaller } from '../../src/rails/index.ts';
import { NO_REFUND_REPORTED } from '../../src/rails/refunds.ts';
import {
  confirmRefundOutcome,
  proposeRefundOutcome,
  readRefundCase,
  readRefundQueue,
  rejectRefundOutcome,
} from '../../src/refund-outcomes/index.ts';
import { operatorRefundList } from '../../src/refund-outcomes/queries.ts';
import { readKnownRefund } from '../../src/refund-outcomes/read-refund-outcomes.ts';
import { sendDueRefunds } from '../../src/refunds/index.ts';
import { insertRefundAttempts } from '../../src/refunds/queries.ts';
import { requestRefund } from '../../src/refunds/request-refund.ts';
import { TEST_PIN } from '../support/base.ts';
import { letStand, saysPaid } from '../support/contradicted.ts';
import { inBetween } from '../support/in-between.ts';
import { addPerson } from '../support/people.ts';
import { brokenChecks } from '../support/proof.ts';
import { createRefundFixture, type RefundFixture } from './refund-fixture.ts';

let fixture: RefundFixture;
const people = { ada: '', bola: '', chidi: '' };
beforeAll(async () => {
  fixture = await createRefundFixture();
  for (const name of Object.keys(people) as (keyof typeof people)[]) {
    people[name] = await addPerson(fixture, { kind: 'OPERATOR', email: `${name}@bank.example` });
  }
});
afterAll(async () => {
  expect(await brokenChecks(fixture.database)).toEqual([]);
  await fixture.close();
});

type Merchant = Awaited<ReturnType<RefundFixture['addMerchant']>>;
type Outcome = 'SUCCEEDED' | 'FAILED';

const NOTE = 'Ticket 4711: they looked it up in their books';
const DAY_MS = 24 * 60 * 60_000;
const PAGE = listRequest({ size: 50 });

/** Sent, and the provider says that it is pending, for ever. */
async function open(amount = 400, scenario = 'refund-pending-forever', seconds = 30) {
  const merchant = await fixture.addMerchant();
  const paymentId = await merchant.pay(1_000, { payer: { accountNumber: '0690000031', bankName: 'Access Bank Plc' } });
  const { body } = await merchant.refund(paymentId, { amount }, { 'x-sandbox-scenario': scenario });
  await fixture.work(seconds);
  return { merchant, paymentId, refundId: body.data.refundId as string };
}

const propose = ({ tenant }: Merchant, refundId: string, outcome: Outcome, personId = people.ada) =>
  proposeRefundOutcome(fixture.container, { tenant, refundId, outcome, source: 'RAIL_SUPPORT', note: NOTE, personId });

const confirm = (
  { tenant }: Merchant,
  proposed: { proposalId: string; digest: string },
  personId = people.bola,
  deps: Container = fixture.container,
) => confirmRefundOutcome(deps, { tenant, ...proposed, personId });

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'ok';
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

const statusesOf = async ({ tenant }: Merchant, refundId: string) =>
  (await readRefundCase(fixture.database, tenant, refundId)).proposals.map(({ status }) => status);

const setReason = statement(
  'test-put-refund-before-operator',
  `update refunds set operator_reason = $2, operator_since = $3 where id = $1`,
);

describe('a refund whose provider does not say what became of it', () => {
  it('debits the wallet once where two people say that it was sent', async () => {
    const { merchant, paymentId, refundId } = await open();
    const proposed = await propose(merchant, refundId, 'SUCCEEDED');
    expect(await merchant.balance()).toEqual({ booked: 100_000, available: 60_000 });
    expect(await confirm(merchant, proposed)).toEqual({ refundId, outcome: 'SUCCEEDED' });
    expect(await merchant.balance()).toEqual({ booked: 60_000, available: 60_000 });
    expect(await merchant.read(refundId)).toMatchObject({ status: 'SUCCESS', conclusive: true, reason: null });
    expect(await merchant.left(paymentId)).toMatchObject({ refundedAmount: 400, pendingAmount: 0 });
    await fixture.work(180);
    expect(await merchant.balance()).toEqual({ booked: 60_000, available: 60_000 });
    const { said } = await readRefundCase(fixture.database, merchant.tenant, refundId);
    expect(said.at(-1)).toMatchObject({ kind: 'OPERATOR', outcome: 'succeeded', message: `RAIL_SUPPORT: ${NOTE}` });
    expect(await codeOf(confirm(merchant, proposed))).toBe('OUTCOME_PROPOSAL_DECIDED');
    expect(await codeOf(propose(merchant, refundId, 'FAILED'))).toBe('REFUND_NOT_UNDECIDED');
  });

  it('gives the hold and its part of the payment free where they say that it failed', async () => {
    const { merchant, paymentId, refundId } = await open();
    await confirm(merchant, await propose(merchant, refundId, 'FAILED'));
    expect(await merchant.balance()).toEqual({ booked: 100_000, available: 100_000 });
    expect(await merchant.read(refundId)).toMatchObject({ status: 'FAILED', reason: 'OPERATOR_DECIDED_FAILED' });
    expect(await merchant.left(paymentId)).toMatchObject({ pendingAmount: 0, refundableAmount: 1_000 });
  });

  it('is decided by two, of whom the second confirms what was shown', async () => {
    const { merchant, refundId } = await open();
    const proposed = await propose(merchant, refundId, 'FAILED');
    expect(await codeOf(confirm(merchant, proposed, people.ada))).toBe('SECOND_PERSON_NEEDED');
    expect(await codeOf(confirm(merchant, { ...proposed, digest: 'f'.repeat(64) }))).toBe('OUTCOME_PROPOSAL_ALTERED');
    expect(await codeOf(propose(merchant, refundId, 'SUCCEEDED', people.bola))).toBe('OUTCOME_ALREADY_PROPOSED');
    const other = await fixture.addMerchant();
    expect(await codeOf(confirm(other, proposed))).toBe('OUTCOME_PROPOSAL_NOT_FOUND');
    const { proposalId } = proposed;
    const rejected = { tenant: merchant.tenant, proposalId, reason: 'Another ticket', personId: people.bola };
    await rejectRefundOutcome(fixture.container, rejected);
    expect(await codeOf(rejectRefundOutcome(fixture.container, rejected))).toBe('OUTCOME_PROPOSAL_DECIDED');
    expect(await codeOf(confirm(merchant, proposed))).toBe('OUTCOME_PROPOSAL_DECIDED');
    expect(await merchant.read(refundId)).toMatchObject({ status: 'PROCESSING' });
  });

  it('ends once, whoever of many confirms at once', async () => {
    const { merchant, refundId } = await open();
    const proposed = await propose(merchant, refundId, 'SUCCEEDED');
    const codes = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        codeOf(confirm(merchant, proposed, at % 2 === 0 ? people.bola : people.chidi, fixture.another())),
      ),
    );
    expect(codes.filter((code) => code === 'ok')).toHaveLength(1);
    for (const code of codes) expect(['ok', 'REFUND_IN_HAND', 'OUTCOME_PROPOSAL_DECIDED']).toContain(code);
    expect(await merchant.balance()).toEqual({ booked: 60_000, available: 60_000 });
    expect(await statusesOf(merchant, refundId)).toEqual(['CONFIRMED']);
  });

  it('has one open proposal, whoever of many proposes at once', async () => {
    const { merchant, refundId } = await open();
    const codes = await Promise.all(
      Array.from({ length: 8 }, (_, at) => codeOf(propose(merchant, refundId, at % 2 === 0 ? 'FAILED' : 'SUCCEEDED'))),
    );
    expect(codes.filter((code) => code === 'ok')).toHaveLength(1);
    expect(await statusesOf(merchant, refundId)).toEqual(['PENDING']);
  });

  it('ends as its provider says where that answers before it is confirmed', async () => {
    const { merchant, refundId } = await open(400, 'refund-needs-details');
    const proposed = await propose(merchant, refundId, 'FAILED');
    const account = { pin: TEST_PIN, bankCode: '044', accountNumber: '0690000031' };
    const given = await merchant.call('POST', `/collection/refund/${refundId}/details`, account);
    expect(given.status, given.text).toBe(200);
    expect(await codeOf(confirm(merchant, proposed))).toBe('OUTCOME_PROPOSAL_STALE');
    expect(await statusesOf(merchant, refundId)).toEqual(['STALE']);
    await fixture.work(120);
    expect(await merchant.read(refundId)).toMatchObject({ status: 'SUCCESS' });
    expect(await codeOf(confirm(merchant, proposed))).toBe('OUTCOME_PROPOSAL_DECIDED');
    expect(await merchant.balance()).toEqual({ booked: 60_000, available: 60_000 });
  });

  it('is never decided while workers have it, and ends once whichever is first', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { merchant, refundId } = await open(400, 'refund-pending-then-failed', 6);
      const read = () => merchant.read(refundId);
      expect((await read()).status).toBe('PROCESSING');
      const proposed = await propose(merchant, refundId, 'SUCCEEDED');
      await Promise.all([codeOf(confirm(merchant, proposed)), fixture.work(60), fixture.work(60)]);
      const { status } = await read();
      const { available } = await merchant.balance();
      expect([status, available]).toEqual(status === 'SUCCESS' ? ['SUCCESS', 60_000] : ['FAILED', 100_000]);
    }
  });

  it('keeps its end where its provider contradicts it and two people let it stand', async () => {
    const { merchant, refundId } = await open(400, 'refund-success');
    expect(await codeOf(propose(merchant, refundId, 'SUCCEEDED'))).toBe('REFUND_NOT_UNDECIDED');
    await fixture.database.query(setReason, [refundId, 'RAIL_CONTRADICTS', fixture.clock.now()]);
    expect(await codeOf(propose(merchant, refundId, 'FAILED'))).toBe('REFUND_NOT_UNDECIDED');
    await confirm(merchant, await propose(merchant, refundId, 'SUCCEEDED'));
    const { refund, proposals } = await readRefundCase(fixture.database, merchant.tenant, refundId);
    expect(refund).toMatchObject({ status: 'SUCCESS', operator_reason: null, operator_since: null });
    expect(proposals).toMatchObject([{ status: 'CONFIRMED', decided_by: people.bola }]);
    expect(await merchant.balance()).toEqual({ booked: 60_000, available: 60_000 });
  });

  it('keeps its end by one decision, whoever of many lets it stand at once', async () => {
    const { merchant, refundId } = await open(400, 'refund-success');
    await fixture.database.query(setReason, [refundId, 'RAIL_CONTRADICTS', fixture.clock.now()]);
    const proposed = await propose(merchant, refundId, 'SUCCEEDED');
    const codes = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        codeOf(confirm(merchant, proposed, at % 2 === 0 ? people.bola : people.chidi, fixture.another())),
      ),
    );
    expect(codes.filter((code) => code === 'ok')).toHaveLength(1);
    const { rows } = await fixture.database.pool.query(
      `select id from refund_attempts where refund_id = $1 and kind = 'OPERATOR'`,
      [refundId],
    );
    expect([rows.length, await statusesOf(merchant, refundId)]).toEqual([1, ['CONFIRMED']]);
  });

  it('keeps its end by what was known: what its provider says between the last look and the decision is looked at first', async () => {
    const { merchant, refundId } = await open(400, 'refund-success');
    await fixture.database.query(setReason, [refundId, 'RAIL_CONTRADICTS', fixture.clock.now()]);
    const proposed = await propose(merchant, refundId, 'SUCCEEDED');
    const { database, during } = inBetween(fixture.database);
    const { refund } = await readRefundCase(fixture.database, merchant.tenant, refundId);
    const at = fixture.clock.now();
    const says = async (statement: string) => {
      if (statement !== 'list-refund-facts') return;
      looks += 1;
      if (looks < 2) return;
      const { merchant_id, mode, rail } = refund;
      const said = { outcome: 'failed', code: '16', reason: 'DECLINED', message: null, provider_refund_id: null };
      const call = { merchant_id, mode, refund_id: refundId, id: newId(), rail, kind: 'CHECK' } as const;
      await fixture.database.run(insertRefundAttempts, [
        { ...call, ...said, reported: null, started_at: at, ended_at: at },
      ]);
      await fixture.database.pool.query('update refunds set attempts = attempts + 1 where id = $1', [refundId]);
    };
    let looks = 0;
    const deps = { ...fixture.container, database };
    const { result } = await during(says, () => codeOf(confirm(merchant, proposed, people.bola, deps)));
    expect([looks, result]).toEqual([2, 'OUTCOME_PROPOSAL_STALE']);
    const { refund: after, said } = await readRefundCase(fixture.database, merchant.tenant, refundId);
    expect([after.operator_reason, said.filter(({ kind }) => kind === 'OPERATOR')]).toEqual(['RAIL_CONTRADICTS', []]);
    await confirm(merchant, await propose(merchant, refundId, 'SUCCEEDED'));
  });

  it('that failed, and that its provider or bank says since was sent, is not sent once more before people have decided', async () => {
    const { merchant, paymentId, refundId } = await open(1_000, 'refund-refused');
    expect(await merchant.read(refundId)).toMatchObject({ status: 'FAILED' });
    await fixture.database.query(setReason, [refundId, 'RAIL_CONTRADICTS', fixture.clock.now()]);
    for (const way of ['PROVIDER', 'PAYOUT']) {
      const { status, body } = await merchant.refund(paymentId, { way, allowDuplicate: true });
      expect([way, status, body.code]).toEqual([way, 409, 'PAYMENT_NOT_REFUNDABLE']);
    }
    await confirm(merchant, await propose(merchant, refundId, 'FAILED'));
    // For the charges.
    await merchant.pay(500);
    const paidOut = { way: 'PAYOUT', allowDuplicate: true };
    const failing = { 'x-sandbox-scenario': 'failed-do-not-honour' };
    const second = await merchant.refund(paymentId, paidOut, failing);
    expect(second.status, second.text).toBe(200);
    await fixture.work(60);
    const { status, payoutTransactionId } = await merchant.read(second.body.data.refundId);
    expect(status).toBe('FAILED');
    await saysPaid(fixture.container, merchant.tenant, payoutTransactionId);
    expect((await merchant.refund(paymentId, paidOut)).body.code).toBe('PAYMENT_NOT_REFUNDABLE');
    await letStand(fixture.container, merchant.tenant, payoutTransactionId);
    expect((await merchant.refund(paymentId, paidOut)).status).toBe(200);
  });

  it('that failed is not sent once more where its provider says that it was sent while the next one is being made', async () => {
    const { merchant, paymentId, refundId } = await open(1_000, 'refund-refused');
    const { container } = fixture;
    const approvalRules: typeof container.approvalRules = {
      ...container.approvalRules,
      async read(tenant) {
        await fixture.database.query(setReason, [refundId, 'RAIL_CONTRADICTS', fixture.clock.now()]);
        return container.approvalRules.read(tenant);
      },
    };
    const maker = {
      merchantId: merchant.tenant.merchantId,
      personId: null,
      name: null,
      via: 'API',
      keyId: null,
      ip: null,
    } as const;
    const asked = {
      tenant: merchant.tenant,
      paymentId,
      amountMinor: undefined,
      note: null,
      reference: null,
      cause: 'MERCHANT',
    } as const;
    const plain = { account: undefined, scenario: null, maker, allowDuplicate: true, idempotency: undefined };
    const again = requestRefund({ ...container, approvalRules }, { ...asked, ...plain, way: 'PROVIDER' });
    expect(await codeOf(again)).toBe('PAYMENT_NOT_REFUNDABLE');
    expect(await merchant.left(paymentId)).toMatchObject({ refundedAmount: 0, pendingAmount: 0 });
    await confirm(merchant, await propose(merchant, refundId, 'FAILED'));
  });

  it('is decided by its payout where it goes out as one', async () => {
    const merchant = await fixture.addMerchant();
    const payer = { payer: { accountNumber: '0690000031', bankName: 'Access Bank Plc' } };
    const { body } = await merchant.refund(await merchant.pay(1_000, payer), { amount: 100, way: 'PAYOUT' });
    expect(await codeOf(propose(merchant, body.data.refundId, 'FAILED'))).toBe('REFUND_NOT_UNDECIDED');
  });
});

describe('a refund whose payer may have the money by an earlier one that failed', () => {
  type Refunds = RefundCaller;
  /** What a worker has whose provider or rail is another one. */
  const withRail = (change: (rail: RailCaller, refunds: Refunds) => Partial<RailCaller>): Container => ({
    ...fixture.container,
    rails: {
      ...fixture.container.rails,
      async findRail(mode, name) {
        const rail = await fixture.container.rails.findRail(mode, name);
        return rail?.wallets?.refunds && { ...rail, ...change(rail, rail.wallets.refunds) };
      },
    },
  });
  const withRefunds = (change: (refunds: Refunds) => Partial<Refunds>) =>
    withRail((rail, refunds) => ({
      wallets: { ...rail.wallets, refunds: { ...refunds, ...change(refunds) } } as never,
    }));
  /** This happens while a call waits for its turn at the provider or rail. */
  const whileItWaits = (happens: () => Promise<unknown>) =>
    withRail((rail, refunds) => {
      const waiting: Refunds = { ...refunds, refund: (...asked) => happens().then(() => refunds.refund(...asked)) };
      return {
        wallets: { ...rail.wallets, refunds: waiting } as never,
        send: (...asked) => happens().then(() => rail.send(...asked)),
      };
    });
  /** What a call comes to that was lost on its way. */
  const lost = () => ({ outcome: 'unknown', code: null, reason: 'RAIL_TIMEOUT', message: '-', sent: true }) as const;
  const at = () => ({ at: fixture.clock.now() });
  const contradict = (refundId: string) =>
    fixture.database.query(setReason, [refundId, 'RAIL_CONTRADICTS', fixture.clock.now()]);
  const atProvider = async (refundId: string): Promise<number> => {
    const asked = `select count(*)::int as n from refund_attempts where refund_id = $1 and kind in ('SEND', 'DETAILS') and reason is distinct from 'RAIL_CALL_ABANDONED'`;
    return (await fixture.database.pool.query(asked, [refundId])).rows[0].n;
  };
  const failedOnce = async () => {
    const first = await open(1_000, 'refund-refused');
    const again = async (scenario: string, more: object = {}) => {
      const headers = { 'x-sandbox-scenario': scenario };
      const asked = await first.merchant.refund(first.paymentId, { allowDuplicate: true, ...more }, headers);
      expect(asked.status, asked.text).toBe(200);
      return asked.body.data.refundId as string;
    };
    return { ...first, again };
  };

  it.each(['PROVIDER', 'PAYOUT'])(
    'fails and goes to nobody by %s, where that is said while its call waits for its turn',
    async (way) => {
      const { merchant, refundId, again } = await failedOnce();
      await merchant.pay(500);
      const before = await merchant.balance();
      const second = await again(way === 'PAYOUT' ? 'success' : 'refund-success', { way });
      await fixture.work(
        12,
        whileItWaits(() => contradict(refundId)),
      );
      expect(await merchant.read(second)).toMatchObject({ status: 'FAILED', reason: 'PAYMENT_UNCERTAIN' });
      expect(await merchant.balance()).toEqual(before);
      const sent = `select 1 from sandbox_refunds where merchant_id = $1 union all select 1 from sandbox_rail_transfers where merchant_id = $1`;
      expect((await fixture.database.pool.query(sent, [merchant.merchantId])).rows).toHaveLength(1);
      await confirm(merchant, await propose(merchant, refundId, 'FAILED'));
    },
  );

  it('is not sent a second time where its provider has not found it, before people have decided', async () => {
    const { merchant, refundId, again } = await failedOnce();
    const second = await again('refund-success');
    const unanswered = { ...lost(), ...at(), providerRefundId: null, reported: NO_REFUND_REPORTED };
    await sendDueRefunds(
      withRefunds(() => ({ refund: async () => unanswered })),
      'SANDBOX',
    );
    await contradict(refundId);
    for (let hours = 0; hours < 26; hours += 1) {
      fixture.clock.advance(60 * 60_000);
      await sendDueRefunds(fixture.container, 'SANDBOX');
    }
    expect(await merchant.read(second)).toMatchObject({ status: 'PROCESSING' });
    expect(await atProvider(second)).toBe(1);
    const { refund } = await readRefundCase(fixture.database, merchant.tenant, second);
    expect(refund.operator_reason).toBe('UNKNOWN_TOO_LONG');
    await confirm(merchant, await propose(merchant, refundId, 'FAILED'));
    fixture.clock.advance(2 * 60 * 60_000);
    await fixture.work(60);
    expect(await merchant.read(second)).toMatchObject({ status: 'SUCCESS' });
  });

  it('is not decided while a worker has it at its provider, and is once that has answered', async () => {
    const { merchant, refundId } = await open();
    const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = withRefunds((refunds) => ({
      async queryRefund(order) {
        if (order.reference === refundId.replaceAll('-', '')) {
          asked.resolve();
          await answer.promise;
        }
        return refunds.queryRefund(order);
      },
    }));
    fixture.clock.advance(60 * 60_000);
    const working = sendDueRefunds(slow, 'SANDBOX');
    await asked.promise;
    const before = await propose(merchant, refundId, 'FAILED');
    expect(await codeOf(confirm(merchant, before))).toBe('REFUND_IN_HAND');
    expect(await merchant.balance()).toEqual({ booked: 100_000, available: 60_000 });
    answer.resolve();
    await working;
    expect(await codeOf(confirm(merchant, before))).toBe('ok');
    expect(await merchant.balance()).toEqual({ booked: 100_000, available: 100_000 });
  });

  it('is not decided by what was known before its provider was given the payer’s account once more', async () => {
    const { merchant, refundId } = await open(400, 'refund-needs-details');
    const account = { pin: TEST_PIN, bankCode: '044', accountNumber: '0690000031' };
    const given = await merchant.call('POST', `/collection/refund/${refundId}/details`, account);
    expect(given.status, given.text).toBe(200);
    const losing = withRefunds(() => ({
      giveDetails: async () => ({ ...lost(), ...at(), providerRefundId: null, reported: NO_REFUND_REPORTED }),
    }));
    const calls = async () => {
      const asked = `select count(*)::int as n from refund_attempts where refund_id = $1 and kind = 'DETAILS'`;
      return (await fixture.database.pool.query(asked, [refundId])).rows[0].n as number;
    };
    // Until the provider has said once more that it has no account.
    while ((await calls()) < 2) await fixture.work(6, losing);
    const before = await calls();
    const proposed = await propose(merchant, refundId, 'FAILED');
    for (let minutes = 0; minutes < 60 && (await calls()) === before; minutes += 1) await fixture.work(60, losing);
    expect(await calls()).toBeGreaterThan(before);
    expect(await codeOf(confirm(merchant, proposed))).toBe('OUTCOME_PROPOSAL_STALE');
    expect(await merchant.balance()).toEqual({ booked: 100_000, available: 60_000 });
    for (let hours = 0; hours < 3; hours += 1) {
      fixture.clock.advance(80 * 60_000);
      await fixture.work(12);
    }
    expect(await merchant.read(refundId)).toMatchObject({ status: 'SUCCESS' });
  });

  it.each([
    ['by another call', { kind: 'CHECK' }],
    ['at another provider account', { rail: 'another' }],
    ['with another outcome', { outcome: 'not_found' }],
    ['with another code', { code: '10' }],
    ['of another refund of its provider', { provider_refund_id: 'refund-2' }],
    ['of another amount', { reported: '{"amountMinor":"1"}' }],
  ] as const)(
    'has to be proposed anew once its provider has said the same %s, and not where it said it again',
    async (_how, more) => {
      const { merchant, refundId } = await open();
      const { merchantId: merchant_id, mode } = merchant.tenant;
      const said = {
        rail: 'sandbox',
        kind: 'QUERY',
        outcome: 'pending',
        code: '09',
        reason: null,
        message: '-',
      } as const;
      const now = { started_at: fixture.clock.now(), ended_at: fixture.clock.now() };
      const undone = new Error('undone');
      const told = fixture.database.transaction(async (tx) => {
        const tell = async (different: object = {}) => {
          const row = {
            ...said,
            ...now,
            provider_refund_id: 'refund-1',
            reported: '{"amountMinor":"40000"}',
            ...different,
          };
          await tx.run(insertRefundAttempts, [{ merchant_id, mode, refund_id: refundId, id: newId(), ...row }]);
          return (await readKnownRefund(tx, merchant.tenant, refundId)).digest;
        };
        const first = await tell();
        expect(await tell()).toBe(first);
        expect(await tell(more)).not.toBe(first);
        throw undone;
      });
      await expect(told).rejects.toBe(undone);
    },
  );

  it('is free again at once where its decision could not be kept', async () => {
    const { merchant, refundId } = await open();
    const proposed = await propose(merchant, refundId, 'FAILED');
    const { ledger } = fixture.container;
    const refusing: Container = {
      ...fixture.container,
      ledger: { ...ledger, commit: () => Promise.reject(new Error('the database is away')) },
    };
    expect(await codeOf(confirm(merchant, proposed, people.bola, refusing))).toContain('the database is away');
    expect(await codeOf(confirm(merchant, proposed))).toBe('ok');
    expect(await merchant.balance()).toEqual({ booked: 100_000, available: 100_000 });
  });

  it('is not sent where its merchant is suspended while its call waits for its turn, and is once that is over', async () => {
    const merchant = await fixture.addMerchant();
    const { refundId } = (await merchant.refund(await merchant.pay(1_000), { amount: 400 })).body.data;
    const become = async (status: string) => {
      await fixture.database.pool.query('update merchants set status = $2 where id = $1', [
        merchant.merchantId,
        status,
      ]);
      // Suspensions are looked up every so often.
      fixture.clock.advance(5_000);
    };
    const sent = async () => {
      const asked = 'select 1 from sandbox_refunds where merchant_id = $1';
      return (await fixture.database.pool.query(asked, [merchant.merchantId])).rows.length;
    };
    await sendDueRefunds(
      whileItWaits(() => become('SUSPENDED')),
      'SANDBOX',
    );
    expect(await sent()).toBe(0);
    expect((await merchant.balance()).booked).toBe(100_000);
    await become('ACTIVE');
    fixture.clock.advance(60 * 60_000);
    await fixture.work(12);
    expect(await sent()).toBe(1);
    expect(await merchant.read(refundId)).toMatchObject({ status: 'SUCCESS' });
  });

  it('is not sent a second time where its provider had it once, and finds it no more', async () => {
    const { merchant, refundId } = await open();
    const gone = { ...lost(), outcome: 'not_found' as const, providerRefundId: null, reported: NO_REFUND_REPORTED };
    const forgetful = withRefunds(() => ({ queryRefund: async () => ({ ...gone, ...at() }) }));
    for (let hours = 0; hours < 26; hours += 1) {
      fixture.clock.advance(60 * 60_000);
      while ((await sendDueRefunds(forgetful, 'SANDBOX')) > 0);
    }
    expect(await atProvider(refundId)).toBe(1);
    const { refund } = await readRefundCase(fixture.database, merchant.tenant, refundId);
    expect(refund).toMatchObject({ status: 'PROCESSING', operator_reason: 'UNKNOWN_TOO_LONG' });
    await confirm(merchant, await propose(merchant, refundId, 'FAILED'));
  });

  it('is not sent a second time while the call of a worker that died may still begin', async () => {
    const merchant = await fixture.addMerchant();
    const { refundId } = (await merchant.refund(await merchant.pay(1_000), { amount: 400 })).body.data;
    const called = Promise.withResolvers<void>();
    const dies = async () => {
      called.resolve();
      return new Promise<never>(() => undefined);
    };
    void sendDueRefunds(
      withRefunds(() => ({ refund: dies })),
      'SANDBOX',
    );
    await called.promise;
    const goOn = async (seconds: number) => {
      fixture.clock.advance(seconds * 1_000);
      while ((await sendDueRefunds(fixture.container, 'SANDBOX')) > 0);
    };
    await goOn(61);
    await goOn(30);
    expect(await atProvider(refundId)).toBe(1);
    await goOn(120);
    expect(await atProvider(refundId)).toBe(2);
    expect(await merchant.read(refundId)).toMatchObject({ status: 'SUCCESS' });
  });

  it('has no account given to its provider before people have decided', async () => {
    const { merchant, refundId, again } = await failedOnce();
    const second = await again('refund-needs-details');
    await fixture.work(12);
    const account = { pin: TEST_PIN, bankCode: '044', accountNumber: '0690000031' };
    const given = await merchant.call('POST', `/collection/refund/${second}/details`, account);
    expect(given.status, given.text).toBe(200);
    await contradict(refundId);
    for (let hours = 0; hours < 3; hours += 1) {
      fixture.clock.advance(60 * 60_000);
      await fixture.work(12);
    }
    expect(await merchant.read(second)).toMatchObject({ status: 'PROCESSING' });
    await confirm(merchant, await propose(merchant, refundId, 'FAILED'));
    for (let hours = 0; hours < 3; hours += 1) {
      fixture.clock.advance(2 * 60 * 60_000);
      await fixture.work(12);
    }
    expect(await merchant.read(second)).toMatchObject({ status: 'SUCCESS' });
  });

  it('is not sent a second time by its payout either, where the rail has not found that', async () => {
    const { merchant, refundId, again } = await failedOnce();
    await merchant.pay(500);
    const second = await again('success', { way: 'PAYOUT' });
    const unanswered = { ...lost(), ...at(), sessionId: null, reported: NOTHING_REPORTED };
    await fixture.work(
      6,
      withRail(() => ({ send: async () => unanswered })),
    );
    expect(await merchant.read(second)).toMatchObject({ status: 'PROCESSING' });
    await contradict(refundId);
    for (let minutes = 0; minutes < 30; minutes += 5) {
      fixture.clock.advance(5 * 60_000);
      await fixture.work(6);
    }
    expect(await merchant.read(second)).toMatchObject({ status: 'PROCESSING' });
    await confirm(merchant, await propose(merchant, refundId, 'FAILED'));
    fixture.clock.advance(60 * 60_000);
    await fixture.work(60);
    expect(await merchant.read(second)).toMatchObject({ status: 'SUCCESS' });
  });
});

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  Plans?: PlanNode[];
}

/** What of a plan reads refunds. */
const scansOf = (node: PlanNode): PlanNode[] => [
  ...(node['Relation Name'] === 'refunds' ? [node] : []),
  ...(node.Plans ?? []).flatMap(scansOf),
];

describe('the list of refunds of all merchants', () => {
  it('has what needs a decision, what waits longest first, until it is decided', async () => {
    const first = await open();
    const second = await open();
    await fixture.database.query(setReason, [second.refundId, 'UNKNOWN_TOO_LONG', fixture.clock.now()]);
    fixture.clock.advance(1_000);
    await fixture.database.query(setReason, [first.refundId, 'UNKNOWN_TOO_LONG', fixture.clock.now()]);
    const waiting = async (filter = {}) => {
      const { rows } = await readRefundQueue(fixture.container, { needsDecision: true, ...filter }, PAGE);
      return rows.map(({ refund }) => refund.id).filter((id) => [first.refundId, second.refundId].includes(id));
    };
    expect(await waiting()).toEqual([second.refundId, first.refundId]);
    expect(await waiting({ merchantId: first.merchant.tenant.merchantId })).toEqual([first.refundId]);
    expect(await waiting({ status: 'SUCCESS' })).toEqual([]);
    await confirm(second.merchant, await propose(second.merchant, second.refundId, 'FAILED'));
    expect(await waiting()).toEqual([first.refundId]);
  });

  it('has those of all merchants in the last 90 days, newest first, and of each reads no more than a page', async () => {
    const refunds = [];
    for (let at = 0; at < 3; at += 1) refunds.push(await open());
    const { rows, lookedBackTo } = await readRefundQueue(fixture.container, {}, { page: 1, size: 3 });
    expect(rows.map(({ refund }) => refund.id)).toEqual(refunds.map(({ refundId }) => refundId).toReversed());
    expect(fixture.clock.now().getTime() - (lookedBackTo?.getTime() ?? 0) - 90 * DAY_MS).toBeLessThan(60_000);
    const none = await readRefundQueue(
      fixture.container,
      { from: new Date(fixture.clock.now().getTime() + DAY_MS) },
      PAGE,
    );
    expect(none.rows).toEqual([]);
    const walked: string[] = [];
    let request: Parameters<typeof readRefundQueue>[2] = { page: 1, size: 2 };
    for (let pages = 0; pages < 100; pages += 1) {
      const page = await readRefundQueue(fixture.container, {}, request);
      walked.push(...page.rows.map(({ refund }) => refund.id));
      if (page.wrapper.nextCursor === null) break;
      request = { size: 2, direction: 'after', cursor: decodeCursor(page.wrapper.nextCursor) };
    }
    const all = await fixture.database.pool.query('select id from refunds order by id desc');
    expect(walked).toEqual(all.rows.map(({ id }) => id));

    await fixture.database.pool.query(
      `insert into refunds select r.* from (select * from refunds where id = $1) t
        cross join generate_series(1, 5000) n
        cross join lateral jsonb_populate_record(null::refunds, to_jsonb(t) || jsonb_build_object('id', 'ffffffff-ffff-4fff-8fff-' || lpad(n::text, 12, '0'), 'due_at', null)) r`,
      [refunds[0]?.refundId],
    );
    const { statement: asked, values } = rowsBeyond(operatorRefundList({}, new Date(0)), {
      direction: 'after',
      key: undefined,
      limit: 21,
    });
    const { rows: explained } = await fixture.database.pool.query(`explain (analyze, format json) ${asked.text}`, [
      ...values,
    ]);
    const scans = scansOf(explained[0]['QUERY PLAN'][0].Plan);
    expect(scans.length).toBeGreaterThan(0);
    for (const scan of scans) {
      expect(scan['Node Type']).toContain('Index');
      expect(scan['Actual Rows']).toBeLessThanOrEqual(21);
    }
    await fixture.database.pool.query("delete from refunds where id::text like '________-____-4%'");
  });
});
