import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mulDiv, percentage, type Rounding } from '../../src/money/index.ts';

const MODES: Rounding[] = ['HALF_UP', 'HALF_EVEN', 'DOWN', 'UP'];
const any = fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n });

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}

describe('mulDiv', () => {
  it.each<[bigint, bigint, Record<Rounding, bigint>]>([
    [5n, 2n, { HALF_UP: 3n, HALF_EVEN: 2n, DOWN: 2n, UP: 3n }],
    [7n, 2n, { HALF_UP: 4n, HALF_EVEN: 4n, DOWN: 3n, UP: 4n }],
    [-5n, 2n, { HALF_UP: -3n, HALF_EVEN: -2n, DOWN: -2n, UP: -3n }],
    [10n, 3n, { HALF_UP: 3n, HALF_EVEN: 3n, DOWN: 3n, UP: 4n }],
    [11n, 3n, { HALF_UP: 4n, HALF_EVEN: 4n, DOWN: 3n, UP: 4n }],
    [12n, 3n, { HALF_UP: 4n, HALF_EVEN: 4n, DOWN: 4n, UP: 4n }],
    [-1n, 3n, { HALF_UP: 0n, HALF_EVEN: 0n, DOWN: 0n, UP: -1n }],
  ])('rounds %d/%d as each named way says', (value, divisor, expected) => {
    for (const mode of MODES) expect(mulDiv(value, 1n, divisor, mode)).toBe(expected[mode]);
  });

  it('is never a whole unit away from the true quotient, and never half a unit in the halving ways', () => {
    fc.assert(
      fc.property(any, any, any, fc.constantFrom(...MODES), (value, numerator, denominator, mode) => {
        fc.pre(denominator !== 0n);
        const error = absolute(mulDiv(value, numerator, denominator, mode) * denominator - value * numerator);
        expect(error < absolute(denominator)).toBe(true);
        if (mode.startsWith('HALF')) expect(error * 2n <= absolute(denominator)).toBe(true);
      }),
    );
  });

  it('goes towards zero with DOWN and away from it with UP', () => {
    fc.assert(
      fc.property(any, any, (value, denominator) => {
        fc.pre(denominator !== 0n);
        const down = absolute(mulDiv(value, 1n, denominator, 'DOWN') * denominator);
        const up = absolute(mulDiv(value, 1n, denominator, 'UP') * denominator);
        expect(down <= absolute(value) && absolute(value) <= up).toBe(true);
      }),
    );
  });

  it('refuses to divide by zero', () => {
    expect(() => mulDiv(0n, 1n, 0n, 'UP')).toThrow(RangeError);
  });
});

describe('percentage', () => {
  it('takes 7.5 % of a fee of N25 as 188 kobo, the half kobo going up', () => {
    expect(percentage(2_500n, 750, 'HALF_UP')).toBe(188n);
    expect(percentage(2_500n, 750, 'DOWN')).toBe(187n);
  });

  it('refuses a rate that is not a whole number of basis points', () => {
    expect(() => percentage(100n, 7.5, 'HALF_UP')).toThrow(RangeError);
  });
});
