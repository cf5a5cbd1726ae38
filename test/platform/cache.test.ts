import { beforeEach, describe, expect, it } from 'vitest';
import { type Cache, cacheOne, createCache, keptByOwner, madeOnce } from '../../src/platform/cache.ts';
import { clockOf } from '../support/clock.ts';

let at: number;
const clock = clockOf(() => new Date(at));
let loads: number;
let cache: Cache<number>;

beforeEach(() => {
  at = 1_000_000;
  loads = 0;
  cache = createCache<number>({ clock, ttlMs: 2_000, max: 2 });
});

const load = async () => {
  loads += 1;
  return loads;
};

describe('a cache', () => {
  it('answers by what it knows for less than its time, and reads again from then on', async () => {
    expect(await cache.read('a', load)).toBe(1);
    at += 1_999;
    expect(await cache.read('a', load)).toBe(1);
    at += 1;
    expect(await cache.read('a', load)).toBe(2);
  });

  it('counts the time from when it was asked, not from the answer', async () => {
    const slow = Promise.withResolvers<number>();
    const first = cache.read('a', () => slow.promise);
    at += 1_500;
    slow.resolve(7);
    expect(await first).toBe(7);
    at += 500;
    expect(await cache.read('a', load)).toBe(1);
  });

  it('loads once for anyone who asks at the same time, and each key for itself', async () => {
    expect(await Promise.all([cache.read('a', load), cache.read('a', load), cache.read('b', load)])).toEqual([1, 1, 2]);
  });

  it('remembers no failure, and a failure that comes late takes nothing away that was read since', async () => {
    const late = Promise.withResolvers<number>();
    const failing = cache.read('a', () => late.promise);
    at += 2_000;
    expect(await cache.read('a', load)).toBe(1);
    late.reject(new Error('gone'));
    await expect(failing).rejects.toThrow('gone');
    expect(await cache.read('a', load)).toBe(1);
    await expect(cache.read('b', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
    expect(await cache.read('b', load)).toBe(2);
  });

  it('lets go of one key when it is asked to, and of those used longest ago when it is full', async () => {
    for (const key of ['a', 'b', 'c']) await cache.read(key, load);
    cache.forget('c');
    expect(await cache.read('b', load)).toBe(2);
    expect(await cache.read('c', load)).toBe(4);
    expect(await cache.read('a', load)).toBe(5);
  });

  it('of one thing is the same', async () => {
    const read = cacheOne(clock, 2_000, load);
    expect([await read(), await read()]).toEqual([1, 1]);
    read.forget();
    expect(await read()).toBe(2);
    at += 2_000;
    expect(await read()).toBe(3);
  });
});

describe('what is made once', () => {
  it('is kept, and made again where it could not be', async () => {
    const first = Promise.withResolvers<number>();
    const once = madeOnce(() => (loads === 0 ? first.promise.finally(() => void load()) : load()));
    const asked = [once(), once()];
    first.reject(new Error('no file can be opened'));
    expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await once()).toBe(2);
    expect(await once()).toBe(2);
  });
});

describe('what an owner keeps', () => {
  it('is made once for each owner, and shared with no other', () => {
    const countsOf = keptByOwner<object, Map<string, number>>(() => new Map());
    const [one, other] = [{}, {}];
    countsOf(one).set('a', 1);
    expect(countsOf(one).get('a')).toBe(1);
    expect(countsOf(other).size).toBe(0);
  });
});
