import type { Clock } from './clock.ts';

/**
 * Reads something small that many ask for and that seldom changes: once, and again when it is older than `maxAgeMs`.
 * Whoever asks meanwhile gets what was read. A failed read is its callers' to see, and the next one tries again.
 */
export function rememberFor<T>(clock: Clock, maxAgeMs: number, read: () => Promise<T>): () => Promise<T> {
  let readAt = Number.NEGATIVE_INFINITY;
  let remembered: Promise<T> | undefined;
  return () => {
    const now = clock.now().getTime();
    if (remembered !== undefined && now >= readAt && now - readAt < maxAgeMs) return remembered;
    const reading = read();
    readAt = now;
    remembered = reading;
    reading.catch(() => {
      if (remembered === reading) remembered = undefined;
    });
    return reading;
  };
}
