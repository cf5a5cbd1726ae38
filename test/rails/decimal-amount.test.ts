import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { decimalText } from '../../src/money/index.ts';
import { fromDecimal, fromDecimalDown, toJsonDecimal } from '../../src/rails/decimal-amount.ts';
import { readJson, textOf } from '../../src/rails/provider-answers.ts';

/** To 13 digits of naira and two of kobo: what the service takes as an amount. */
const amounts = fc.bigInt({ min: 0n, max: 999_999_999_999_999n });

describe('amounts as providers write them', () => {
  it('come back from the wire to the kobo, for all amounts to 13 digits before the point', () => {
    fc.assert(
      fc.property(amounts, (amountMinor) => {
        const wire = JSON.stringify({ amount: toJsonDecimal(amountMinor) });
        expect(wire).toMatch(/^\{"amount":\d{1,13}\.\d\d\}$/);
        expect(fromDecimal(JSON.parse(wire).amount)).toBe(amountMinor);
        expect(fromDecimal(decimalText(amountMinor))).toBe(amountMinor);
        expect(fromDecimalDown(JSON.parse(wire).amount)).toBe(amountMinor);
      }),
      { numRuns: 5_000 },
    );
  });

  it('are written with the very digits, where a float would round', () => {
    expect(JSON.stringify(toJsonDecimal(9_007_199_254_740_993_29n))).toBe('9007199254740993.29');
    expect(JSON.stringify([toJsonDecimal(1n), toJsonDecimal(110n)])).toBe('[0.01,1.10]');
    expect(decimalText(-5n)).toBe('-0.05');
  });

  it('are read from numbers and from text alike', () => {
    for (const [value, minor] of [
      [5500, 550_000n],
      [0.1, 10n],
      ['2500.00', 250_000n],
      ['0.070', 7n],
      ['-1.5', -150n],
    ] as const) {
      expect(fromDecimal(value)).toBe(minor);
    }
  });

  it('are not read at all where they are finer than a kobo, or no decimal', () => {
    for (const value of [
      26.875,
      '1.005',
      1e21,
      1e-7,
      Number.NaN,
      '',
      ' 1',
      '1,000',
      '0x10',
      null,
      undefined,
      true,
      {},
    ]) {
      expect(fromDecimal(value)).toBeNull();
    }
  });

  it('are not read where the document has more digits than a double holds, and neither are ids', () => {
    const read = (written: string) => (readJson(Buffer.from(`{"value":${written}}`)) as { value: unknown }).value;
    for (const written of ['1000.0000000000000000001', '9007199254740993', '0.30000000000000000004'])
      expect([fromDecimal(read(written)), textOf(read(written))]).toEqual([null, '']);
    expect(fromDecimal(read('1000.50'))).toBe(100_050n);
    expect(fromDecimal(read('1.0E3'))).toBe(100_000n);
    expect(textOf(read('9007199254740991'))).toBe('9007199254740991');
  });

  it('are gone through one by one only in a document that has such digits: a page of thousands is parsed at once', () => {
    const parse = vi.spyOn(JSON, 'parse');
    const oneByOne = (written: string) => {
      parse.mockClear();
      readJson(Buffer.from(`{"rows":[{"amount":1000.5},{"amount":${written}}]}`));
      return parse.mock.calls.some(([, reviver]) => reviver !== undefined);
    };
    expect([oneByOne('1429.45'), oneByOne('1429.4500000000000001')]).toEqual([false, true]);
    parse.mockRestore();
  });

  it('are rounded down in a balance, also in one below zero', () => {
    expect(fromDecimalDown(26.879)).toBe(2_687n);
    expect(fromDecimalDown('-0.001')).toBe(-1n);
    expect(fromDecimalDown('-0.010')).toBe(-1n);
    expect(fromDecimalDown('much')).toBeNull();
  });
});
