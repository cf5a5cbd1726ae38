import { MINUTE_MS } from '../platform/clock.ts';
import type { CountRow } from './count-queries.ts';

/** Counts of requests that are alike add up meanwhile: written each second, they were a row for nearly each request. */
const WRITE_EVERY_MS = 5_000;
/** With more rows than this they add up for longer: of many merchants few requests are alike in five seconds. */
const MANY_ROWS = 1_000;
const WRITE_MANY_EVERY_MS = 20_000;
/** Of an hour that runs nobody reads the count: its five minutes are read. */
const WRITE_HOURS_EVERY_MS = 60_000;
/** Rows that could not be written and wait for the next time: a database that is away must not fill the memory. */
const MAX_RETURNED = 20_000;
/** So long after its end the counts of an hour have been written by every process. */
export const HOURS_KNOWN_AFTER_MS = 2 * WRITE_HOURS_EVERY_MS;

/** Milliseconds. A duration is known to the step that it was within, which is what a person reads off a chart. */
const STEPS: readonly number[] = [
  ...[1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1_000, 1_500, 2_000, 3_000, 5_000],
  ...[7_000, 10_000, 15_000, 20_000, 30_000, 60_000, 120_000, 2_147_483_647],
];

const stepOf = (durationMs: number): number => STEPS.find((step) => durationMs <= step) ?? 2_147_483_647;

export function slotOf(at: Date, minutes: number): Date {
  const length = minutes * MINUTE_MS;
  return new Date(Math.floor(at.getTime() / length) * length);
}

interface Counted extends Pick<CountRow, 'merchant_id' | 'mode' | 'method' | 'route' | 'status'> {
  at: Date;
  code: string | null;
  duration_ms: number;
}

export interface RequestCounts {
  add(request: Counted): void;
  /** The rows that are due at this moment of a clock that only goes forward, or all. */
  take(elapsedMs: number, which: { all: boolean }): CountRow[];
  /** Rows that were taken and not written: they are taken again. @returns how many are lost, as too many wait */
  putBack(rows: readonly CountRow[]): number;
}

/** What is counted: one row for all requests of a slot that are alike. */
export function createRequestCounts(beganMs: number): RequestCounts {
  let fives = new Map<string, CountRow>();
  let hours = new Map<string, CountRow>();
  /** As they were taken: what a row of five minutes counts is in that of its hour already. */
  let returned = new Map<string, CountRow>();
  let [fivesAt, hoursAt] = [beganMs, beganMs];

  function takeFives(): CountRow[] {
    const taken = [...fives.values()];
    fives = new Map();
    for (const row of taken) addTo(hours, { ...row, minutes: 60, slot: slotOf(row.slot, 60) });
    return taken;
  }

  function takeHours(): CountRow[] {
    const taken = [...hours.values()];
    hours = new Map();
    return taken;
  }

  return {
    add({ merchant_id, mode, at, method, route, status, code, duration_ms }) {
      const counted = { merchant_id, mode, minutes: 5, method, route, status, code: code ?? '' };
      addTo(fives, { ...counted, slot: slotOf(at, 5), within_ms: stepOf(duration_ms), requests: 1 });
    },
    take(elapsedMs, { all }) {
      if (!all && elapsedMs - fivesAt < (fives.size > MANY_ROWS ? WRITE_MANY_EVERY_MS : WRITE_EVERY_MS)) return [];
      fivesAt = elapsedMs;
      const due = takeFives();
      if (all || elapsedMs - hoursAt >= WRITE_HOURS_EVERY_MS) {
        hoursAt = elapsedMs;
        due.push(...takeHours());
      }
      if (returned.size === 0) return due;
      // One statement takes no row twice.
      const rows = returned;
      returned = new Map();
      for (const row of due) addTo(rows, row);
      return [...rows.values()];
    },
    putBack(rows) {
      let lost = 0;
      for (const row of rows) {
        if (returned.size >= MAX_RETURNED && !returned.has(keyOf(row))) lost += 1;
        else addTo(returned, row);
      }
      return lost;
    },
  };
}

function keyOf({ merchant_id, mode, minutes, slot, method, route, status, code, within_ms }: CountRow): string {
  return `${merchant_id} ${mode} ${minutes} ${slot.getTime()} ${method} ${route} ${status} ${code} ${within_ms}`;
}

function addTo(rows: Map<string, CountRow>, row: CountRow): void {
  const key = keyOf(row);
  const known = rows.get(key);
  if (known === undefined) rows.set(key, row);
  else known.requests += row.requests;
}
