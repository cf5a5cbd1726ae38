import { MINUTE_MS } from './clock.ts';

/** Lines about one thing that may be written in a minute. The next one says how many were left out. */
const MAX_LINES = 20;

/** Undefined where a line is too many; else how many were left out since the last. */
export type BoundedLines = () => number | undefined;

export function boundedLines(nowMs: () => number): BoundedLines {
  let minute = Number.NaN;
  let lines = 0;
  let leftOut = 0;
  return () => {
    const now = Math.floor(nowMs() / MINUTE_MS);
    if (now !== minute) lines = 0;
    minute = now;
    if (lines >= MAX_LINES) {
      leftOut += 1;
      return undefined;
    }
    lines += 1;
    const before = leftOut;
    leftOut = 0;
    return before;
  };
}

/** The same of each of a few things, by a name that no caller chooses. */
export function boundedLinesByName(nowMs: () => number): (name: string) => number | undefined {
  const known = new Map<string, BoundedLines>();
  return (name) => {
    let lines = known.get(name);
    if (lines === undefined) {
      lines = boundedLines(nowMs);
      known.set(name, lines);
    }
    return lines();
  };
}
