import { readEventSequence, readEventSubjects, readLastEvents } from '../ledger/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/db/database.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';
import {
  type CursorRow,
  deleteSearchCounts,
  deleteSomeDocuments,
  insertSearchCursor,
  listSearchCursors,
  lockSearchCursor,
  restartSearchCursors,
  updateSearchCursor,
} from './queries.ts';
import { SOURCES, type Source, STORE_DEBITS } from './source-queries.ts';
import { writeDocuments } from './write-documents.ts';

interface FillDeps {
  database: Database;
  clock: Clock;
}

/** Rows that one transaction reads and writes: some hundredths of a second. */
const ROWS_A_STEP = 500;
/** Most of them may be debits of stores, which are passed over. */
const EVENTS_A_STEP = 2_000;
const CLEARED_A_STEP = 5_000;
/** Of a run, in milliseconds: the rest of the time is for those who pay. */
const RUN_MS = 150;
const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * Brings into the index what has happened in the books of every merchant since the last time, in the order of the events.
 * A tenant that was never indexed is read from its tables first. It takes no lock that a movement waits for.
 * @returns how many documents were written
 */
export async function fillIndexes(deps: FillDeps, mode: Mode): Promise<number> {
  const endsAt = deps.clock.elapsedMs() + RUN_MS;
  let waiting = shuffled(await listBehind(deps.database, mode));
  let written = 0;
  // By turns, so that a long history keeps nobody waiting.
  while (waiting.length > 0) {
    const more: Tenant[] = [];
    for (const tenant of waiting) {
      if (deps.clock.elapsedMs() > endsAt) return written;
      const step = await fillStep(deps.database, tenant);
      written += step.written;
      if (step.isMore) more.push(tenant);
    }
    waiting = more;
  }
  return written;
}

/** The same of one tenant, to the end. */
export async function fillIndex({ database }: Pick<FillDeps, 'database'>, tenant: Tenant): Promise<number> {
  let written = 0;
  for (;;) {
    const step = await fillStep(database, tenant);
    written += step.written;
    if (!step.isMore) return written;
  }
}

/** Empties the index of one merchant, or of all, and has it filled again; nothing is lost but the time that it takes. */
export async function rebuildIndexes({ database }: Pick<FillDeps, 'database'>, merchantId?: string): Promise<Tenant[]> {
  const rows = await database.query(restartSearchCursors, [merchantId ?? null]);
  return rows.map((row) => ({ merchantId: row.merchant_id, mode: row.mode }));
}

async function listBehind(database: Database, mode: Mode): Promise<Tenant[]> {
  const [cursors, last] = await Promise.all([
    database.query(listSearchCursors, [mode]),
    readLastEvents(database, mode),
  ]);
  const known = new Map(cursors.map((cursor) => [cursor.merchant_id, cursor]));
  return last
    .filter(({ tenant, sequence }) => {
      const cursor = known.get(tenant.merchantId);
      return cursor === undefined || cursor.filling !== null || cursor.event_sequence < sequence;
    })
    .map(({ tenant }) => tenant);
}

function shuffled<T>(values: readonly T[]): T[] {
  const at = Math.floor(Math.random() * values.length);
  return [...values.slice(at), ...values.slice(0, at)];
}

interface Step {
  written: number;
  isMore: boolean;
}

const NOTHING: Step = { written: 0, isMore: false };

/** One transaction: what it wrote and how far it came commit together, so that whoever goes on repeats and omits nothing. */
function fillStep(database: Database, tenant: Tenant): Promise<Step> {
  const { merchantId, mode } = tenant;
  return database.transaction(async (tx) => {
    const cursor = (await lock()) ?? (await begin());
    if (cursor === undefined) return NOTHING;
    if (cursor.filling === null) return follow(tx, tenant, cursor);
    return cursor.filling === 'CLEARING' ? clear(tx, tenant) : fillFrom(tx, tenant, cursor);

    async function lock(): Promise<CursorRow | undefined> {
      return (await tx.query(lockSearchCursor, [merchantId, mode]))[0];
    }
    async function begin(): Promise<CursorRow | undefined> {
      // Read before any row: what happens from here on is an event to follow.
      const sequence = await readEventSequence(tx, tenant);
      await tx.query(insertSearchCursor, [merchantId, mode, sequence, SOURCES[0]?.table]);
      return lock();
    }
  });
}

async function clear(tx: Tx, tenant: Tenant): Promise<Step> {
  const { merchantId, mode } = tenant;
  const deleted = await tx.query(deleteSomeDocuments, [merchantId, mode, CLEARED_A_STEP]);
  if (deleted.length < CLEARED_A_STEP) {
    const sequence = await readEventSequence(tx, tenant);
    await tx.query(deleteSearchCounts, [merchantId, mode]);
    await tx.query(updateSearchCursor, [merchantId, mode, sequence, SOURCES[0]?.table, null]);
  }
  return { written: deleted.length, isMore: true };
}

async function fillFrom(tx: Tx, tenant: Tenant, cursor: CursorRow): Promise<Step> {
  const { merchantId, mode } = tenant;
  const at = SOURCES.findIndex(({ table }) => table === cursor.filling);
  const source = SOURCES[at];
  if (source === undefined) throw new Error(`the index is filled from ${cursor.filling}, which is unknown`);
  const ids = await tx.query(source.idsAfter, [merchantId, mode, cursor.filled_to ?? FIRST, ROWS_A_STEP]);
  const written = await writeDocuments(
    tx,
    tenant,
    source,
    ids.map(({ id }) => id),
  );
  const isOver = ids.length < ROWS_A_STEP;
  const next = isOver ? (SOURCES[at + 1]?.table ?? null) : source.table;
  const filledTo = isOver ? null : (ids.at(-1)?.id ?? null);
  await tx.query(updateSearchCursor, [merchantId, mode, cursor.event_sequence, next, filledTo]);
  return { written, isMore: true };
}

async function follow(tx: Tx, tenant: Tenant, cursor: CursorRow): Promise<Step> {
  const { merchantId, mode } = tenant;
  const { subjects, readTo, lastSequence } = await readEventSubjects(tx, tenant, {
    after: cursor.event_sequence,
    limit: EVENTS_A_STEP,
    but: STORE_DEBITS,
  });
  if (readTo === cursor.event_sequence) return NOTHING;
  let written = 0;
  for (const source of SOURCES) {
    written += await writeDocuments(tx, tenant, source, subjectsOf(source, subjects));
  }
  await tx.query(updateSearchCursor, [merchantId, mode, readTo, null, null]);
  return { written, isMore: readTo < lastSequence };
}

function subjectsOf({ event }: Source, subjects: readonly { type: string; subjectId: string }[]): string[] {
  const ids = subjects.filter(({ type }) => type.slice(0, type.indexOf('.')) === event).map((one) => one.subjectId);
  return [...new Set(ids)].sort();
}
