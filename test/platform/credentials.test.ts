import { describe, expect, it } from 'vitest';
import { hasCredential, withoutCredentials } from '../../src/platform/credentials.ts';

const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx.c2ln';
const LONG = 'A1b2C3d4E5f6G7h8I9j0K1l2';

describe('what gives access is found in a text', () => {
  it.each([
    ['a key', 'sk_live_x', '[x]'],
    ['in capitals', 'mine is SK_LIVE_X1', 'mine is [x]'],
    ['a client secret of a payment session', 'see mcs_live_abc_def, please', 'see [x] please'],
    ['a signing secret', '"whsec_123"', '"[x]"'],
    ['behind a name with an underscore', 'KEY_sk_test_abcdef', 'KEY_[x]'],
    ['in an address', 'x%3Dsk_live_abcdefghi', 'x%3D[x]'],
    ['with nothing before it', `keysk_live_${LONG} and more`, 'key[x] and more'],
    ['a token', `Bearer ${TOKEN}`, 'Bearer [x]'],
    ['a token in an address', `?t%3D${TOKEN}&a=1`, '?t%3D[x]&a=1'],
    ['a token behind a name', `JWT_${TOKEN}`, 'JWT_[x]'],
    ['a token with nothing before it', `jwt${TOKEN}`, 'jwt[x]'],
  ])('%s', (_what, text, clean) => {
    expect(withoutCredentials(text, '[x]')).toBe(clean);
    expect(hasCredential(text)).toBe(true);
  });

  it.each(['task_force', 'task_live_show', 'desk_test_1', 'heyJude.mp3', 'eyJ', 'a.b.c', 'ends in eyJabc.', ''])(
    'and not in "%s"',
    (text) => {
      expect(withoutCredentials(text, '[x]')).toBe(text);
      expect(hasCredential(text)).toBe(false);
    },
  );

  it('in one look, however long a word is that only begins like one', () => {
    for (const part of ['eyJ', 'sk_live_', 'whsec_', 'a.', '%3DeyJ', 'mcs_test_%']) {
      const text = part.repeat(200_000);
      expect(withoutCredentials(text, '').length).toBeLessThanOrEqual(text.length);
    }
  });
});
