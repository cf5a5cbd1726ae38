import { nowMs } from '../api/clock.ts';
import type { Mode } from '../api/types.ts';
import { DAY_MS } from '../format/time.ts';

/** What one `Idempotency-Key` stands for: this file, read in this way, until there is an answer about it. */
export interface Attempt {
  key: string;
  fingerprint: string;
  fileName: string;
  mode: Mode;
  begunAt: number;
  /** Somebody has read that nobody knows what became of it. */
  isSeen: boolean;
}

/** More than anybody leaves without an answer; the oldest go. */
const MOST = 10;

/**
 * In the tab, of the person: who reloads the page while a file is on its way, and sends it again, asks about the same list
 * instead of making another one.
 */
const keptAt = (personId: string): string => `manilla.uploads.${personId}`;

/** For a browser that keeps nothing. */
const inMemory = new Map<string, readonly Attempt[]>();

/** Uploads that have no answer, the newest last. After a day the same file is meant anew. */
export function unansweredUploads(personId: string): readonly Attempt[] {
  const kept = inMemory.get(personId) ?? readKept(personId);
  return kept.filter(({ begunAt }) => begunAt > nowMs() - DAY_MS);
}

/** Notes that an upload goes out, or how it stands. */
export function keepAttempt(personId: string, attempt: Attempt): void {
  keep(personId, [...others(personId, attempt), attempt].slice(-MOST));
}

/** There is an answer. */
export function dropAttempt(personId: string, attempt: Attempt): void {
  keep(personId, others(personId, attempt));
}

const others = (personId: string, { key }: Attempt): readonly Attempt[] =>
  unansweredUploads(personId).filter((one) => one.key !== key);

function keep(personId: string, attempts: readonly Attempt[]): void {
  inMemory.set(personId, attempts);
  try {
    sessionStorage.setItem(keptAt(personId), JSON.stringify(attempts));
  } catch {
    // A reload forgets them there; the service still says of each row what it repeats.
  }
}

function readKept(personId: string): readonly Attempt[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keptAt(personId)) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isAttempt) : [];
  } catch {
    return [];
  }
}

function isAttempt(kept: unknown): kept is Attempt {
  const { key, fingerprint, fileName, mode, begunAt } = (kept ?? {}) as Partial<Record<keyof Attempt, unknown>>;
  const texts = [key, fingerprint, fileName, mode];
  return texts.every((text) => typeof text === 'string') && typeof begunAt === 'number';
}
