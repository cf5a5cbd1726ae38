import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ShownDay } from '../../src/daily-close/index.ts';
import {
  DEFAULT_CURRENCY,
  formatMoney,
  parseAmount,
  parseAmountText,
  parseTypedAmount,
  plainText,
  toNumber,
  typedAmount,
  ungrouped,
} from '../../src/money/index.ts';
import { shownDayView } from '../../src/operator/daily-close-views.ts';
import { AppError } from '../../src/platform/errors.ts';
import { statementFiguresView, summaryView } from '../../src/wallets/views.ts';

const major = fc.bigInt({ min: 0n, max: 9_999_999_999_999n });
const minor = fc.bigInt({ min: 0n, max: 99n });

function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError && error.kind === 'invalid') return error.message;
    throw error;
  }
  throw new Error('it was accepted');
}

describe('an amount that somebody typed', () => {
  it('loses the marks between its thousands, and is refused where a comma could begin its kobo', () => {
    expect(['1,500.50', '1 500', '1500', '12,345,678'].map(ungrouped)).toEqual(['1500.50', '1500', '1500', '12345678']);
    expect(parseTypedAmount(' ₦ 1,500.50 ')).toBe(150_050n);
    expect(parseAmountText(typedAmount(' ₦ 1,500.50 '))).toBe(150_050n);
    for (const text of [
      '1000,50',
      '1,5',
      '1.000,50',
      '1,000,5',
      '1 5',
      '1 50',
      '1,50',
      '12 34',
      '1,000 000',
      '0,500',
      '000 500',
    ]) {
      expect(
        refusal(() => parseTypedAmount(text)),
        text,
      ).toContain('must be a number such as');
    }
  });

  it('is refused with forms that it takes, and nowhere with one that it takes as a mistake', () => {
    const sentence = refusal(() => parseTypedAmount('ten'));
    const forms = [...sentence.matchAll(/\d[\d,.]*\d/g)].map(([form]) => parseTypedAmount(form));
    expect(forms).toEqual([150_000n, 150_000n, 150_050n]);
    expect(sentence).not.toContain('without');
  });
});

describe('parseAmount', () => {
  it('reads every JSON amount of up to 13 digits and two decimals to the exact kobo, and writes it back unchanged', () => {
    fc.assert(
      fc.property(major, minor, (naira, kobo) => {
        const amountMinor = naira * 100n + kobo;
        const text = `${naira}.${kobo.toString().padStart(2, '0')}`;
        const sent = JSON.parse(text) as number;
        expect(parseAmount(sent, 'amount', { allowZero: true })).toBe(amountMinor);
        expect(parseAmountText(text, 'amount', { allowZero: true })).toBe(amountMinor);
        expect(toNumber(amountMinor)).toBe(sent);
        expect(parseAmount(JSON.parse(JSON.stringify(toNumber(amountMinor))), 'amount', { allowZero: true })).toBe(
          amountMinor,
        );
      }),
      { numRuns: 5_000 },
    );
  });

  it('reads amounts with one decimal as tens of kobo', () => {
    fc.assert(
      fc.property(major, fc.integer({ min: 1, max: 9 }), (naira, tenth) => {
        expect(parseAmount(Number(`${naira}.${tenth}`))).toBe(naira * 100n + BigInt(tenth) * 10n);
      }),
    );
  });

  it.each([
    [1500, 150_000n],
    [0.01, 1n],
    [1.1, 110n],
    [0.29, 29n],
    [19.99, 1_999n],
    [1.005e3, 100_500n],
    [9_999_999_999_999.99, 999_999_999_999_999n],
  ])('reads %d naira as %d kobo', (value, expected) => {
    expect(parseAmount(value)).toBe(expected);
  });

  it('never accepts a number with more than two decimals', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 9_999_999_999, noNaN: true }), (value) => {
        fc.pre(!/^\d+(\.\d{1,2})?$/.test(String(value)));
        expect(refusal(() => parseAmount(value))).toContain('at most two decimals');
      }),
    );
  });

  it.each([
    [undefined, 'amount is required.'],
    [null, 'amount is required.'],
    ['1500', 'amount must be a JSON number such as 1500 or 1500.5, without quotes.'],
    [true, 'amount must be a JSON number such as 1500 or 1500.5, without quotes.'],
    [[1500], 'amount must be a JSON number such as 1500 or 1500.5, without quotes.'],
    [1500n, 'amount must be a JSON number such as 1500 or 1500.5, without quotes.'],
    [Number.NaN, 'amount must be a finite number.'],
    [Number.POSITIVE_INFINITY, 'amount must be a finite number.'],
    [-1, 'amount must not be negative.'],
    [-1e-7, 'amount must not be negative.'],
    [0, 'amount must be greater than zero.'],
    [-0, 'amount must be greater than zero.'],
    [10.001, 'amount must have at most two decimals.'],
    [0.1 + 0.2, 'amount must have at most two decimals.'],
    [1e-7, 'amount must have at most two decimals.'],
    [5e-324, 'amount must have at most two decimals.'],
    [10_000_000_000_000, 'amount is too large: at most 13 digits before the decimal point.'],
    [1e21, 'amount is too large: at most 13 digits before the decimal point.'],
    [Number.MAX_VALUE, 'amount is too large: at most 13 digits before the decimal point.'],
  ])('refuses %s with a sentence of its own', (value, message) => {
    expect(refusal(() => parseAmount(value))).toBe(message);
  });

  it('names the field that is wrong', () => {
    expect(refusal(() => parseAmount('1', 'items[3].amount'))).toMatch(/^items\[3\]\.amount must /);
  });

  it('takes zero only where zero is allowed', () => {
    expect(parseAmount(0, 'amount', { allowZero: true })).toBe(0n);
    expect(parseAmount(-0, 'amount', { allowZero: true })).toBe(0n);
  });

  it('takes less than zero only where that is allowed, and then to the kobo as well', () => {
    expect(parseAmount(-250.05, 'amount', { allowNegative: true })).toBe(-25_005n);
    expect(refusal(() => parseAmount(-250.055, 'amount', { allowNegative: true }))).toContain('at most two decimals');
    expect(refusal(() => parseAmount(-0.0000001, 'amount', { allowNegative: true }))).toContain('at most two decimals');
    expect(refusal(() => parseAmount(-250.05))).toContain('negative');
  });

  it('writes amounts of whole naira without kobo for a list', () => {
    expect([150_000n, 150_050n, 5n, -150_000n, 0n].map(plainText)).toEqual(['1500', '1500.50', '0.05', '-1500', '0']);
  });
});

describe('parseAmountText', () => {
  it.each(['1500', '1500.5', '1500.50', '001500'])('reads the cell %s', (text) => {
    expect(parseAmountText(text)).toBe(text.includes('.') ? 150_050n : 150_000n);
  });

  it.each(['', ' ', '1,500', '1.500,00', '₦1500', '1500 ', '1e3', '0x10', '.5', '5.', '+5', '-5', 'NaN', '１５'])(
    'refuses the cell %j instead of guessing',
    (text) => {
      expect(refusal(() => parseAmountText(text))).toMatch(/^amount (must|is) /);
    },
  );
});

describe('toNumber', () => {
  it('tells every kobo of a balance from the next, above and below zero, up to its limit', () => {
    const limit = 2n ** 46n * 100n - 1n;
    fc.assert(
      fc.property(fc.bigInt({ min: -limit, max: limit }), (amountMinor) => {
        const [naira = '', kobo = ''] = String(toNumber(amountMinor)).replace('-', '').split('.');
        const size = BigInt(naira) * 100n + BigInt(kobo.padEnd(2, '0'));
        expect(amountMinor < 0n ? -size : size).toBe(amountMinor);
      }),
      { numRuns: 5_000, examples: [[limit], [limit - 1n], [-limit], [0n], [-1n]] },
    );
  });

  it('refuses a size that a JSON number cannot hold exactly', () => {
    expect(() => toNumber(2n ** 46n * 100n)).toThrow(RangeError);
    expect(() => toNumber(-(2n ** 46n) * 100n)).toThrow(RangeError);
  });
});

describe('a sum that no JSON number holds to the kobo', () => {
  const beyond = 2n ** 46n * 100n;

  it('is null in a statement and a summary of a wallet, where what stands beside it is read as ever', () => {
    const balances = { openingMinor: 5n, closingMinor: 7n };
    expect(statementFiguresView({ ...balances, sums: { creditsMinor: beyond, debitsMinor: beyond - 2n } })).toEqual({
      openingBalance: 0.05,
      closingBalance: 0.07,
      totalCredits: null,
      totalDebits: 70_368_744_177_663.98,
    });
    const moved = { inMinor: beyond, outMinor: beyond, feesMinor: 1n, returnedFeesMinor: 0n, closingMinor: 7n };
    const period = { ...moved, openingMinor: 5n, from: '2026-11-20', to: '2026-11-20' };
    const day = { ...moved, day: '2026-11-20' };
    const shown = { moneyIn: null, moneyOut: null, fees: 0.01, feesReturned: 0, closingBalance: 0.07 };
    const wanted = { ...period, days: [day] };
    const { days, ...summary } = summaryView({ walletId: null, period: wanted, previous: wanted });
    expect(days).toEqual([{ ...shown, day: '2026-11-20' }]);
    expect(summary).toMatchObject({ ...shown, openingBalance: 0.05, previous: { ...shown, openingBalance: 0.05 } });
  });

  it('is null on the page of a day of all merchants, of which one that moves money back and forth hides no other figure', () => {
    const kinds = [{ kind: 'MERCHANT_WALLET', opening: '5', debits: String(beyond), credits: '2', closing: '7' }];
    const figures = { mode: 'SANDBOX', day: '2026-11-20', totals: { fees: '1' }, kinds, providers: [], postings: [] };
    const shown = shownDayView({ figures, digest: '', close: undefined, versions: [] } as unknown as ShownDay);
    expect(shown.kinds).toEqual([
      { kind: 'MERCHANT_WALLET', opening: 0.05, debits: null, credits: 0.02, closing: 0.07 },
    ]);
  });
});

describe('formatMoney', () => {
  it.each([
    [0n, '₦0.00'],
    [5n, '₦0.05'],
    [99_999n, '₦999.99'],
    [123_450n, '₦1,234.50'],
    [100_000_000n, '₦1,000,000.00'],
    [999_999_999_999_999n, '₦9,999,999,999,999.99'],
    [-123_450n, '-₦1,234.50'],
  ])('writes %d kobo as %s', (amountMinor, text) => {
    expect(formatMoney(amountMinor, DEFAULT_CURRENCY)).toBe(text);
  });
});
