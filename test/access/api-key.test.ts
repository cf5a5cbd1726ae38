import { describe, expect, it } from 'vitest';
import { makeApiKey, parseApiKey } from '../../src/access/api-key.ts';

describe('the text of an API key', () => {
  it.each([
    ['SANDBOX', 'SECRET', 'sk_test_'],
    ['LIVE', 'SECRET', 'sk_live_'],
    ['SANDBOX', 'PUBLIC', 'pk_test_'],
    ['LIVE', 'PUBLIC', 'pk_live_'],
  ] as const)('says that it is %s and %s with %s', (mode, kind, prefix) => {
    const key = makeApiKey(mode, kind);
    expect(key.startsWith(prefix)).toBe(true);
    expect(key).toHaveLength(57);
    expect(parseApiKey(key)).toEqual({ mode, kind });
  });

  it('is never the same twice', () => {
    expect(new Set(Array.from({ length: 500 }, () => makeApiKey('SANDBOX', 'SECRET'))).size).toBe(500);
  });

  it('shows each wrong character, also in the prefix', () => {
    const key = makeApiKey('SANDBOX', 'SECRET');
    for (let at = 0; at < key.length; at += 1) {
      const other = key[at] === 'x' ? 'y' : 'x';
      expect(parseApiKey(key.slice(0, at) + other + key.slice(at + 1))).toBeUndefined();
    }
    expect(parseApiKey(key.replace('sk_test_', 'sk_live_'))).toBeUndefined();
    expect(parseApiKey(key.replace('sk_test_', 'pk_test_'))).toBeUndefined();
    expect(parseApiKey(`${key}\n`)).toBeUndefined();
  });
});
