import type { Database } from '../platform/db/database.ts';
import { planReport } from '../platform/db/planning.ts';
import { firstIdOf, NIL_ID } from '../platform/ids.ts';
import type { Mode } from '../platform/tenant.ts';
import { isOurReference } from '../rails/index.ts';
import {
  listPaidPayouts,
  listPaidSchedules,
  listRailPayouts,
  listRailPayoutsBySession,
  listRailReferences,
  type RailPayoutRow,
} from './queries.ts';

/** The books that are compared: of one rail in one mode, for one merchant or for all. */
interface RailScope {
  rail: string;
  mode: Mode;
  merchantId: string | null;
}

interface RailKey {
  /** As the rail got it from us: 32 hex digits. Anything else leads nowhere. */
  reference: string | null;
  sessionId: string | null;
}

/**
 * A payout is paid within this time after it was accepted, unless it is a schedule or people had to decide about it.
 */
const PAID_WITHIN_MS = 90 * 24 * 60 * 60_000;

/**
 * The payout that each line of a rail's file is about: found by our reference, else by the session id; undefined where
 * there is none. A fixed number of statements, whatever the number of keys. A payout that was found by its reference
 * may have gone to another rail since: `rail` says which has it.
 */
export async function findRailPayouts(
  database: Database,
  scope: RailScope,
  keys: readonly RailKey[],
): Promise<(RailPayoutRow | undefined)[]> {
  const references = new Set(keys.flatMap(({ reference }) => (isOurReference(reference) ? [reference] : [])));
  const byReference = await findByReference(database, scope, [...references]);
  const found = keys.map(({ reference }) => (reference === null ? undefined : byReference.get(reference)));
  const sessions = new Set(
    keys.flatMap(({ sessionId }, at) => (found[at] === undefined && sessionId !== null ? [sessionId] : [])),
  );
  if (sessions.size === 0) return found;
  const bySession = await findBySession(database, scope, [...sessions]);
  return found.map((payout, at) => payout ?? bySession.get(keys[at]?.sessionId ?? ''));
}

/** A reference is the payout's id; where no merchant is given, only the directory knows the owner. */
async function findByReference(
  database: Database,
  { rail, mode, merchantId }: RailScope,
  references: string[],
): Promise<Map<string, RailPayoutRow>> {
  if (references.length === 0) return new Map();
  const known =
    merchantId === null
      ? await database.query(listRailReferences, [rail, mode, references])
      : references.map((reference) => ({ merchant_id: merchantId, payout_id: reference }));
  const rows = await database.query(listRailPayouts, [
    known.map(({ merchant_id }) => merchant_id),
    known.map(({ payout_id }) => payout_id),
    mode,
  ]);
  return new Map(rows.map((row) => [row.id.replaceAll('-', ''), row]));
}

async function findBySession(
  database: Database,
  { rail, mode, merchantId }: RailScope,
  sessions: string[],
): Promise<Map<string, RailPayoutRow>> {
  const rows = await database.transaction(async (tx) => {
    await tx.query(planReport);
    return tx.query(listRailPayoutsBySession, [sessions, mode, rail, merchantId]);
  });
  return new Map(rows.map((row) => [row.session_id ?? '', row]));
}

/**
 * Payouts that our books say this rail paid between two times, in pages of at most `limit`. Outside money transactions.
 */
export async function* listPaidByRail(
  database: Database,
  { rail, mode, merchantId }: RailScope,
  { from, to, limit }: { from: Date; to: Date; limit: number },
): AsyncGenerator<RailPayoutRow[]> {
  const oldest = firstIdOf(new Date(from.getTime() - PAID_WITHIN_MS));
  for (const list of [listPaidPayouts, listPaidSchedules]) {
    let after = { merchant_id: merchantId ?? NIL_ID, id: NIL_ID };
    for (;;) {
      const key = [after.merchant_id, mode, after.id];
      const page = await database.query(list, [...key, rail, merchantId, from, to, oldest, limit]);
      const last = page.at(-1);
      if (last === undefined) break;
      yield page;
      after = last;
    }
  }
}
