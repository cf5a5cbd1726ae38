import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FeeRule } from '../../src/fees/index.ts';
import { quoteCollection, quoteOnTop } from '../../src/fees/quote.ts';
import { AppError } from '../../src/platform/errors.ts';

const BASE: FeeRule = {
  id: 'fee',
  kind: 'COLLECTION_FEE',
  currency: 'NGN',
  minAmountMinor: 0n,
  maxAmountMinor: null,
  flatMinor: 0n,
  rateBasisPoints: 0,
  capMinor: null,
  channel: null,
  payer: 'RECEIVER',
  exemptPurposes: [],
  rounding: 'HALF_UP',
  effectiveFrom: new Date('2026-01-01T00:00:00Z'),
  effectiveTo: null,
  source: 'A decision of the operator',
};
const PERCENT: FeeRule = { ...BASE, rateBasisPoints: 100, capMinor: 300_00n };
const VAT: FeeRule = { ...BASE, id: 'vat', kind: 'VAT', payer: 'SENDER', rateBasisPoints: 750 };
const AT = new Date('2026-06-01T12:00:00Z');

type Channel = FeeRule['channel'];

const charged = (rules: readonly FeeRule[], amountMinor: bigint, at = AT, channel: Channel = null) =>
  quoteCollection(rules, { amountMinor, currency: 'NGN', channel, at });
const onTop = (rules: readonly FeeRule[], amountMinor: bigint, channel: Channel = null) =>
  quoteOnTop(rules, { amountMinor, currency: 'NGN', channel, at: AT });
const sum = ({ feeMinor, vatMinor }: { feeMinor: bigint; vatMinor: bigint }) => feeMinor + vatMinor;
const net = (rules: readonly FeeRule[], amountMinor: bigint) => amountMinor - sum(charged(rules, amountMinor));

function code(work: () => unknown): string | undefined {
  try {
    work();
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
  return undefined;
}

/** Rules of one kind for all amounts: one, or one up to an amount and another beyond it. */
const bands = (kind: FeeRule): fc.Arbitrary<FeeRule[]> => {
  const rule = fc.record({
    flatMinor: fc.bigInt({ min: 0n, max: 200n }),
    rateBasisPoints: fc.integer({ min: 0, max: 4_000 }),
    capMinor: fc.option(fc.bigInt({ min: 0n, max: 300n })),
    rounding: fc.constantFrom('HALF_UP', 'HALF_EVEN', 'DOWN', 'UP'),
  });
  return fc.tuple(rule, fc.option(fc.tuple(fc.bigInt({ min: 1n, max: 2_000n }), rule))).map(([first, more]) =>
    more === null
      ? [{ ...kind, ...first }]
      : [
          { ...kind, ...first, id: `${kind.id}-1`, maxAmountMinor: more[0] },
          { ...kind, ...more[1], id: `${kind.id}-2`, minAmountMinor: more[0] + 1n },
        ],
  );
};
/** The rules that apply to an amount, for all amounts. */
const applied = (rules: readonly FeeRule[], amountMinor: bigint, kind: FeeRule['kind']): FeeRule[] =>
  rules
    .filter((rule) => rule.kind === kind && rule.minAmountMinor <= amountMinor)
    .filter(({ maxAmountMinor }) => maxAmountMinor === null || maxAmountMinor >= amountMinor)
    .map((rule) => ({ ...rule, minAmountMinor: 0n, maxAmountMinor: null }));

/** VAT on a fee of a payment that has no end. */
const vatOn = (rules: readonly FeeRule[], amountMinor: bigint, feeMinor: bigint): bigint =>
  charged([{ ...BASE, flatMinor: feeMinor }, ...applied(rules, amountMinor, 'VAT')], 10n ** 14n).vatMinor;

/** What the rules ask for, whether the payment can bear it or not; a fee of all of it stands for any larger one. */
function uncapped(rules: readonly FeeRule[], amountMinor: bigint) {
  const { feeMinor } = charged(applied(rules, amountMinor, 'COLLECTION_FEE'), amountMinor);
  return { feeMinor, vatMinor: vatOn(rules, amountMinor, feeMinor) };
}

const anyRules = fc.tuple(bands(BASE), bands(VAT)).map(([fees, vats]) => [...fees, ...vats]);
const anyAmount = fc.bigInt({ min: 1n, max: 3_000n });

describe('the charges of a payment in', () => {
  it('are none without a rule, before it begins and from its end on', () => {
    const none = { feeMinor: 0n, vatMinor: 0n };
    expect(charged([VAT], 100_000n)).toEqual(none);
    const dated = { ...PERCENT, effectiveTo: new Date('2026-07-01T00:00:00Z') };
    expect(charged([dated, VAT], 100_000n, new Date('2025-12-31T23:59:59Z'))).toEqual(none);
    expect(charged([dated, VAT], 100_000n, new Date('2026-07-01T00:00:00Z'))).toEqual(none);
    expect(charged([dated, VAT], 100_000n).feeMinor).toBe(1_000n);
  });

  it('are flat and percent together, at most the cap, rounded as the rules say, with VAT on the fee', () => {
    expect(charged([PERCENT, VAT], 123_456n)).toEqual({ feeMinor: 1_235n, vatMinor: 93n });
    expect(charged([{ ...PERCENT, rounding: 'DOWN' }, VAT], 123_456n)).toEqual({ feeMinor: 1_234n, vatMinor: 93n });
    expect(charged([{ ...PERCENT, flatMinor: 50_00n }, VAT], 100_000n)).toEqual({ feeMinor: 6_000n, vatMinor: 450n });
    expect(charged([PERCENT, VAT], 100_000_000n)).toEqual({ feeMinor: 300_00n, vatMinor: 22_50n });
  });

  it('take all of one kobo and no more, where the fee is larger', () => {
    const flat = { ...BASE, flatMinor: 100_00n };
    expect(charged([flat, VAT], 1n)).toEqual({ feeMinor: 1n, vatMinor: 0n });
    expect(charged([flat, VAT], 100_00n)).toEqual({ feeMinor: 93_02n, vatMinor: 6_98n });
    expect(
      charged(
        [
          { ...flat, flatMinor: 0n },
          { ...VAT, flatMinor: 50n },
        ],
        1n,
      ),
    ).toEqual({ feeMinor: 0n, vatMinor: 0n });
  });

  it('are refused where the fee is set twice', () => {
    expect(code(() => charged([PERCENT, { ...PERCENT, id: 'other' }], 5n))).toBe('FEE_RULES_CONFLICT');
  });

  it('are those of its channel where there are any, and those of all channels for every other one', () => {
    const byCard = { ...BASE, id: 'card', channel: 'CARD' as const, flatMinor: 70n };
    for (const rules of [
      [PERCENT, byCard],
      [byCard, PERCENT],
    ]) {
      expect(charged(rules, 100_000n, AT, 'CARD')).toEqual({ feeMinor: 70n, vatMinor: 0n });
      for (const channel of ['BANK_TRANSFER', null] as const)
        expect(charged(rules, 100_000n, AT, channel)).toEqual({ feeMinor: 1_000n, vatMinor: 0n });
      expect(onTop(rules, 100_000n, 'CARD')).toEqual({ feeMinor: 70n, vatMinor: 0n });
      expect(onTop(rules, 100_000n, null)).toEqual({ feeMinor: 1_010n, vatMinor: 0n });
    }
    expect(charged([byCard], 100_000n, AT, 'BANK_TRANSFER').feeMinor).toBe(0n);
    const above = { ...byCard, minAmountMinor: 100_001n };
    expect(charged([PERCENT, above], 100_000n, AT, 'CARD').feeMinor).toBe(1_000n);
    expect(code(() => charged([byCard, { ...byCard, id: 'other' }], 5n, AT, 'CARD'))).toBe('FEE_RULES_CONFLICT');
  });

  it('never exceed the payment, and are the largest that fit where the rules ask for more', () => {
    fc.assert(
      fc.property(anyRules, anyAmount, (rules, amountMinor) => {
        const { feeMinor, vatMinor } = charged(rules, amountMinor);
        expect(feeMinor >= 0n && vatMinor >= 0n && feeMinor + vatMinor <= amountMinor).toBe(true);
        const full = uncapped(rules, amountMinor);
        if (sum(full) <= amountMinor) expect({ feeMinor, vatMinor }).toEqual(full);
        else expect(feeMinor + 1n + vatOn(rules, amountMinor, feeMinor + 1n)).toBeGreaterThan(amountMinor);
      }),
    );
  });
});

describe('what a customer is asked for on top', () => {
  it('leaves the merchant exactly the amount', () => {
    for (const amountMinor of [1n, 99n, 100_00n, 1_234_567n, 500_000_000n]) {
      const quote = onTop([PERCENT, VAT], amountMinor);
      expect(net([PERCENT, VAT], amountMinor + sum(quote))).toBe(amountMinor);
      expect(charged([PERCENT, VAT], amountMinor + sum(quote))).toEqual(quote);
    }
    expect(onTop([PERCENT, VAT], 100_000n)).toEqual({ feeMinor: 1_011n, vatMinor: 76n });
    expect(onTop([VAT], 100_000n)).toEqual({ feeMinor: 0n, vatMinor: 0n });
  });

  it('makes the smallest payment that bears its charges and leaves the amount, whatever the bands', () => {
    fc.assert(
      fc.property(anyRules, anyAmount, (rules, amountMinor) => {
        const { feeMinor, vatMinor } = onTop(rules, amountMinor);
        let smallest = amountMinor;
        while (smallest - sum(uncapped(rules, smallest)) < amountMinor) smallest += 1n;
        expect(amountMinor + feeMinor + vatMinor).toBe(smallest);
        expect(feeMinor >= 0n && vatMinor >= 0n).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('is refused where the fee takes all of every payment', () => {
    expect(code(() => onTop([{ ...BASE, rateBasisPoints: 10_000 }], 100n))).toBe('COLLECTION_FEE_NOT_COVERED');
  });
});

it('asks a customer who bears the fee for the smallest payment beyond the amounts that are charged, where that is less than the fee', () => {
  const upToTenNaira = { ...BASE, maxAmountMinor: 10_00n, flatMinor: 1_00n };
  expect(onTop([upToTenNaira], 9_50n)).toEqual({ feeMinor: 51n, vatMinor: 0n });
  expect(charged([upToTenNaira], 10_01n)).toEqual({ feeMinor: 0n, vatMinor: 0n });
});
