import { describe, expect, it } from 'vitest';
import { databaseAway } from '../../src/platform/errors.ts';
import { createGroupReader } from '../../src/platform/group-reader.ts';

describe('reads that share a query', () => {
  it('fail alone: one that the query cannot take does not fail those that were asked at the same moment', async () => {
    let queries = 0;
    const read = createGroupReader<number, number>(async (keys) => {
      queries += 1;
      if (keys.includes(41)) throw new Error('not this one');
      return keys.map((key) => key * 2);
    });
    const settled = await Promise.allSettled(Array.from({ length: 100 }, (_, key) => read(key)));
    expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    expect(settled[41]).toMatchObject({ status: 'rejected', reason: { message: 'not this one' } });
    expect(settled[40]).toEqual({ status: 'fulfilled', value: 80 });
    expect(queries).toBeLessThan(20);
  });

  it('fail at once where the database is away, and ask it no more than once', async () => {
    let queries = 0;
    const read = createGroupReader<number, number>(() => {
      queries += 1;
      return Promise.reject(databaseAway('away'));
    });
    const settled = await Promise.allSettled(Array.from({ length: 100 }, (_, key) => read(key)));
    expect(settled.every(({ status }) => status === 'rejected')).toBe(true);
    expect(queries).toBe(1);
  });
});
