import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FeeRule, type PayoutPurpose, type Quote, quotePayout } from '../../src/fees/index.ts';
import { findPlanFaults } from '../../src/fees/rule-plan.ts';
import { AppError } from '../../src/platform/errors.ts';

const SINCE = new Date('2020-01-01T00:00:00+01:00');
const BASE: Omit<FeeRule, 'id' | 'kind'> = {
  currency: 'NGN',
  minAmountMinor: 0n,
  maxAmountMinor: null,
  flatMinor: 0n,
  rateBasisPoints: 0,
  capMinor: null,
  channel: null,
  payer: 'SENDER',
  exemptPurposes: [],
  rounding: 'HALF_UP',
  effectiveFrom: SINCE,
  effectiveTo: null,
  source: 'A decision of the operator',
};
const FEE: FeeRule = { ...BASE, id: 'fee', kind: 'TRANSFER_FEE', flatMinor: 2_500n };
const VAT: FeeRule = { ...BASE, id: 'vat', kind: 'VAT', rateBasisPoints: 750 };
const DUTY: FeeRule = { ...BASE, id: 'duty', kind: 'STAMP_DUTY', flatMinor: 5_000n, exemptPurposes: ['SALARY'] };
const AT = new Date('2026-06-01T12:00:00Z');

function quote(rules: FeeRule[], amountMinor = 1_000_000n, purpose?: PayoutPurpose, at = AT): Quote {
  return quotePayout(rules, { amountMinor, currency: 'NGN', purpose, at });
}

function code(work: () => unknown): string | undefined {
  try {
    work();
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
  return undefined;
}

describe('quotePayout', () => {
  it('adds fee, VAT on the fee and duty to the amount, and names the rules', () => {
    expect(quote([FEE, VAT, DUTY])).toEqual({
      amountMinor: 1_000_000n,
      currency: 'NGN',
      feeMinor: 2_500n,
      vatMinor: 188n,
      stampDutyMinor: 5_000n,
      chargesMinor: 7_688n,
      totalMinor: 1_007_688n,
      rules: ['fee', 'vat', 'duty'],
    });
  });

  it('rounds as the rule says, not as the code likes', () => {
    for (const [rounding, expected] of [
      ['HALF_UP', 188n],
      ['HALF_EVEN', 188n],
      ['DOWN', 187n],
      ['UP', 188n],
    ] as const) {
      expect(quote([FEE, { ...VAT, rounding }]).vatMinor).toBe(expected);
    }
  });

  it('takes a rate of the amount together with a flat part', () => {
    expect(quote([{ ...FEE, flatMinor: 1_000n, rateBasisPoints: 50 }], 200_000n).feeMinor).toBe(2_000n);
  });

  it('leaves out what the receiver bears and what the purpose is exempt from', () => {
    expect(quote([FEE, VAT, { ...DUTY, payer: 'RECEIVER' }])).toMatchObject({
      stampDutyMinor: 0n,
      rules: ['fee', 'vat'],
    });
    expect(quote([FEE, VAT, DUTY], 1_000_000n, 'SALARY')).toMatchObject({ stampDutyMinor: 0n, rules: ['fee', 'vat'] });
    expect(quote([FEE, VAT, DUTY], 1_000_000n, 'GENERAL').stampDutyMinor).toBe(5_000n);
  });

  it('charges no VAT on a fee that the sender does not pay', () => {
    expect(quote([{ ...FEE, payer: 'RECEIVER' }, VAT])).toMatchObject({ feeMinor: 0n, vatMinor: 0n, chargesMinor: 0n });
  });

  it('applies a rule from its first instant up to, but not at, its last', () => {
    const from = new Date('2026-03-01T00:00:00Z');
    const to = new Date('2026-04-01T00:00:00Z');
    const rules = [FEE, { ...DUTY, effectiveFrom: from, effectiveTo: to }];
    const dutyAt = (time: number) => quote(rules, 1_000_000n, undefined, new Date(time)).stampDutyMinor;
    expect(dutyAt(from.getTime() - 1)).toBe(0n);
    expect(dutyAt(from.getTime())).toBe(5_000n);
    expect(dutyAt(to.getTime() - 1)).toBe(5_000n);
    expect(dutyAt(to.getTime())).toBe(0n);
  });

  it('refuses to price without a fee rule instead of paying out free of charge', () => {
    expect(code(() => quote([VAT, DUTY]))).toBe('FEE_RULE_MISSING');
    expect(code(() => quote([FEE], 1n, undefined, new Date(SINCE.getTime() - 1)))).toBe('FEE_RULE_MISSING');
  });

  it('refuses to choose between two rules for the same thing', () => {
    expect(code(() => quote([FEE, { ...FEE, id: 'fee-2' }]))).toBe('FEE_RULES_CONFLICT');
    expect(code(() => quote([FEE, VAT, { ...VAT, id: 'vat-2' }]))).toBe('FEE_RULES_CONFLICT');
  });

  it.each([0n, -1n])('does not price an amount of %d', (amountMinor) => {
    expect(() => quote([FEE], amountMinor)).toThrow(RangeError);
  });

  it('always totals exactly the amount, the fee, the VAT and the duty, none of them negative', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 999_999_999_999_999n }),
        fc.integer({ min: 0, max: 10_000 }),
        fc.bigInt({ min: 0n, max: 10_000n }),
        (amountMinor, rateBasisPoints, flatMinor) => {
          const made = quote([{ ...FEE, rateBasisPoints, flatMinor }, VAT, DUTY], amountMinor);
          const parts = [made.feeMinor, made.vatMinor, made.stampDutyMinor];
          expect(parts.every((part) => part >= 0n)).toBe(true);
          expect(made.chargesMinor).toBe(parts.reduce((sum, part) => sum + part, 0n));
          expect(made.totalMinor).toBe(amountMinor + made.chargesMinor);
        },
      ),
    );
  });
});

describe('a set of fee rules', () => {
  const day = (at: number) => new Date(SINCE.getTime() + at * 24 * 60 * 60 * 1000);
  const covers = ({ minAmountMinor: min, maxAmountMinor: max }: FeeRule, amount: bigint) =>
    min <= amount && (max === null || amount <= max);

  it('has the fault that trying every amount at every moment finds first', () => {
    const rule = fc.record({
      min: fc.nat(6),
      wide: fc.option(fc.nat(4)),
      since: fc.nat(4),
      days: fc.option(fc.nat(4)),
    });
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 6 }), fc.nat(5), (given, from) => {
        const rules = given.map(({ min, wide, since, days }, at) => ({
          ...FEE,
          id: `${at}`,
          minAmountMinor: BigInt(min),
          maxAmountMinor: wide === null ? null : BigInt(min + wide),
          effectiveFrom: day(since),
          effectiveTo: days === null ? null : day(since + days + 1),
        }));
        const expected = (['OVERLAP', 'GAP'] as const).flatMap((problem) => {
          for (let at = from; at < 20; at += 1) {
            const inForce = rules.filter(
              ({ effectiveFrom, effectiveTo }) =>
                effectiveFrom <= day(at) && (effectiveTo === null || day(at) < effectiveTo),
            );
            for (let amount = 1n; amount < 15n; amount += 1n) {
              const ids = inForce.filter((one) => covers(one, amount)).map(({ id }) => id);
              if (problem === 'OVERLAP' ? ids.length > 1 : ids.length === 0) return [[problem, day(at), amount, ids]];
            }
          }
          return [];
        });
        const found = findPlanFaults(rules, day(from));
        expect(found.map(({ problem, at, amountMinor, ruleIds }) => [problem, at, amountMinor, ruleIds])).toEqual(
          expected,
        );
      }),
      { numRuns: 500 },
    );
  });

  it('is looked through with no more than the square of its rules', () => {
    let asked = 0;
    const rules = Array.from({ length: 120 }, (_, at): FeeRule => {
      const rule = { ...DUTY, id: `${at}`, maxAmountMinor: BigInt(at), effectiveFrom: day(at) };
      return Object.defineProperty(rule, 'minAmountMinor', {
        get() {
          asked += 1;
          return BigInt(at);
        },
      });
    });
    expect(findPlanFaults([FEE, ...rules], SINCE)).toEqual([]);
    expect(asked).toBeLessThan(4 * rules.length ** 2);
  });
});
