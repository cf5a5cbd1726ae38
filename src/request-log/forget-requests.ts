import { type Clock, DAY_MS } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { isDatabaseAway } from '../platform/errors.ts';
import { firstIdOf } from '../platform/ids.ts';
import { doEach, removeInPieces } from '../platform/jobs/pieces.ts';
import { type Mode, type Tenant, tenantKey } from '../platform/tenant.ts';
import { deleteOldCounts } from './count-queries.ts';
import { slotOf } from './counts.ts';
import {
  deleteOldBodies,
  deleteOldGaps,
  deleteOldRequests,
  findBodySettings,
  listBodySettings,
  upsertBodySettings,
} from './queries.ts';

/** Test money and made-up people: what is sent there may be seen, redacted as everywhere. Live mode asks first. */
const KEEPS_BODIES: Readonly<Record<Mode, boolean>> = { SANDBOX: true, LIVE: false };
const DEFAULT_KEEP_DAYS = 3;
/** No longer than the requests themselves are kept. */
export const MAX_KEEP_DAYS = 7;

export interface BodySettings {
  keepBodies: boolean;
  /** Days. */
  keepDays: number;
}

export async function readBodySettings(
  { database }: { database: Database },
  { merchantId, mode }: Tenant,
): Promise<BodySettings> {
  const [row] = await database.query(findBodySettings, [merchantId, mode]);
  if (row === undefined) return { keepBodies: KEEPS_BODIES[mode], keepDays: DEFAULT_KEEP_DAYS };
  return { keepBodies: row.keeps_bodies, keepDays: row.keep_days };
}

/**
 * Changes what is named, and leaves the rest. Every process goes by it within two seconds. It is no movement: nothing of
 * the merchant's changes but what is seen of its requests; who did it stands in the audit log.
 */
export async function changeBodySettings(
  deps: { database: Database; clock: Clock },
  tenant: Tenant,
  changes: Partial<BodySettings>,
): Promise<BodySettings> {
  const before = await readBodySettings(deps, tenant);
  const after = { keepBodies: changes.keepBodies ?? before.keepBodies, keepDays: changes.keepDays ?? before.keepDays };
  const values = [tenant.merchantId, tenant.mode, after.keepBodies, after.keepDays, deps.clock.now()];
  await deps.database.query(upsertBodySettings, values);
  return after;
}

/** How old what is known of the settings of all merchants may be. */
const KNOWN_FOR_MS = 1_500;
/** The longest pause of a read that fails, of a database that is there. */
const LONGEST_PAUSE_MS = 60_000;

/** Whose bodies are kept, known without a question to the database. */
export interface KnownBodySettings {
  /** False until the settings were read once, and while they cannot be read for another reason than that the database is away. */
  keeps(tenant: Tenant): boolean;
  refresh(): Promise<void>;
}

export function knownBodySettings({ database }: { database: Database }): KnownBodySettings {
  let known: ReadonlyMap<string, boolean> | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let pauseMs = KNOWN_FOR_MS;
  return {
    keeps: (tenant) => known !== undefined && (known.get(tenantKey(tenant)) ?? KEEPS_BODIES[tenant.mode]),
    async refresh() {
      if (performance.now() - readAt < pauseMs) return;
      readAt = performance.now();
      try {
        const rows = await database.query(listBodySettings, []);
        known = new Map(rows.map((row) => [`${row.merchant_id}/${row.mode}`, row.keeps_bodies]));
        pauseMs = KNOWN_FOR_MS;
      } catch (error) {
        if (!isDatabaseAway(error)) {
          // What a merchant has changed meanwhile would be found out too late.
          known = undefined;
          pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
        }
        throw error;
      }
    },
  };
}

/** Removes requests, gaps and counts from before a moment, each for itself. @returns how many requests and gaps are forgotten. */
export function forgetRequests(
  { database, clock }: { database: Database; clock: Clock },
  before: Date,
): Promise<number> {
  const first = firstIdOf(before);
  const removed = async (statement: typeof deleteOldRequests, atMost: number) =>
    (await database.query(statement, [first, atMost]))[0]?.gone ?? 0;
  return doEach([
    async () => {
      await database.query(deleteOldCounts, [slotOf(before, 60), new Date(clock.now().getTime() - DAY_MS)]);
      return 0;
    },
    () => removeInPieces((atMost) => removed(deleteOldGaps, atMost)),
    () => removeInPieces((atMost) => removed(deleteOldRequests, atMost)),
  ]);
}

/**
 * Removes bodies that are older than their merchant's setting, and those of merchants that no longer keep any. @returns
 * how many.
 */
export async function forgetBodies({ database, clock }: { database: Database; clock: Clock }): Promise<number> {
  const now = clock.now().getTime();
  const firstIds = Array.from({ length: MAX_KEEP_DAYS + 1 }, (_, days) => firstIdOf(new Date(now - days * DAY_MS)));
  const daysIn = (mode: keyof typeof KEEPS_BODIES) => (KEEPS_BODIES[mode] ? DEFAULT_KEEP_DAYS : 0);
  return removeInPieces(async (atMost) => {
    const values = [`{${firstIds.join()}}`, atMost, daysIn('SANDBOX'), daysIn('LIVE')];
    const [deleted] = await database.query(deleteOldBodies, values);
    return deleted?.gone ?? 0;
  });
}
