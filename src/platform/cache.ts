import { LRUCache } from 'lru-cache';
import type { Clock } from './clock.ts';

const ONE = () => 1;

/**
 * A map of at most `max` entries, of which the least recently used are dropped. Its memory grows with its use; the
 * library would allocate all entries at once where it is given `max`.
 */
export type LruMap<Value extends {}> = LRUCache<string, Value>;

export function createLruMap<Value extends {}>(max: number): LruMap<Value> {
  return new LRUCache({ maxSize: max, sizeCalculation: ONE });
}

export interface CacheOptions {
  clock: Clock;
  /** A value is used for less than this, from the moment at which it was asked for. */
  ttlMs: number;
  /** Beyond so many, the least recently used are dropped. */
  max: number;
}

/** Cached values by key. A cache belongs to the code that creates it: none is a module's own state. */
export interface Cache<Value> {
  /**
   * The cached value of a key, or else what `load` returns. Callers that ask meanwhile share one load. A load that
   * fails rejects for these callers, and the next one loads again.
   */
  read(key: string, load: () => Promise<Value>): Promise<Value>;
  /** Called by code that has changed the value. */
  forget(key: string): void;
}

/** A cache whose entries expire by the monotonic clock. */
export function createCache<Value>({ clock, ttlMs, max }: CacheOptions): Cache<Value> {
  const entries = new LRUCache<string, Promise<Value>>({
    maxSize: max,
    sizeCalculation: ONE,
    // To the library an entry of exactly this age is still valid, to us it is not.
    ttl: ttlMs - 1,
    ttlResolution: 0,
    perf: { now: () => clock.elapsedMs() },
  });
  return {
    read(key, load) {
      const known = entries.get(key);
      if (known !== undefined) return known;
      const loading = load();
      entries.set(key, loading);
      loading.catch(() => {
        if (entries.peek(key, { allowStale: true }) === loading) entries.delete(key);
      });
      return loading;
    },
    forget: (key) => void entries.delete(key),
  };
}

/** A cache of one value. */
export interface CachedValue<Value> {
  (): Promise<Value>;
  forget(): void;
}

/** Reads something small that is read often and changes seldom: once, and again when it is `ttlMs` old. */
export function cacheOne<Value>(clock: Clock, ttlMs: number, load: () => Promise<Value>): CachedValue<Value> {
  const cache = createCache<Value>({ clock, ttlMs, max: 1 });
  return Object.assign(() => cache.read('', load), { forget: () => cache.forget('') });
}

/** Makes a value when it is first asked for, and keeps it. Where that fails, the next caller has it made again. */
export function madeOnce<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/**
 * Makes a value for each owner when it is first asked for, such as the queues of a database. It belongs to the owner: two
 * owners share nothing, and the value goes with its owner.
 */
export function keptByOwner<Owner extends object, Value extends {}>(
  make: (owner: Owner) => Value,
): (owner: Owner) => Value {
  const made = new WeakMap<Owner, Value>();
  return (owner) => {
    const known = made.get(owner);
    if (known !== undefined) return known;
    const value = make(owner);
    made.set(owner, value);
    return value;
  };
}
