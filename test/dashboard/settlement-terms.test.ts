import { describe, expect, it } from 'vitest';
import { type Terms, termsOf, valuesOf } from '../../dashboard/src/operator-settlements/settlement-terms.ts';

const terms = (coolingOffSeconds: number): Terms[] => [
  {
    ...{ ruleId: '1', merchantId: null, businessName: null, mode: 'LIVE', source: 'test' },
    ...{ enabled: true, minimum: 1_000, windowSeconds: 300, coolingOffSeconds },
    effectiveFrom: '2026-01-01T00:00:00.000Z',
  },
];
const filled = (rows: Terms[]) => ({
  merchantId: '',
  mode: 'LIVE' as const,
  reason: 'why',
  ...valuesOf(rows, 'LIVE', ''),
});

describe('the terms of settlements', () => {
  it.for([1_000, 5_400, 86_400, 1])('keep a cooling-off of %i s where something else is changed', (seconds) => {
    const rows = terms(seconds);
    expect(termsOf({ ...filled(rows), settle: 'OFF' }, rows)).toEqual({
      ...{ merchantId: null, mode: 'LIVE', enabled: false, minimum: 1_000, reason: 'why' },
    });
  });

  it('take another cooling-off in hours, also in parts of one', () => {
    const rows = terms(86_400);
    expect(termsOf({ ...filled(rows), hours: '1.5' }, rows)).toMatchObject({ coolingOffSeconds: 5_400 });
    expect(termsOf({ ...filled(rows), hours: '0' }, rows)).toMatchObject({ coolingOffSeconds: 0 });
  });
});
