import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Container } from '../../src/container.ts';
import type { RefundCaller } from '../../src/rails/index.ts';
import { sendDueRefunds } from '../../src/refunds/index.ts';
import { brokenChecks } from '../support/proof.ts';
import { createRefundFixture, type RefundFixture } from './refund-fixture.ts';

let fixture: RefundFixture;

beforeAll(async () => {
  fixture = await createRefundFixture();
});
afterAll(async () => {
  expect(await brokenChecks(fixture.database)).toEqual([]);
  await fixture.close();
});

/** Where a worker is killed between a refund that is due and its end. */
const STEPS = [
  'when it had leased it',
  'before the provider was asked',
  'when the provider had answered',
  'before the books had the answer',
  'when the books had the answer',
] as const;
type Step = (typeof STEPS)[number];

/** What a worker sees that is killed at `step`: from then on nothing returns. */
function doomed(step: Step): { deps: Container; isDead: () => boolean } {
  const { container } = fixture;
  let dead = false;
  let isAsked = false;
  const gone = () => new Promise<never>(() => undefined);
  const dies = (at: Step) => {
    dead ||= at === step;
    return dead;
  };
  const caller = (refunds: RefundCaller): RefundCaller => ({
    ...refunds,
    async refund(...asked) {
      if (dies('before the provider was asked')) return gone();
      const answer = await refunds.refund(...asked);
      isAsked = true;
      return dies('when the provider had answered') ? gone() : answer;
    },
  });
  const deps: Container = {
    ...container,
    rails: {
      ...container.rails,
      async findRail(mode, name) {
        const rail = await container.rails.findRail(mode, name);
        if (rail?.wallets?.refunds === undefined) return rail;
        return { ...rail, wallets: { ...rail.wallets, refunds: caller(rail.wallets.refunds) } };
      },
    },
    ledger: {
      ...container.ledger,
      async commit(movement) {
        if (!isAsked && dies('when it had leased it')) return gone();
        if (isAsked && dies('before the books had the answer')) return gone();
        if (dead) return gone();
        const result = await container.ledger.commit(movement);
        return isAsked && dies('when the books had the answer') ? gone() : result;
      },
    },
  };
  return { deps, isDead: () => dead };
}

const ENDS: Readonly<Record<string, string>> = {
  'refund-success': 'SUCCESS',
  'refund-pending-then-failed': 'FAILED',
  'refund-needs-details': 'NEEDS_DETAILS',
  'refund-refused': 'FAILED',
};
/** Of each step, with each way in which the provider may answer; `npm run test:long` has more than 100 in all. */
const KILLS = Number(process.env['REFUND_KILLS'] ?? 2);

describe('a worker that is killed in the middle of a refund', () => {
  it.each(STEPS)('%s refunds nothing twice and forgets nothing, whoever comes after it', async (step) => {
    // An answer that ends nothing comes into no books.
    const scenarios = Object.keys(ENDS).filter((name) => !step.includes('books') || !name.includes('pending'));
    const merchant = await fixture.addMerchant();
    const paymentId = await merchant.pay(10_000);
    const ids: string[] = [];
    for (let kill = 0; kill < KILLS * scenarios.length; kill += 1) {
      const headers = { 'x-sandbox-scenario': scenarios[kill % scenarios.length] ?? '' };
      const asked = await merchant.refund(paymentId, { amount: 10 + kill }, headers);
      ids.push(asked.body.data.refundId);
      const { deps, isDead } = doomed(step);
      void sendDueRefunds(deps, 'SANDBOX');
      await expect.poll(isDead, { interval: 1 }).toBe(true);
    }
    // What the dead have in their hands is taken up once their leases have run out; two are at it.
    for (const minutes of [1.1, 1.1, 1.1, 6, 6]) {
      fixture.clock.advance(minutes * 60_000);
      await Promise.all([fixture.work(12), sendDueRefunds(fixture.another(), 'SANDBOX')]);
    }
    const ends = await Promise.all(ids.map(merchant.read));
    const statuses = ends.map(({ status }) => status);
    expect(statuses).toEqual(ids.map((_, at) => ENDS[scenarios[at % scenarios.length] ?? '']));
    const { rows } = await fixture.database.pool.query(
      'select count(*)::int as refunds from sandbox_refunds where merchant_id = $1',
      [merchant.merchantId],
    );
    expect(rows[0].refunds).toBe(ids.length);
    const paid = ends.filter(({ status }) => status === 'SUCCESS').reduce((sum, { amount }) => sum + amount, 0);
    expect((await merchant.balance()).booked).toBe(1_000_000 - paid * 100);
    expect((await merchant.left(paymentId)).refundedAmount).toBe(paid);
  });
});
