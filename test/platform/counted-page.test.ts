import { describe, expect, it } from 'vitest';
import { countedPageView, MAX_COUNTED } from '../../src/platform/http/counted-page.ts';

/** Reads pages of a list of `length` records as a client does that goes on until `totalPages`. */
function readAll(length: number, size: number): number {
  let read = 0;
  for (let page = 1; ; page += 1) {
    const found = Math.max(0, Math.min(size + 1, length - (page - 1) * size));
    const counted = Math.min(length, MAX_COUNTED + 1);
    const view = countedPageView({ page, size }, counted, new Array(found).fill(0));
    read += view.records.length;
    if (page >= view.totalPages) return read;
  }
}

describe('the total of a long list', () => {
  it('is exact up to 100,000', () => {
    const view = countedPageView({ page: 1, size: 50 }, MAX_COUNTED, new Array(51).fill(0));
    expect(view).toMatchObject({ totalRecords: MAX_COUNTED, totalPages: 2_000, totalIsExact: true });
    expect(view.records).toHaveLength(50);
  });

  it('hides no record from a client that pages on until totalPages', () => {
    for (const length of [0, 1, 199, 200, 201, 100_000, 100_001, 100_200, 123_456]) {
      expect(readAll(length, 200)).toBe(length);
    }
  });
});
