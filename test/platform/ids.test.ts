import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newId, uuidOfHex } from '../../src/platform/ids.ts';

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
