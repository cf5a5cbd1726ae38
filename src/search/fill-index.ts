import {
  type ActiveBooks,
  type ActiveBooksOptions,
  askedBooks,
  followActiveBooks,
  passedOver,
  readEventSequence,
  readEventSubjects,
} from '../ledger/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/db/database.ts';
import { arrayOf, columnArrays, rowsFor } from '../platform/db/statement.ts';
import { NIL_ID } from '../platform/ids.ts';
import type { JobFailures, JobMonitor } from '../platform/jobs/job-monitor.ts';
import { inHalves, merchantsBackingOff, ONE_AT_A_TIME, takeTurns } from '../platform/jobs/take-turns.ts';
import { type Mode, type Tenant, tenantKey, tenantOf } from '../platform/tenant.ts';
import {
  type CursorRow,
  type DocumentRow,
  deleteDocuments,
  deleteSearchCounts,
  deleteSomeDocuments,
  insertSearchCursor,
  listBooksToIndex,
  listDocuments,
  listSearchCounts,
  lockSearchCursor,
  mergeDocumentTokens,
  type PassedRow,
  restartSearchCursors,
  updateSearchCursor,
  updateSearchCursorsPassed,
  upsertDocuments,
  upsertSearchCounts,
} from './queries.ts';
import { type DocumentKind, SOURCES, type Source, type SourceRow, STORE_DEBITS, textsIn } from './source-queries.ts';
import { ERA_DOCUMENTS, type Searched, seedOf, textOf, tokensOf } from './tokens.ts';

interface FillDeps {
  database: Database;
  clock: Clock;
  jobs: JobMonitor;
}

const NOT_INDEXED = 'the index of a merchant could not be filled';
/** One transaction reads and writes so many rows: some hundredths of a second. */
const ROWS_A_STEP = 500;
/** One step reads so many events. Most of them may be debits of stores, which are skipped. */
const EVENTS_A_STEP = 2_000;
const CLEARED_A_STEP = 5_000;
/**
 * So many events of one merchant are looked at where many merchants are passed together. With more, the merchant gets a
 * step of its own.
 */
const LOOKED_AT = 100;
/** One statement passes so many merchants. */
const PASSED_AT_ONCE = 256;
/**
 * Where more merchants than this are passed in one run, each of them is left alone for a while, because looking at its
 * events has a cost.
 */
const MANY_PASSED = 100;
const REST_MS = 2_000;
/**
 * A merchant with more new events than this is looked at in each run. Too many at once would need a step of their own.
 */
const FEW_EVENTS = 20n;
/** A run asks about so many merchants: more than it has the time for, so that the others are not asked about in vain. */
const BOOKS_A_RUN = 500;
/** The length of a run in milliseconds. The rest of the time is for payments. */
const RUN_MS = 150;

/**
 * Merchants whose new events were only debits of stores, and the time until which they are left alone, by the monotonic
 * clock.
 */
type Resting = Map<string, number>;

/** What the job remembers from one run to the next. */
interface Known {
  resting: Resting;
  books: ActiveBooks;
}

/** The job that fills the indexes of a mode. It remembers from one run to the next whom to look at, and whom to leave alone. */
export function indexFiller(
  deps: FillDeps,
  mode: Mode,
  options?: ActiveBooksOptions,
): (stopped?: AbortSignal) => Promise<number> {
  const known = { resting: new Map(), books: followActiveBooks(deps, mode, options) };
  return (stopped) => fillIndexes(deps, mode, known, stopped);
}

/**
 * Brings into the index what has happened in the books that went on since the last time, in the order of the events.
 * A tenant that was never indexed is read from its tables first; many that only had debits of stores are passed together. It
 * takes no lock that a movement waits for. A merchant at whom it fails is left alone for a while that grows, and holds up no
 * other.
 * @returns how many documents were written
 */
export async function fillIndexes(
  deps: FillDeps,
  mode: Mode,
  known: Known = { resting: new Map(), books: followActiveBooks(deps, mode) },
  stopped?: AbortSignal,
): Promise<number> {
  const failures = deps.jobs.failuresOf('search.fill');
  const endsAt = deps.clock.elapsedMs() + RUN_MS;
  const isOver = () => deps.clock.elapsedMs() > endsAt || stopped?.aborted === true;
  let waiting = shuffled(await passBooks(deps, mode, { ...known, failures }));
  let written = 0;
  // Merchants take turns, so that a long history delays no other.
  while (waiting.length > 0 && !isOver()) {
    const unfinished: Tenant[] = [];
    const some = await takeTurns<Tenant>(waiting, {
      failures,
      slots: ONE_AT_A_TIME,
      tenantOf: (tenant) => tenant,
      keyOf: tenantKey,
      take: async (tenant) => {
        const step = await fillStep(deps.database, tenant);
        if (step.isMore) unfinished.push(tenant);
        return step.written;
      },
      aboutOf: (tenant) => ({ message: NOT_INDEXED, ...tenant }),
      isOver,
    });
    // Once for all merchants of the round: for one with a single document it takes longer than the document.
    if (some > 0) await deps.database.query(mergeDocumentTokens);
    written += some;
    waiting = unfinished;
  }
  return written;
}

/** Fills the index of one tenant to the end. */
export async function fillIndex({ database }: Pick<FillDeps, 'database'>, tenant: Tenant): Promise<number> {
  let written = 0;
  for (;;) {
    const step = await fillStep(database, tenant);
    if (step.written > 0) await database.query(mergeDocumentTokens);
    written += step.written;
    if (!step.isMore) return written;
  }
}

/**
 * Empties the index of one merchant, or of all, and has it filled again. Nothing is lost, but searches miss old
 * documents meanwhile.
 */
export async function rebuildIndexes({ database }: Pick<FillDeps, 'database'>, merchantId?: string): Promise<Tenant[]> {
  const rows = await database.query(restartSearchCursors, [merchantId ?? null]);
  return rows.map((row) => ({ merchantId: row.merchant_id, mode: row.mode }));
}

/** Passes those whose events hold nothing to index. @returns the others that have something to do */
async function passBooks(
  { database, clock }: FillDeps,
  mode: Mode,
  { resting, books, failures }: Known & { failures: JobFailures },
): Promise<Tenant[]> {
  const now = clock.elapsedMs();
  for (const [merchantId, until] of resting) if (until <= now) resting.delete(merchantId);
  const left = new Set([...resting.keys(), ...merchantsBackingOff(failures, mode)]);
  const asked = [...(await books.look())].filter((merchantId) => !left.has(merchantId)).slice(0, BOOKS_A_RUN);
  if (asked.length === 0) return [];
  const behind = await database.query(listBooksToIndex, [
    ...askedBooks(asked, mode),
    LOOKED_AT,
    ...passedOver(STORE_DEBITS),
  ]);
  books.answered(asked, behind);
  const passed: PassedRow[] = [];
  const others: Tenant[] = [];
  for (const { merchant_id, read_to, last_sequence, is_empty } of behind) {
    const tenant: Tenant = { merchantId: merchant_id, mode };
    // A merchant whose last step failed is not put together with the others again.
    const isPassed = is_empty && read_to !== null && !failures.hasFailed(tenantKey(tenant));
    if (isPassed) passed.push({ merchant_id, mode, read_to, last_sequence });
    else others.push(tenant);
  }
  // Sorted, so that two processes which do it at once do not wait for each other.
  passed.sort((a, b) => (a.merchant_id < b.merchant_id ? -1 : 1));
  for (let at = 0; at < passed.length; at += PASSED_AT_ONCE)
    await inHalves(
      passed.slice(at, at + PASSED_AT_ONCE),
      (some) => database.run(...rowsFor(updateSearchCursorsPassed, some)),
      (row, error) => {
        const tenant = tenantOf(row);
        failures.failed(tenantKey(tenant), error, { message: NOT_INDEXED, ...tenant });
      },
    );
  if (passed.length + resting.size > MANY_PASSED)
    for (const { merchant_id, read_to, last_sequence } of passed)
      if (last_sequence - read_to <= FEW_EVENTS) resting.set(merchant_id, now + REST_MS);
  return others;
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

/** One transaction: the documents and the progress commit together, so that the next step repeats and omits nothing. */
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
      // Read before any row: whatever happens from here on is an event that a later step reads.
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

/** Reads one table after the other until a step has its rows. A table with few rows is finished by the first look. */
async function fillFrom(tx: Tx, tenant: Tenant, cursor: CursorRow): Promise<Step> {
  const { merchantId, mode } = tenant;
  const from = SOURCES.findIndex(({ table }) => table === cursor.filling);
  if (from === -1) return fillAnew(tx, tenant, cursor);
  let left = ROWS_A_STEP;
  let written = 0;
  let place: [table: string | null, filledTo: string | null] = [null, null];
  for (const source of SOURCES.slice(from)) {
    const after = source.table === cursor.filling ? (cursor.filled_to ?? NIL_ID) : NIL_ID;
    const rows = await tx.query(source.idsAfter, [merchantId, mode, after, left]);
    const ids = rows.map(({ id }) => id);
    written += await writeDocuments(tx, tenant, source, ids);
    if (ids.length === left) {
      place = [source.table, ids.at(-1) ?? null];
      break;
    }
    left -= ids.length;
  }
  await tx.query(updateSearchCursor, [merchantId, mode, cursor.event_sequence, ...place]);
  return { written, isMore: true };
}

/**
 * Begins with the first table again. Another release may have stopped at a table that this one does not have, and then
 * nobody can say which tables were read before it. Documents that were written stay and are found meanwhile; writing
 * them again changes nothing.
 */
async function fillAnew(tx: Tx, { merchantId, mode }: Tenant, cursor: CursorRow): Promise<Step> {
  await tx.query(updateSearchCursor, [merchantId, mode, cursor.event_sequence, SOURCES[0]?.table, null]);
  return { written: 0, isMore: true };
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

function subjectsOf(source: Source, subjects: readonly { type: string; subjectId: string }[]): string[] {
  const { event, sameAfter } = source;
  const ids = subjects
    .filter(({ type }) => type.slice(0, type.indexOf('.')) === event && !sameAfter.includes(type))
    .map((one) => one.subjectId);
  return [...new Set(ids)].sort();
}

/** A document as its row would have it now. */
interface Wanted extends Searched {
  kind: DocumentKind;
  subjectId: string;
  createdAt: Date;
}

/** The documents of a row: the row itself, and the session id that the bank answered for it. */
function documentsOf({ kind, sessionKind }: Source, row: SourceRow): Wanted[] {
  const { id: subjectId, created_at: createdAt, amount_minor: amountMinor, session_id: sessionId } = row;
  const [names, codes] = [textsIn(row.names), textsIn(row.codes)];
  const own: Wanted = { kind, subjectId, createdAt, amountMinor, names, codes };
  if (sessionKind === null || sessionId === null) return [own];
  return [own, { kind: sessionKind, subjectId, createdAt, amountMinor: null, names: [], codes: [sessionId] }];
}

/**
 * Makes the documents of these rows what the rows say now, in the transaction that has locked the tenant's cursor: done
 * again, it changes nothing.
 * @returns how many documents were written
 */
async function writeDocuments(tx: Tx, tenant: Tenant, source: Source, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const { merchantId, mode } = tenant;
  const rows = await tx.query(source.rows, [merchantId, mode, arrayOf('uuid', ids)]);
  const wanted = rows.flatMap((row) => documentsOf(source, row));
  const written = await writeWanted(tx, tenant, wanted);
  if (source.mayGo) {
    const found = new Set(rows.map(({ id }) => id));
    const gone = ids.filter((id) => !found.has(id));
    await deleteGone(tx, tenant, source.kind, gone);
  }
  return written;
}

async function writeWanted(tx: Tx, tenant: Tenant, wanted: readonly Wanted[]): Promise<number> {
  if (wanted.length === 0) return 0;
  const { merchantId, mode } = tenant;
  const [stored, counts] = await Promise.all([
    tx.query(listDocuments, [
      merchantId,
      mode,
      arrayOf(
        'text',
        wanted.map(({ kind }) => kind),
      ),
      arrayOf(
        'uuid',
        wanted.map(({ subjectId }) => subjectId),
      ),
    ]),
    tx.query(listSearchCounts, [merchantId, mode]),
  ]);
  const known = new Map(stored.map((document) => [`${document.kind}/${document.subject_id}`, document]));
  const counted = new Map<string, bigint>(counts.map(({ kind, documents }) => [kind, documents]));
  const grown = new Map<string, bigint>();
  const seeds = new Map(wanted.map(({ kind }) => [kind, 0]));
  for (const kind of seeds.keys()) seeds.set(kind, seedOf(tenant, kind));
  const tokens: number[] = [];
  const documents = wanted.flatMap((document) => {
    const { kind, subjectId, createdAt, amountMinor } = document;
    const before = known.get(`${kind}/${subjectId}`);
    const text = textOf(document);
    if (before !== undefined && isSame(before, text, amountMinor)) return [];
    const era = before?.era ?? nextEra(kind);
    const tokens_from = tokens.length + 1;
    for (const token of tokensOf(document, seeds.get(kind) ?? 0, era)) tokens.push(token);
    const place = { merchant_id: merchantId, mode, kind, subject_id: subjectId, era };
    return [
      { ...place, created_at: createdAt, amount_minor: amountMinor, text, tokens_from, tokens_to: tokens.length },
    ];
  });

  function nextEra(kind: string): number {
    const before = grown.get(kind) ?? counted.get(kind) ?? 0n;
    grown.set(kind, before + 1n);
    return Number(before / BigInt(ERA_DOCUMENTS));
  }

  const totals = Array.from(grown, ([kind, total]) => ({ merchant_id: merchantId, mode, kind, documents: total }));
  const columns = () => [...columnArrays(...rowsFor(upsertDocuments, documents)), arrayOf('integer', tokens)];
  await Promise.all([
    ...(documents.length > 0 ? [tx.query(upsertDocuments, columns())] : []),
    ...(totals.length > 0 ? [tx.run(...rowsFor(upsertSearchCounts, totals))] : []),
  ]);
  return documents.length;
}

function isSame(before: DocumentRow, text: string, amountMinor: bigint | null): boolean {
  return before.text === text && before.amount_minor === amountMinor;
}

async function deleteGone(tx: Tx, tenant: Tenant, kind: DocumentKind, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const { merchantId, mode } = tenant;
  const rows = ids.map((id) => ({ merchant_id: merchantId, mode, kind, subject_id: id }));
  await tx.run(...rowsFor(deleteDocuments, rows));
}
