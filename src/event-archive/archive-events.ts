import {
  type EventArchiveRow,
  listArchives,
  listLostArchives,
  readArchivable,
  readEventSequence,
  readLastEvents,
  readSlowestReader,
  recordArchive,
  recordFoundArchive,
  removeLines,
} from '../ledger/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { MODES, type Tenant } from '../platform/tenant.ts';
import { aloneOnArchive, archiveUnderWay } from './alone-on-archive.ts';
import { ArchiveFileError, isSealed, linesOf, requireSealed, writeFileOf } from './files.ts';
import { findNeededAfter } from './queries.ts';
import { hasKey, headerLine, headOf, NO_HEAD, sequenceOf } from './seal.ts';

/** Events of one file. What is left goes into the next. */
const EVENTS_A_FILE = 500_000;
/** Rows that one transaction removes: some hundredths of a second, so that a debit that shares the disk does not wait. */
const EVENTS_A_STEP = 500;

/**
 * Archiving stops there until people have the file again: to go on without it would remove more rows by a disk that has lost some, or
 * by another folder than the one that a proof reads. What stays is in the database.
 */
const archiveFileWrong = ({ message, wasWritten }: ArchiveFileError, others: number) =>
  new AppError(
    'conflict',
    'ARCHIVE_FILE_WRONG',
    `Nothing more of its business was archived: ${message}. ` +
      (wasWritten
        ? 'See that ARCHIVE_DIR is the folder with the files before, bring this one back into it from a copy, and run archive-events again; where no copy exists, abandon it with abandon-archive. '
        : 'See that the service may write there and that the disk has room, and run archive-events again. ') +
      'Until then the events that are left stay in the database.' +
      (others === 0 ? '' : ` ${others} more could not be archived; all others are.`),
  );

export interface ArchiveDeps {
  database: Database;
  clock: Clock;
  directory: string;
  /** Called with each step once it is done. An error that it throws ends the tenant's run there. */
  onStep?(step: ArchiveStep): void;
  /** Called with each archive whose rows are gone now, also where another tenant's cannot be written. */
  onArchived?(archive: EventArchiveRow): void;
  /** Called with each file that was abandoned and is there again. */
  onFound?(archive: EventArchiveRow): void;
}

export interface ArchiveStep {
  what: 'written' | 'read back' | 'recorded' | 'removed';
  archive: EventArchiveRow;
}

interface ArchiveOrder {
  /** Events from before this moment. */
  before: Date;
  /** Of one merchant; of all without it. */
  merchantId?: string | undefined;
  /** Events of one file, for tests. */
  eventsAFile?: number;
}

/**
 * Moves what is old of each tenant into files: writes a file, reads it back, writes it down, and then removes its rows. Ended
 * at any point, nothing is lost: the next run goes on with what is written down, and writes the rest anew. A tenant of whom
 * that fails keeps no other from it.
 * @returns the archives whose rows are gone now
 * @throws AppError 409 `ARCHIVE_UNDER_WAY`; `ARCHIVE_FILE_WRONG`, or whatever else failed of a tenant, once all had their turn
 */
export async function archiveEvents(deps: ArchiveDeps, order: ArchiveOrder): Promise<EventArchiveRow[]> {
  return aloneOnArchive(deps.database, () => archiveAll(deps, order));
}

async function archiveAll(deps: ArchiveDeps, order: ArchiveOrder): Promise<EventArchiveRow[]> {
  const archives: EventArchiveRow[] = [];
  const errors: unknown[] = [];
  const note = (archive: EventArchiveRow) => {
    archives.push(archive);
    deps.onArchived?.(archive);
  };
  for (const mode of MODES) {
    for (const { tenant } of await readLastEvents(deps.database, mode)) {
      if (order.merchantId !== undefined && tenant.merchantId !== order.merchantId) continue;
      try {
        await archiveTenant(deps, tenant, order, note);
      } catch (error) {
        // No tenant's own: another process does it, or the database is away.
        if (error instanceof AppError) throw error;
        errors.push(error);
      }
    }
  }
  const [first] = errors;
  if (first instanceof ArchiveFileError) throw archiveFileWrong(first, errors.length - 1);
  if (first !== undefined) throw first as Error;
  return archives;
}

async function archiveTenant(
  deps: ArchiveDeps,
  tenant: Tenant,
  order: ArchiveOrder,
  note: (archive: EventArchiveRow) => void,
): Promise<void> {
  const all = await listArchives(deps.database, tenant);
  const there = await withoutLost(deps, tenant, all);
  // One that was cut short.
  for (const archive of there) if (archive.removed_to < archive.last_sequence) note(await remove(deps, archive));
  for (let last = all.at(-1), witness = there.at(-1); ; ) {
    const next = await writeNext(deps, tenant, { last, witness }, order);
    if (next === undefined) return;
    note(await remove(deps, next));
    last = next;
    witness = next;
  }
}

/** All but what was abandoned. What of that is in the folder again, as it was written, is taken back. */
async function withoutLost(
  { database, clock, directory, onFound }: ArchiveDeps,
  tenant: Tenant,
  all: readonly EventArchiveRow[],
): Promise<EventArchiveRow[]> {
  const lost = new Map((await listLostArchives(database, tenant)).map((row) => [row.number, row]));
  const there: EventArchiveRow[] = [];
  for (const archive of all) {
    const row = lost.get(archive.number);
    if (row !== undefined) {
      if (!(await isSealed(directory, archive))) continue;
      await recordFoundArchive(database, row, clock.now());
      onFound?.(archive);
    }
    there.push(archive);
  }
  return there;
}

interface Before {
  /** The archive that the next one follows. */
  last: EventArchiveRow | undefined;
  /** The last one whose file was not abandoned. */
  witness: EventArchiveRow | undefined;
}

/** The last event that may leave: behind it somebody still reads. */
async function lastUnneeded({ database }: ArchiveDeps, tenant: Tenant): Promise<bigint> {
  const [last, reader, [needed]] = await Promise.all([
    readEventSequence(database, tenant),
    readSlowestReader(database, tenant),
    database.query(findNeededAfter, [tenant.merchantId, tenant.mode]),
  ]);
  return [reader, needed?.sequence ?? undefined].reduce<bigint>(
    (least, bound) => (bound !== undefined && bound < least ? bound : least),
    last,
  );
}

/** The next file of a tenant, written, read back and written down; undefined where nothing is old. */
async function writeNext(
  deps: ArchiveDeps,
  tenant: Tenant,
  { last, witness }: Before,
  { before, eventsAFile = EVENTS_A_FILE }: ArchiveOrder,
): Promise<EventArchiveRow | undefined> {
  const { database, directory, clock, onStep } = deps;
  const range = {
    after: last?.last_sequence ?? 0n,
    upTo: await lastUnneeded(deps, tenant),
    before,
    limit: eventsAFile,
  };
  const pages = readArchivable(database, tenant, range);
  const first = await pages.next();
  if (first.done === true) return undefined;
  // All files of a tenant are in one folder: a proof reads one.
  if (witness !== undefined) await requireSealed(directory, witness.file_name, witness);
  const number = (last?.number ?? 0) + 1;
  const named = { merchant_id: tenant.merchantId, mode: tenant.mode, number, id: newId() };
  const previous = last?.head ?? NO_HEAD;
  const counts = { first_sequence: first.value[0]?.sequence ?? 0n, last_sequence: 0n, events: 0n, keys: 0n };
  async function* pieces() {
    yield [headerLine(named, previous)];
    for (let page = first; page.done !== true; page = await pages.next()) {
      counts.last_sequence = page.value.at(-1)?.sequence ?? counts.last_sequence;
      counts.events += BigInt(page.value.length);
      counts.keys += BigInt(page.value.filter(({ has_key }) => has_key).length);
      yield page.value.map(({ line }) => line);
    }
  }
  const file_name = `${named.merchant_id}-${named.mode}-${number}-${named.id.slice(-12)}.jsonl.zst`;
  const file = await writeFileOf(directory, file_name, pieces());
  const sealed = { ...named, ...counts, ...file, file_name, archived_at: clock.now() };
  const archive = { ...sealed, head: headOf(previous, sealed), removed_to: sealed.first_sequence - 1n };
  onStep?.({ what: 'written', archive });
  await readBack(directory, archive);
  onStep?.({ what: 'read back', archive });
  await recordArchive(database, archive);
  onStep?.({ what: 'recorded', archive });
  return archive;
}

/** @throws ArchiveFileError where the disk does not have what was written */
async function readBack(directory: string, archive: EventArchiveRow): Promise<void> {
  await requireSealed(directory, archive.file_name, archive);
  const found = { events: -1n, keys: 0n };
  for await (const lines of linesOf(directory, archive.file_name, archive.content_hash)) {
    found.events += BigInt(lines.length);
    found.keys += BigInt(lines.filter((line) => line.startsWith('[') && hasKey(line)).length);
  }
  if (found.events !== archive.events || found.keys !== archive.keys) {
    throw new ArchiveFileError(`${archive.file_name} has ${found.events} events and ${found.keys} keys`);
  }
}

/** Removes the rows of a file that is written down, in small transactions; what is removed already is passed over. */
async function remove(deps: ArchiveDeps, recorded: EventArchiveRow): Promise<EventArchiveRow> {
  const { database, directory, onStep } = deps;
  const { file_name, content_hash } = recorded;
  // Also where the run before read it back: nothing goes by a file that has changed since.
  await requireSealed(directory, file_name, recorded);
  let archive = recorded;
  for await (const lines of linesOf(directory, file_name, content_hash)) {
    const left = lines.filter((line) => line.startsWith('[') && sequenceOf(line) > archive.removed_to);
    for (let at = 0; at < left.length; at += EVENTS_A_STEP) {
      const step = left.slice(at, at + EVENTS_A_STEP);
      const upTo = sequenceOf(step.at(-1) ?? '');
      const keys = step.filter(hasKey).length;
      if (!(await removeLines(database, archive, { lines: step, keys, upTo }))) throw archiveUnderWay();
      archive = { ...archive, removed_to: upTo };
      onStep?.({ what: 'removed', archive });
    }
  }
  return archive;
}
