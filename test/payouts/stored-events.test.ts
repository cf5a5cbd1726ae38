import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brokenChecks } from '../support/proof.ts';
import { createPayoutFixture, type Merchant, type PayoutFixture, payment, untilQuiet } from './payout-fixture.ts';

let fixture: PayoutFixture;
beforeAll(async () => {
  fixture = await createPayoutFixture();
});
afterAll(() => fixture.close());

const HOUR_MS = 3_600_000;
const NAMES = ['success', 'failed-do-not-honour', 'late-reversal'];

async function payAll(merchant: Merchant, round: number): Promise<void> {
  const { clock } = fixture;
  for (const [at, scenario] of NAMES.entries()) {
    const body = payment({
      amount: 100 + 10 * round + at,
      narration: `Salary ${round} "100%" ${at}`,
      accountNumber: `01234567${round}${at}`,
      metadata: { round, of: 'payday' },
      ...(round > 1 && { reference: `R-${round}-${at}` }),
    });
    const made = await merchant.call('POST', '/payout/single', body, { 'x-sandbox-scenario': scenario });
    expect(made.body.status, made.text).toBe(true);
  }
  const scheduledFor = new Date(clock.now().getTime() + HOUR_MS).toISOString();
  for (const amount of [201 + round, 301 + round]) {
    const made = await merchant.call('POST', '/payout/single/schedule', payment({ amount, scheduledFor }));
    const { scheduleId } = made.body.data;
    if (amount > 300) await merchant.call('POST', '/payout/single/schedule/cancel', { scheduleId });
  }
  await untilQuiet(fixture, merchant);
  clock.advance(HOUR_MS);
  await untilQuiet(fixture, merchant);
}

describe('the events of payouts', () => {
  it('of one type and wallet share a template, and each is read as it was written', async () => {
    const merchant = await fixture.addMerchant();
    for (const round of [1, 2, 3]) await payAll(merchant, round);
    const { rows } = await fixture.database.pool.query<{ type: string; events: number; whole: number }>(
      `select type, count(*)::int as events, count(*) filter (where template_id is null)::int as whole
         from event_rows where merchant_id = $1 and type like 'payout.%' group by type order by type`,
      [merchant.merchantId],
    );
    expect(rows.map(({ type }) => type)).toEqual([
      'payout.cancelled',
      'payout.failed',
      'payout.processing',
      'payout.queued',
      'payout.reversed',
      'payout.scheduled',
      'payout.succeeded',
    ]);
    expect(rows.filter(({ whole }) => whole > 1)).toEqual([]);
    expect(Math.min(...rows.map(({ events }) => events))).toBeGreaterThan(2);
    expect(await brokenChecks(fixture.database)).toEqual([]);
  });
});
