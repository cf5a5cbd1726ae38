import { describe, expect, it } from 'vitest';
import { lessMoney, sumMoney } from '../../dashboard/src/format/money.ts';
import {
  closingBalances,
  describeLine,
  everyChange,
  spanOf,
  withoutGaps,
} from '../../dashboard/src/wallet/balance-line.ts';

const entry = (at: string, type: 'CREDIT' | 'DEBIT', amount: number, balanceAfter: number) => ({
  transactionId: at,
  reference: at,
  type,
  amount,
  balanceAfter,
  code: 'STORE_DEBIT',
  currency: 'NGN' as const,
  narration: '',
  createdAt: at,
  beneficiaryAccountName: null,
  beneficiaryAccountNumber: null,
  beneficiaryBankName: null,
  batchReference: null,
});

describe('the line of a balance', () => {
  it('begins with what there was before the first entry and ends with what there is', () => {
    const records = [
      entry('2026-11-03T10:00:00.000Z', 'DEBIT', 0.1, 0.2),
      entry('2026-11-02T10:00:00.000Z', 'CREDIT', 0.2, 0.3),
    ];
    const points = everyChange(records, new Date('2026-11-01T00:00:00Z'), new Date('2026-11-04T00:00:00Z'));
    expect(points.map(({ value }) => value)).toEqual([0.1, 0.3, 0.2, 0.2]);
    expect(everyChange([], new Date(), new Date())).toEqual([]);
  });

  it('of many entries begins with what there was, also where all of them are of the last moments', () => {
    const moments = [1, 2, 3].map((day) => new Date(`2026-11-0${day}T00:00:00.000Z`));
    const beginning = { at: '2026-10-31T00:00:00.000Z', value: 0 };
    const values = (balances: (number | undefined)[]) =>
      withoutGaps(beginning, moments, balances).map(({ value }) => value);
    expect(values([undefined, undefined, 70])).toEqual([0, 0, 0, 70]);
    expect(values([5, undefined, 7])).toEqual([0, 5, 5, 7]);
  });

  it('goes to the end of the last day in Lagos, and not beyond now', () => {
    const now = new Date('2026-11-20T12:00:00Z');
    const past = spanOf({ from: '2026-11-01', to: '2026-11-02' }, now);
    expect([past.from, past.to].map((end) => end.toISOString())).toEqual([
      '2026-10-31T23:00:00.000Z',
      '2026-11-02T23:00:00.000Z',
    ]);
    expect(spanOf({ to: '2026-12-31' }, now).to).toEqual(now);
    const future = spanOf({ from: '2027-01-01' }, now);
    expect(future.from.getTime()).toBeLessThan(future.to.getTime());
  });

  it('says the last balance of each day in Lagos, newest first', () => {
    const points = [
      { at: '2026-11-01T22:59:00.000Z', value: 1 },
      { at: '2026-11-01T23:00:00.000Z', value: 2 },
      { at: '2026-11-02T10:00:00.000Z', value: 3 },
    ];
    expect(closingBalances(points).map(({ value }) => value)).toEqual([3, 1]);
  });

  it('is said in a sentence to anyone who does not see it', () => {
    const points = [
      { at: '2026-11-01T10:00:00.000Z', value: 50 },
      { at: '2026-11-02T10:00:00.000Z', value: -20.5 },
      { at: '2026-11-03T10:00:00.000Z', value: 1_000 },
      { at: '2026-11-04T10:00:00.000Z', value: 70 },
    ];
    expect(describeLine(points)).toBe(
      'Line chart of the balance: ₦50.00 on 1 Nov 2026, ₦70.00 on 4 Nov 2026; lowest −₦20.50, highest ₦1,000.00. ' +
        'The figures are in the table below.',
    );
    expect(describeLine([])).toBe('Balance over time');
  });
});

describe('sums of naira', () => {
  it('are exact to the kobo, where sums of numbers are not', () => {
    expect(sumMoney([0.1, 0.2])).toBe(0.3);
    expect(lessMoney(0.3, 0.1)).toBe(0.2);
    expect(lessMoney(9_999_999_999_999.99, 0.01)).toBe(9_999_999_999_999.98);
  });
});
