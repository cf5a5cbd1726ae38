import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFees, explainCharges, type FeeRule, type PayoutPurpose, quotePayout } from '../../src/fees/index.ts';
import { clockOf } from '../support/clock.ts';
import { openTestDatabase } from '../support/database.ts';

const IN_2026 = new Date('2026-06-01T09:00:00Z');
const IN_2025 = new Date('2025-06-01T09:00:00Z');

let seeded: Awaited<ReturnType<typeof openTestDatabase>>;
let rules: readonly FeeRule[];
beforeAll(async () => {
  seeded = await openTestDatabase();
  rules = await createFees({ database: seeded.database, clock: clockOf(() => IN_2026) }).listRules();
});
afterAll(() => seeded.drop());

function explain(amountMinor: bigint, at = IN_2026, purpose?: PayoutPurpose) {
  return explainCharges(rules, { amountMinor, currency: 'NGN', purpose, at });
}

describe('the charges of a payout', () => {
  it('are listed one by one, each with its payer, rule, date, rounding and source', () => {
    const [fee, vat, duty] = explain(10_000_000n);
    expect(fee).toMatchObject({ kind: 'TRANSFER_FEE', amountMinor: 5_000n, reason: null });
    expect(vat).toMatchObject({ kind: 'VAT', amountMinor: 375n, reason: null });
    expect(vat?.rule).toMatchObject({ id: 'ngn-vat-2020', rounding: 'HALF_UP', payer: 'SENDER' });
    expect(duty).toMatchObject({ kind: 'STAMP_DUTY', amountMinor: 5_000n, reason: null });
    expect(duty?.rule?.effectiveFrom).toEqual(new Date('2025-12-31T23:00:00Z'));
    expect(duty?.rule?.source).toContain('Nigeria Tax Act 2025');
  });

  it('say why a salary carries no duty, by which rule', () => {
    const [, , duty] = explain(10_000_000n, IN_2026, 'SALARY');
    expect(duty).toMatchObject({
      amountMinor: 0n,
      reason: 'A payment with the purpose SALARY is exempt from it.',
      rule: { id: 'ngn-stamp-duty-2026-sender' },
    });
  });

  it('say what the receiver bears, and charge it to nobody else', () => {
    const [, , duty] = explain(10_000_000n, IN_2025);
    expect(duty).toMatchObject({ amountMinor: 5_000n, reason: 'The receiver bears it.', rule: { payer: 'RECEIVER' } });
  });

  it('name no rule where none is in force for the amount', () => {
    expect(explain(999_999n)[2]).toMatchObject({ amountMinor: 0n, rule: null });
    expect(explain(999_999n)[2]?.reason).toMatch(/No rule/);
  });

  it('that the sender bears add up to the quote, for every amount, day and purpose', () => {
    for (const amountMinor of [1n, 500_000n, 500_001n, 999_999n, 1_000_000n, 5_000_001n, 999_999_999_999_999n]) {
      for (const at of [IN_2025, IN_2026]) {
        for (const purpose of [undefined, 'GENERAL', 'SALARY', 'OWN_ACCOUNT'] as const) {
          const borne = explain(amountMinor, at, purpose).filter(({ rule }) => rule?.payer === 'SENDER');
          const quote = quotePayout(rules, { amountMinor, currency: 'NGN', purpose, at });
          expect(borne.reduce((sum, line) => sum + line.amountMinor, 0n)).toBe(quote.chargesMinor);
        }
      }
    }
  });
});
