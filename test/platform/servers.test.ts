import { describe, expect, it } from 'vitest';
import { serversOf } from '../../src/platform/db/primary.ts';
import { createPatience } from '../../src/platform/db/replica.ts';

describe('an address of a database', () => {
  it.each([
    ['postgres://me:secret@one:5432/books', ['postgres://me:secret@one:5432/books']],
    [
      'postgres://me:s%2Cecret@one:5432,two:6432/books?target_session_attrs=read-write',
      ['postgres://me:s%2Cecret@one:5432/books', 'postgres://me:s%2Cecret@two:6432/books'],
    ],
    [
      'postgresql://me@one,[::1]:5433/books?sslmode=require&target_session_attrs=primary&connect_timeout=3',
      [
        'postgresql://me@one/books?sslmode=require&connect_timeout=3',
        'postgresql://me@[::1]:5433/books?sslmode=require&connect_timeout=3',
      ],
    ],
    ['postgres://one/books?target_session_attrs=any', ['postgres://one/books']],
    [
      'postgres://me@127.0.0.1:1/books?host=%2Ftmp%2Fsockets',
      ['postgres://me@127.0.0.1:1/books?host=%2Ftmp%2Fsockets'],
    ],
  ])('%s is that of each of its servers', (address, servers) => {
    expect(serversOf(address)).toEqual(servers);
  });
});

describe('a replica that was waited for in vain', () => {
  it('is only looked at for a second, and then waited for once more, however often it is looked at meanwhile', () => {
    let now = 5_000;
    const patience = createPatience(500, () => now);
    expect(patience.waitMs()).toBe(500);
    patience.wasBehind(500);
    for (let look = 0; look < 10; look += 1, now += 99) {
      expect(patience.waitMs()).toBe(0);
      patience.wasBehind(0);
    }
    now = 6_000;
    expect(patience.waitMs()).toBe(500);
  });
});
