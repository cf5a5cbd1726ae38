import { describe, expect, it } from 'vitest';
import { eventWindow } from '../../dashboard/src/developers/event-window.ts';
import { deviceOf } from '../../dashboard/src/format/text.ts';
import { complainAboutAddresses, parseAddresses, summariseScopes } from '../../dashboard/src/keys/key.ts';

describe('addresses as they are typed', () => {
  it('are taken one a line or divided by commas, each once', () => {
    expect(parseAddresses(' 203.0.113.7\n203.0.113.0/24, 2001:db8::1;203.0.113.7 ')).toEqual([
      '203.0.113.7',
      '203.0.113.0/24',
      '2001:db8::1',
    ]);
    expect(parseAddresses(' \n ')).toEqual([]);
  });

  it.each(['300.1.1.1', '1.2.3', '1.2.3.4/33', 'shop.example.com', '2001:db8::/129', '12'])(
    'are complained about by name where they are none: %s',
    (wrong) => {
      expect(complainAboutAddresses(`127.0.0.1\n${wrong}`)).toContain(`${wrong} is not an IP address or range`);
    },
  );

  it('pass where they are addresses or ranges of either kind', () => {
    expect(complainAboutAddresses('10.0.0.0/8 ::1 2001:db8::/32 255.255.255.255')).toBeUndefined();
    expect(complainAboutAddresses('')).toBeUndefined();
  });
});

describe('the pages of the event log', () => {
  it('cover every event once, from the newest to the first', () => {
    const seen: number[] = [];
    for (let before: number | undefined = 173; before !== undefined; ) {
      const { after, limit, last, earlier } = eventWindow(173, before, false);
      expect(after + limit).toBe(last);
      for (let sequence = last; sequence > after; sequence -= 1) seen.push(sequence);
      before = earlier;
    }
    expect(seen).toEqual(Array.from({ length: 173 }, (_, at) => 173 - at));
  });

  it('lead back to later ones, and ask for something even where nothing happened yet', () => {
    expect(eventWindow(173, 123, false)).toMatchObject({ later: 173, earlier: 73 });
    expect(eventWindow(173, 9_999, false)).toMatchObject({ last: 173, later: undefined });
    expect(eventWindow(0, undefined, false)).toEqual({
      after: 0,
      limit: 1,
      last: 0,
      later: undefined,
      earlier: undefined,
    });
  });
});

describe('what a list says of a key', () => {
  it('is everything, or the first thing and how many more', () => {
    expect(summariseScopes(['*'], 'SECRET')).toBe('Everything');
    expect(summariseScopes(['*'], 'PUBLIC')).toBe('Public data and payment sessions');
    expect(summariseScopes(['payout:read', 'bank:resolve', 'event:read'], 'SECRET')).toBe('payout:read and 2 more');
  });
});

describe('a browser in words', () => {
  it('is its name and system, and what it says of itself where neither is known', () => {
    const chrome =
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
    expect(deviceOf(chrome)).toBe('Chrome on Linux');
    expect(deviceOf('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1')).toBe(
      'Safari on iOS',
    );
    expect(deviceOf('curl/8.5.0')).toBe('curl/8.5.0');
    expect(deviceOf('')).toBe('Unknown browser');
  });
});
