import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { firstIdOf, newId, timeOfId, uuidOfHex } from '../../src/platform/ids.ts';

describe('the UUID of 32 hex digits', () => {
  it('is the one whose hyphens were left out', () => {
    expect(uuidOfHex('018f0e6a7b1c7d2e8f3a4b5c6d7e8f90')).toBe('018f0e6a-7b1c-7d2e-8f3a-4b5c6d7e8f90');
    for (const id of [newId(), randomUUID()]) expect(uuidOfHex(id.replaceAll('-', ''))).toBe(id);
  });

  it.each(['', '018f0e6a', '018f0e6a-7b1c-7d2e-8f3a-4b5c6d7e8f90', 'g'.repeat(32), '0'.repeat(33)])(
    'is not made of %j',
    (text) => {
      expect(() => uuidOfHex(text)).toThrow();
    },
  );
});

describe('a new id', () => {
  it('is a UUIDv7 of its moment, and each is greater than the one before, in the database as in a text', () => {
    const before = Date.now();
    const ids = Array.from({ length: 20_000 }, newId);
    const after = Date.now();
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(ids.length);
    const [first = '', last = ''] = [ids[0], ids.at(-1)];
    expect(timeOfId(first).getTime()).toBeGreaterThanOrEqual(before);
    expect(timeOfId(last).getTime()).toBeLessThanOrEqual(after);
    expect(first >= firstIdOf(new Date(before))).toBe(true);
  });
});
