import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFees, type Fees, type PayoutPurpose } from '../../src/fees/index.ts';
import { violatedCheck, violatedUnique } from '../../src/platform/db/database.ts';
import { clockOf } from '../support/clock.ts';
import { openTestDatabase } from '../support/database.ts';
import { observed } from '../support/observed.ts';

const LAGOS_NEW_YEAR_2026 = new Date('2026-01-01T00:00:00+01:00').getTime();
const BEFORE_2026 = new Date(LAGOS_NEW_YEAR_2026 - 1);
const IN_2026 = new Date('2026-06-01T09:00:00Z');

describe('the fees that a new installation starts with', () => {
  let seeded: Awaited<ReturnType<typeof openTestDatabase>>;
  let fees: Fees;
  let now = IN_2026;
  const clock = clockOf(() => now);

  beforeAll(async () => {
    seeded = await openTestDatabase();
    fees = createFees({ database: seeded.database, clock });
  });
  afterAll(() => seeded.drop());

  function quote(amountMinor: bigint, at = IN_2026, purpose?: PayoutPurpose) {
    return fees.quotePayout({ amountMinor, currency: 'NGN', purpose, at });
  }

  it.each([
    [1n, 1_000n, 75n, 0n],
    [499_999n, 1_000n, 75n, 0n],
    [500_000n, 1_000n, 75n, 0n],
    [500_001n, 2_500n, 188n, 0n],
    [999_999n, 2_500n, 188n, 0n],
    [1_000_000n, 2_500n, 188n, 5_000n],
    [5_000_000n, 2_500n, 188n, 5_000n],
    [5_000_001n, 5_000n, 375n, 5_000n],
    [999_999_999_999_999n, 5_000n, 375n, 5_000n],
  ])('price %d kobo in 2026 at fee %d, VAT %d and duty %d', async (amountMinor, feeMinor, vatMinor, stampDutyMinor) => {
    const chargesMinor = feeMinor + vatMinor + stampDutyMinor;
    expect(await quote(amountMinor)).toMatchObject({
      feeMinor,
      vatMinor,
      stampDutyMinor,
      chargesMinor,
      totalMinor: amountMinor + chargesMinor,
    });
  });

  it('let the receiver bear the duty up to the last instant of 2025 in Lagos, and the sender from the next', async () => {
    const before = await quote(1_000_000n, BEFORE_2026);
    expect(before).toMatchObject({ stampDutyMinor: 0n, chargesMinor: 2_688n });
    expect(before.rules).toEqual(['ngn-transfer-fee-2020-medium', 'ngn-vat-2020']);
    const after = await quote(1_000_000n, new Date(LAGOS_NEW_YEAR_2026));
    expect(after).toMatchObject({ stampDutyMinor: 5_000n, chargesMinor: 7_688n });
    expect(after.rules).toContain('ngn-stamp-duty-2026-sender');
  });

  it('switch at midnight in Lagos, not in London', async () => {
    expect((await quote(1_000_000n, new Date('2025-12-31T23:30:00Z'))).stampDutyMinor).toBe(5_000n);
    expect((await quote(1_000_000n, new Date('2025-12-31T22:59:59.999Z'))).stampDutyMinor).toBe(0n);
  });

  it.each(['SALARY', 'OWN_ACCOUNT', 'SETTLEMENT'] as const)(
    'charge no duty on %s, but fee and VAT as ever',
    async (purpose) => {
      expect(await quote(10_000_000n, IN_2026, purpose)).toMatchObject({ stampDutyMinor: 0n, chargesMinor: 5_375n });
    },
  );

  it('price every amount at every time since February 2020 with exactly one fee and one VAT rule', async () => {
    const edges = [1n, 500_000n, 500_001n, 999_999n, 1_000_000n, 5_000_000n, 5_000_001n, 999_999_999_999_999n];
    const times = [
      '2020-01-31T23:00:00Z',
      '2021-01-01T00:00:00+01:00',
      '2025-12-31T23:59:59+01:00',
      '2040-01-01T00:00:00Z',
    ];
    for (const time of times) {
      for (const edge of edges) {
        const { rules } = await quote(edge, new Date(time));
        expect(rules.slice(0, 2)).toEqual([expect.stringMatching('transfer-fee'), 'ngn-vat-2020']);
      }
    }
  });

  it('quote at the present time when no time is given', async () => {
    now = BEFORE_2026;
    expect((await fees.quotePayout({ amountMinor: 1_000_000n, currency: 'NGN' })).stampDutyMinor).toBe(0n);
    now = new Date(LAGOS_NEW_YEAR_2026);
    expect((await fees.quotePayout({ amountMinor: 1_000_000n, currency: 'NGN' })).stampDutyMinor).toBe(5_000n);
  });

  it('are read once a minute, however many ask at the same time, and again after a failure', async () => {
    const watched = observed(seeded.database);
    const watchedFees = createFees({ database: watched.database, clock });
    watched.failNext();
    await expect(watchedFees.listRules()).rejects.toThrow('went away');
    await Promise.all(Array.from({ length: 20 }, () => watchedFees.listRules()));
    expect(watched.asked()).toBe(2);
    now = new Date(now.getTime() + 59_999);
    await watchedFees.listRules();
    expect(watched.asked()).toBe(2);
    now = new Date(now.getTime() + 1);
    await watchedFees.listRules();
    expect(watched.asked()).toBe(3);
  });

  it.each([
    ['fee_rules_pk', "id = 'ngn-vat-2020'", {}],
    ['fee_rules_kind', '', { kind: "'LEVY'" }],
    ['fee_rules_payer', '', { payer: "'BANK'" }],
    ['fee_rules_rounding', '', { rounding: "'NEAREST'" }],
    ['fee_rules_amounts', '', { max_amount_minor: '-1' }],
    ['fee_rules_effective', '', { effective_to: 'effective_from' }],
    ['fee_rules_rate', '', { rate_basis_points: '10001' }],
    ['fee_rules_cap', '', { cap_minor: '-1' }],
    ['fee_rules_collection', '', { kind: "'COLLECTION_FEE'" }],
  ])('cannot be joined by a row that breaks %s', async (constraint, same, wrong: Record<string, string>) => {
    const names = [
      'currency',
      'kind',
      'min_amount_minor',
      'max_amount_minor',
      'flat_minor',
      'rate_basis_points',
      'cap_minor',
      'payer',
      'exempt_purposes',
      'rounding',
      'effective_from',
      'effective_to',
      'source',
    ];
    const id = same === '' ? "'new-rule'" : 'id';
    const insert = `insert into fee_rules (id, ${names.join(', ')})
      select ${id}, ${names.map((name) => wrong[name] ?? name).join(', ')} from fee_rules where id = 'ngn-vat-2020'`;
    const refusal: unknown = await seeded.database.pool.query(insert).catch((error: unknown) => error);
    expect(violatedCheck(refusal) ?? violatedUnique(refusal)).toBe(constraint);
  });
});
