import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { applyOutcome } from '../../src/payout-delivery/apply-outcome.ts';
import { takeProviderWebhook } from '../../src/payout-delivery/provider-webhooks.ts';
import type { PayoutRecord } from '../../src/payouts/index.ts';
import { resolveLine } from '../../src/reconciliation/index.ts';
import { addOperator, booked, codeOf, csvOf, importText, pay, payoutOf } from '../reconciliation/files.ts';
import { brokenChecks } from '../support/proof.ts';
import {
  createPayoutFixture,
  items,
  type Merchant,
  type PayoutFixture,
  PIN,
  payment,
  railsOf,
  untilQuiet,
} from './payout-fixture.ts';
import { bankAnswer, losingAnswers, RETURNS, withoutWebhooks } from './sandbox-bank.ts';
import { PAID } from './scripted-rail.ts';

const REVERSED = { outcome: 'reversed', reason: 'RAIL_REVERSED' } as const;
const FUNDED = 1_000_000_000n;

let fixture: PayoutFixture;
let merchant: Merchant;
/** Answers of sends, from now on. */
let isLost: boolean;
beforeAll(async () => {
  fixture = await createPayoutFixture({
    rails: ({ sandboxRail }) => railsOf(losingAnswers(sandboxRail, () => isLost)),
  });
});
beforeEach(async () => {
  isLost = false;
  merchant = await fixture.addMerchant();
});
afterAll(async () => {
  expect(await brokenChecks(fixture.database)).toEqual([]);
  await fixture.close();
});

/** Every process has felt it when this returns. */
async function change(status: 'SUSPENDED' | 'ACTIVE'): Promise<void> {
  await fixture.database.pool.query('update merchants set status = $1 where id = $2', [status, merchant.merchantId]);
  fixture.clock.advance(1_000);
}

const providerWebhook = async (payout: PayoutRecord, said: typeof PAID | typeof REVERSED = REVERSED) => ({
  providerWebhookId: 'n-1',
  railReference: payout.rail_reference,
  tenant: merchant.tenant,
  answer: await bankAnswer(fixture.deps, payout, said),
});

async function eventsOf(payout: PayoutRecord): Promise<string[]> {
  const sql = 'select type from events where subject_id = $1 order by type';
  return (await fixture.database.pool.query<{ type: string }>(sql, [payout.id])).rows.map(({ type }) => type);
}

/** Keys are felt again by real time. */
const paysAgain = (amount: number) =>
  expect.poll(async () => (await merchant.call('POST', '/payout/single', payment({ amount }))).status).toBe(200);

describe('money of a suspended merchant that comes back', () => {
  it('is in its wallet once, whichever ways it comes at one moment, and can be spent once it is reinstated', async () => {
    const paid = await pay(fixture, merchant, {}, RETURNS);
    const line = { reference: paid.rail_reference };
    const text = csvOf([line, { ...line, status: 'reversed' }], fixture.clock.now());
    const { id: importId, lines } = await importText(fixture.deps, merchant, text);
    await change('SUSPENDED');
    const other = await fixture.otherProcess();
    const word = await providerWebhook(paid);
    const ada = await addOperator(fixture, 'ada');
    const resolution = { importId, lineId: lines[1]!.id, how: 'APPLY', note: null, personId: ada } as const;
    const told = await Promise.all([
      codeOf(takeProviderWebhook(fixture.deps, 'sandbox', word)),
      codeOf(takeProviderWebhook(other.deps, 'sandbox', word)),
      codeOf(applyOutcome(other.deps, paid, word.answer, { kind: 'PROVIDER_WEBHOOK' })),
      codeOf(resolveLine(fixture.deps, resolution)),
    ]);
    expect(told).toEqual(['ok', 'ok', 'ok', 'ok']);
    expect((await payoutOf(fixture, merchant, paid.id)).status).toBe('REVERSED');
    expect(await merchant.balance()).toMatchObject({ bookedMinor: FUNDED, availableMinor: FUNDED });
    expect((await eventsOf(paid)).filter((type) => type === 'payout.reversed')).toHaveLength(1);
    expect(await booked(fixture, merchant)).toMatchObject({ PAYOUT_CLEARING: 0n, PROVIDER_FLOAT: -FUNDED });
    await untilQuiet(fixture, merchant);
    expect((await merchant.balance()).availableMinor).toBe(FUNDED);
    await change('ACTIVE');
    await paysAgain(2_000);
    await other.close();
  });

  it('ends a payout whose success nobody had heard of: what was held is free, and nothing comes back twice', async () => {
    isLost = true;
    const open = await pay(withoutWebhooks(fixture), merchant, {}, RETURNS);
    await change('SUSPENDED');
    expect(await takeProviderWebhook(fixture.deps, 'sandbox', await providerWebhook(open))).toBe('APPLIED');
    expect(await takeProviderWebhook(fixture.deps, 'sandbox', await providerWebhook(open))).toBe('ALREADY_APPLIED');
    expect((await payoutOf(fixture, merchant, open.id)).status).toBe('FAILED');
    expect(await merchant.balance()).toMatchObject({ bookedMinor: FUNDED, availableMinor: FUNDED });
    // The success arrives last. The end that was reported stands, and people look.
    expect(await takeProviderWebhook(fixture.deps, 'sandbox', await providerWebhook(open, PAID))).toBe(
      'ALREADY_APPLIED',
    );
    expect(await payoutOf(fixture, merchant, open.id)).toMatchObject({
      status: 'FAILED',
      operator_reason: 'RAIL_CONTRADICTS',
    });
    expect((await merchant.balance()).availableMinor).toBe(FUNDED);
  });

  it('of a batch that stopped half-way goes to the batch’s counters, and the rest is paid after reinstatement', async () => {
    const rows = items(6, { amount: 1_000 });
    // The bank returns two of them.
    for (const at of [0, 1]) rows[at]!.accountNumber = `100${at}999935`;
    const made = await merchant.call('POST', '/payout/bulk', { items: rows });
    const batchReference: string = made.body.data.batchReference;
    await fixture.worker.runOnce();
    await merchant.call('POST', '/payout/bulk/dispatch', { pin: PIN, batchReference });
    // All are paid before the time of the first return.
    for (let run = 0; run < 3; run += 1) await fixture.worker.runOnce();
    const paid = await fixture.database.pool.query<{ id: string }>(
      `select id from transactions
        where merchant_id = $1 and status = 'SUCCESS' and beneficiary_account_number like '%999935'`,
      [merchant.merchantId],
    );
    expect(paid.rows).toHaveLength(2);
    const later = await merchant.call('POST', '/payout/single', payment({ amount: 3_000 }));
    await change('SUSPENDED');
    const back = await Promise.all(paid.rows.map(({ id }) => payoutOf(fixture, merchant, id)));
    const other = await fixture.otherProcess();
    await Promise.all(
      back.flatMap((payout) =>
        [fixture.deps, other.deps].map(async (deps) =>
          takeProviderWebhook(deps, 'sandbox', await providerWebhook(payout)),
        ),
      ),
    );
    await untilQuiet(fixture, merchant);
    expect((await payoutOf(fixture, merchant, later.body.data.transactionId)).status).toBe('QUEUED');
    await change('ACTIVE');
    await untilQuiet(fixture, merchant);
    expect((await payoutOf(fixture, merchant, later.body.data.transactionId)).status).toBe('SUCCESS');
    const standing = async () => (await merchant.call('GET', `/payout/bulk/${batchReference}`)).body.data;
    await expect.poll(standing).toMatchObject({ status: 'COMPLETED', payouts: { succeeded: 4, reversed: 2 } });
    // Four of the batch and the single, with what each costs; two came back with it.
    expect((await merchant.balance()).availableMinor).toBe(FUNDED - 4n * 101_075n - 301_075n);
    await other.close();
  });

  it('comes once though the process that takes it is killed before and after its commit', async () => {
    const paid = await pay(fixture, merchant, {}, RETURNS);
    await change('SUSPENDED');
    const word = await providerWebhook(paid);
    for (const when of ['before', 'after'] as const) {
      const killed = Promise.withResolvers<void>();
      const dying = {
        ...fixture.deps,
        ledger: {
          ...fixture.deps.ledger,
          commit: (async (movement) => {
            if (when === 'after') await fixture.deps.ledger.commit(movement);
            killed.resolve();
            return new Promise<never>(() => undefined);
          }) as typeof fixture.deps.ledger.commit,
        },
      };
      void takeProviderWebhook(dying, 'sandbox', word);
      await killed.promise;
    }
    expect(await takeProviderWebhook(fixture.deps, 'sandbox', word)).toBe('ALREADY_APPLIED');
    expect((await payoutOf(fixture, merchant, paid.id)).status).toBe('REVERSED');
    expect(await merchant.balance()).toMatchObject({ bookedMinor: FUNDED, availableMinor: FUNDED });
    expect((await eventsOf(paid)).filter((type) => type === 'payout.reversed')).toHaveLength(1);
  });
});
