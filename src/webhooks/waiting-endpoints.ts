import {
  type ActiveBooks,
  type ActiveBooksOptions,
  askedBooks,
  followActiveBooks,
  readEventSequences,
} from '../ledger/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { firstIdOf } from '../platform/ids.ts';
import { type Mode, type Tenant, tenantKey, tenantOf } from '../platform/tenant.ts';
import { insertMissingEndpoints, listEndpointsOf, listEndpointsToRetry } from './queries.ts';

export interface WaitingEndpoint {
  tenant: Tenant;
  /** How many calls in a row failed. */
  failures: number;
}

/** Finds whose events are to be sent. It remembers from one look to the next whom to look at. */
interface WaitingEndpoints {
  /** Those with events to send now or a delivery to repeat, which no worker holds. */
  list(): Promise<WaitingEndpoint[]>;
  /** Makes endpoints of merchants who were made with an address: of all at first, and then from time to time of new ones. */
  makeMissing(): Promise<void>;
  /** A pause may have ended before its time: those that are paused are asked about with the others. */
  askAboutAll(): void;
}

/** How often to look for merchants that were made with an address. */
const MISSING_EVERY_MS = 60_000;
/** A merchant is committed this long after its id was made, at most, by whatever clock. */
const MADE_WITHIN_MS = 60 * 60_000;
/** With many receivers that are down, asking about each of them each time would cost more than all others. */
const PAUSED_ASKED_AFTER_MS = 2_000;

interface Active {
  books: ActiveBooks;
  /** Merchants with events to send whose endpoint is paused, and until when they are not asked about, by the monotonic clock. */
  paused: Map<string, number>;
}

/** @param options of those who are looked at; for tests */
export function createWaitingEndpoints(
  deps: { database: Database; clock: Clock },
  options?: ActiveBooksOptions,
): WaitingEndpoints {
  const { database, clock } = deps;
  const activeIn = (mode: Mode): Active => ({ books: followActiveBooks(deps, mode, options), paused: new Map() });
  const active = { LIVE: activeIn('LIVE'), SANDBOX: activeIn('SANDBOX') };
  let soughtAt = Number.NEGATIVE_INFINITY;
  let after = firstIdOf(new Date(0));

  /** Endpoints with events to send, among those of the merchants that became active. */
  async function listBehind(mode: Mode) {
    const { books, paused } = active[mode];
    const elapsed = clock.elapsedMs();
    for (const [merchantId, until] of paused) if (until <= elapsed) paused.delete(merchantId);
    const asked = [...(await books.look())].filter((merchantId) => !paused.has(merchantId));
    if (asked.length === 0) return [];
    const found = await database.query(listEndpointsOf, [...askedBooks(asked, mode), clock.now()]);
    const endpoints = found.filter(({ is_enabled }) => is_enabled);
    const sequences = await readEventSequences(database, endpoints.map(tenantOf));
    const behind = endpoints.filter((row) => (sequences.get(tenantKey(tenantOf(row))) ?? 0n) > row.cursor_sequence);
    books.answered(asked, behind);
    for (const row of behind) if (row.is_paused) paused.set(row.merchant_id, elapsed + PAUSED_ASKED_AFTER_MS);
    return behind;
  }

  return {
    async list() {
      const found = [
        ...(await listBehind('LIVE')),
        ...(await listBehind('SANDBOX')),
        ...(await database.query(listEndpointsToRetry, [clock.now()])),
      ];
      const callable = found.filter(({ is_leased, is_paused }) => !is_leased && !is_paused);
      const byTenant = new Map(callable.map((row) => [tenantKey(tenantOf(row)), row]));
      return [...byTenant.values()].map((row) => ({ tenant: tenantOf(row), failures: row.failures_in_a_row }));
    },
    async makeMissing() {
      if (performance.now() - soughtAt < MISSING_EVERY_MS) return;
      const now = clock.now();
      const made = await database.query(insertMissingEndpoints, [now, after]);
      // What happened before had no endpoint when it was looked at.
      for (const { merchant_id, mode } of made) active[mode].books.handOut([merchant_id]);
      after = firstIdOf(new Date(now.getTime() - MADE_WITHIN_MS));
      // Not where it failed: that would count as looked for a moment later.
      soughtAt = performance.now();
    },
    askAboutAll() {
      for (const { paused } of Object.values(active)) paused.clear();
    },
  };
}
