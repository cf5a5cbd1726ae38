import { describe, expect, it } from 'vitest';
import { MERCHANT_NAVIGATION } from '../../dashboard/src/shell/navigation.ts';
import { OPERATOR_NAVIGATION } from '../../dashboard/src/shell/operator-navigation.ts';

describe('the navigation', () => {
  it.each([
    ['merchants', MERCHANT_NAVIGATION],
    ['the operator', OPERATOR_NAVIGATION],
  ])('of %s has another picture beside each page', (_whose, groups) => {
    const labels = Map.groupBy(
      groups.flatMap(({ items }) => items),
      ({ icon }) => icon,
    );
    expect([...labels.values()].filter((items) => items.length > 1)).toEqual([]);
  });
});
