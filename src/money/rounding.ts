/**
 * What becomes of a fraction of a minor unit. `HALF_UP` takes a tie away from zero, `HALF_EVEN` to the even neighbour;
 * `DOWN` goes towards zero, `UP` away from it.
 */
export type Rounding = 'HALF_UP' | 'HALF_EVEN' | 'DOWN' | 'UP';

const BASIS_POINTS = 10_000n;

/**
 * `value * numerator / denominator`, rounded once at the end, with no float on the way.
 * @throws RangeError when the denominator is zero.
 */
export function mulDiv(value: bigint, numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  const product = value * numerator;
  const negative = product < 0n !== denominator < 0n;
  const dividend = magnitude(product);
  const divisor = magnitude(denominator);
  const quotient = dividend / divisor;
  const remainder = dividend % divisor;
  const size = roundsAway(quotient, remainder, divisor, rounding) ? quotient + 1n : quotient;
  return negative ? -size : size;
}

/**
 * `basisPoints` hundredths of a percent of an amount in minor units: 750 is 7.5 %.
 * @throws RangeError when `basisPoints` is not a whole number.
 */
export function percentage(amountMinor: bigint, basisPoints: number, rounding: Rounding): bigint {
  return mulDiv(amountMinor, BigInt(basisPoints), BASIS_POINTS, rounding);
}

function roundsAway(quotient: bigint, remainder: bigint, divisor: bigint, rounding: Rounding): boolean {
  if (remainder === 0n) return false;
  const twice = remainder * 2n;
  switch (rounding) {
    case 'HALF_UP':
      return twice >= divisor;
    case 'HALF_EVEN':
      return twice > divisor || (twice === divisor && quotient % 2n === 1n);
    case 'DOWN':
      return false;
    case 'UP':
      return true;
  }
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}
