import { describe, expect, it } from 'vitest';
import { lagosTime } from '../../src/platform/clock.ts';
import { parsePeriod } from '../../src/platform/http/period.ts';

const iso = (query: { from?: string; to?: string }) => {
  const { from, to } = parsePeriod(query);
  return [from?.toISOString(), to?.toISOString()];
};

describe('a period in a query', () => {
  it('takes a day as the whole day in Lagos', () => {
    expect(iso({ from: '2026-11-20', to: '2026-11-20' })).toEqual([
      '2026-11-19T23:00:00.000Z',
      '2026-11-20T23:00:00.000Z',
    ]);
  });

  it('takes a moment as it is, also with a plus that arrived as a space', () => {
    expect(iso({ from: '2026-11-20T10:00:00+01:00' })).toEqual(['2026-11-20T09:00:00.000Z', undefined]);
    expect(iso({ from: '2026-11-20T10:00:00 01:00' })).toEqual(['2026-11-20T09:00:00.000Z', undefined]);
    expect(iso({ to: '2026-11-20T10:00:00Z' })).toEqual([undefined, '2026-11-20T10:00:00.000Z']);
  });

  it.each(['', 'today', '2026-02-29', '2026-1-1', '2026-11-20T10:00:00', '20261120', '2026-11-20T25:00:00Z', '1'])(
    'refuses %j',
    (from) => {
      expect(() => parsePeriod({ from })).toThrow(/must be a day/);
    },
  );

  it.each(['0000-01-01', '0000-06-01T00:00:00Z', '0001-01-01T00:30:00+02:00', '9999-12-31T23:59:59-01:00'])(
    'has years that every text and the database can hold, and refuses %j',
    (from) => {
      expect(() => parsePeriod({ from })).toThrow(/must be a day/);
    },
  );

  it('begins as early and ends as late as the years 1 and 9999', () => {
    expect(iso({ from: '0001-01-01', to: '9999-12-31' })).toEqual([
      '0000-12-31T23:00:00.000Z',
      '9999-12-31T23:00:00.000Z',
    ]);
  });

  it('refuses a period that ends before it begins', () => {
    expect(() => parsePeriod({ from: '2026-11-21', to: '2026-11-20' })).toThrow(/after from/);
  });
});

describe('Lagos time', () => {
  it('is one hour ahead of UTC and says so', () => {
    expect(lagosTime(new Date('2026-12-31T23:30:00.000Z'))).toBe('2027-01-01T00:30:00.000+01:00');
  });
});
