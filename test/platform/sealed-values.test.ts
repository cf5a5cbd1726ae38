import { describe, expect, it } from 'vitest';
import { createSecrets } from '../../src/platform/secrets.ts';

const keyOf = (byte: number): string => Buffer.alloc(32, byte).toString('base64');
const secrets = createSecrets('a pepper', keyOf(1));

describe('a sealed value', () => {
  it('opens in its own place, and is another each time', () => {
    const [first, second] = [secrets.seal('22212345901', 'a'), secrets.seal('22212345901', 'a')];
    expect(first).not.toBe(second);
    for (const sealed of [first, second]) {
      expect(sealed).not.toContain('22212345901');
      expect(secrets.open(sealed, 'a')).toBe('22212345901');
    }
  });

  it('opens in no other place and under no other key', () => {
    const sealed = secrets.seal('22212345901', 'merchants/1/bvn');
    expect(() => secrets.open(sealed, 'merchants/2/bvn')).toThrow();
    expect(() => createSecrets('a pepper', keyOf(2)).open(sealed, 'merchants/1/bvn')).toThrow();
    expect(() => secrets.openBytes(secrets.sealBytes(Buffer.from('a file'), 'a'), 'b')).toThrow();
  });

  it('does not open once one bit of it was altered, wherever that is', () => {
    const sealed = secrets.sealBytes(Buffer.from('a file'), 'a');
    for (const at of sealed.keys()) {
      const altered = Buffer.from(sealed);
      altered.writeUInt8(altered.readUInt8(at) ^ 1, at);
      expect(() => secrets.openBytes(altered, 'a'), `byte ${at}`).toThrow();
    }
    expect(secrets.openBytes(sealed, 'a').toString()).toBe('a file');
  });

  it('of a version that is not known does not open', () => {
    const sealed = secrets.seal('22212345901', 'a');
    expect(() => secrets.open(sealed.replace(/^v1/, 'v2'), 'a')).toThrow('known version');
  });
});

describe('a keyed hash', () => {
  it('is another for another purpose, another text and another pepper', () => {
    const other = createSecrets('another pepper', keyOf(1));
    const hashes = [
      secrets.hmac('pin', '1'),
      secrets.hmac('link', '1'),
      secrets.hmac('pin', '2'),
      other.hmac('pin', '1'),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});
