import {
  ArchiveFileError,
  type FileHeader,
  headOf,
  linesOf,
  NO_HEAD,
  requireSealed,
  sequenceOf,
} from '../event-archive/index.ts';
import { type EventArchiveRow, type LostArchiveRow, listEveryArchive, listEveryLostArchive } from '../ledger/index.ts';
import { isRightMissing, isUnreadable, type Queries, RightMissingError } from '../platform/db/database.ts';
import type { Asked } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import { tenantKey, tenantOf } from '../platform/tenant.ts';
import {
  analyzeArchive,
  distributedScratch,
  findCitus,
  type LoadedLines,
  loadLines,
  makeScratch,
  readOnlyFromHere,
  SCRATCH,
  type Scratch,
  showScratch,
  wrongArchivedKeys,
} from './archive-queries.ts';
import { backToMark, joinByHash, joinByIndex, releaseMark, setMark } from './queries.ts';

interface Fault {
  merchantId: string;
  mode: string;
  detail: string;
}

export interface ReadArchive {
  /** How many files there are. */
  files: number;
  /** Files that are not there, or not byte for byte what was written. Undefined: nobody said where they are. */
  lost: Fault[] | undefined;
  /** Files that are not there and that the operator has abandoned. */
  abandoned: Fault[];
  /** Whose those are, each as `tenantKey`: what reads archived events says nothing of them. */
  unread: string[];
  /** What is wrong beside those. Undefined: none was found, and not all could be looked at. */
  faults: Fault[] | undefined;
  /** Everything that was archived, but for what was abandoned, is there to be read by the checks: by those of these connections. */
  isWhole: boolean;
  readers: readonly Queries[];
}

/** Faults that are looked for: a directory that is away is one for each file. */
const MAX_FAULTS = 1_000;

/**
 * Reads every file of the archive into tables of these connections, and holds it against what was written down of it. They were
 * prepared with `PREPARE_ARCHIVE`, and see one moment. On Citus the first alone gets them, since nobody else sees what a
 * transaction has made.
 * @param directory undefined: nobody said where the files are
 */
export async function readArchive(each: readonly Queries[], directory: string | undefined): Promise<ReadArchive> {
  const [one] = each;
  const archives = one === undefined ? [] : await listEveryArchive(one);
  if (one === undefined || archives.length === 0 || directory === undefined) {
    if (one !== undefined && directory !== undefined) await one.query(readOnlyFromHere);
    const none = archives.length === 0 ? [] : undefined;
    const nothing = { lost: none, faults: none, abandoned: [], unread: [] };
    return { files: archives.length, ...nothing, isWhole: none !== undefined, readers: each };
  }
  const scratch = await openScratch(one);
  const readers = scratch.isDistributed ? [one] : each;
  const losses = new Map((await listEveryLostArchive(one)).map((row) => [archiveKey(row), row]));
  const { lost, faults, abandoned, unread } = await readFiles({ readers, scratch, directory, losses }, archives);
  if (lost.length + faults.length === 0) {
    await Promise.all(readers.map((queries) => askAll(queries, analyzeArchive(scratch))));
    faults.push(...(await findWrongKeys(one, scratch, unread)));
  }
  const isWhole = lost.length + faults.length === 0;
  if (scratch.isDistributed) {
    if (isWhole) await askAll(one, showScratch(scratch));
    await one.query(readOnlyFromHere);
  }
  const isSaid = isWhole || faults.length > 0;
  return { files: archives.length, lost, abandoned, unread, faults: isSaid ? faults : undefined, isWhole, readers };
}

const archiveKey = (row: Pick<EventArchiveRow, 'merchant_id' | 'mode' | 'number'>): string =>
  `${tenantKey(tenantOf(row))}/${row.number}`;

/** @throws RightMissingError where the role may not make the tables that the proof needs on Citus */
async function openScratch(queries: Queries): Promise<Scratch> {
  const [citus] = await queries.query(findCitus);
  if (citus?.is_there !== true) return SCRATCH;
  const scratch = distributedScratch(newId().slice(-12));
  try {
    await askAll(queries, makeScratch(scratch));
  } catch (error) {
    throw isRightMissing(error) ? new RightMissingError(MAY_NOT_MAKE_TABLES, { cause: error }) : error;
  }
  return scratch;
}

const MAY_NOT_MAKE_TABLES =
  'The proof reads archived events, and makes two tables for them where Citus distributes the database; they vanish with its ' +
  'transaction. The role of DATABASE_URL may not make tables: grant it create on the schema on each server.';

interface Reading {
  readers: readonly Queries[];
  scratch: Scratch;
  directory: string;
  /** What was ever abandoned, by `archiveKey`. */
  losses: ReadonlyMap<string, LostArchiveRow>;
}

async function readFiles(
  reading: Reading,
  archives: readonly EventArchiveRow[],
): Promise<Pick<ReadArchive, 'abandoned' | 'unread'> & { lost: Fault[]; faults: Fault[] }> {
  const [lost, faults, abandoned]: [Fault[], Fault[], Fault[]] = [[], [], []];
  const unread = new Set<string>();
  let previous: EventArchiveRow | undefined;
  for (const archive of archives) {
    const { merchant_id: merchantId, mode } = archive;
    const before = previous?.merchant_id === merchantId && previous.mode === mode ? previous : undefined;
    previous = archive;
    const note = (into: Fault[], details: readonly string[]) =>
      into.push(...details.slice(0, MAX_FAULTS - into.length).map((detail) => ({ merchantId, mode, detail })));
    const loss = reading.losses.get(archiveKey(archive));
    const isBeforeLost = before !== undefined && reading.losses.has(archiveKey(before));
    note(faults, faultsOfRow(archive, before, isBeforeLost));
    const gone = await faultsOf(async () => {
      await requireSealed(reading.directory, archive.file_name, archive);
      return [];
    });
    if (gone.length === 0) note(faults, await load(reading, archive, before));
    else if (loss === undefined || loss.found_at !== null) note(lost, gone);
    else {
      unread.add(tenantKey(tenantOf(archive)));
      note(
        abandoned,
        gone.map((sentence) => `${sentence}; ${saidOf(archive, loss)}`),
      );
    }
  }
  return { lost, faults, abandoned, unread: [...unread] };
}

const saidOf = ({ events, keys }: EventArchiveRow, { abandoned_by, abandoned_at, reason }: LostArchiveRow): string =>
  `${events} events and ${keys} keys of it are not read. It was abandoned on ${abandoned_at.toISOString().slice(0, 10)} by ${abandoned_by}: ${reason}`;

/** What the row itself, and the one before it, say otherwise. */
function faultsOfRow(archive: EventArchiveRow, before: EventArchiveRow | undefined, isBeforeLost: boolean): string[] {
  const { number, first_sequence, head, file_name } = archive;
  return [
    ...(number === (before?.number ?? 0) + 1 ? [] : [`archive ${number} follows ${before?.number ?? 'none'}`]),
    ...(first_sequence > (before?.last_sequence ?? 0n)
      ? []
      : [`archive ${number} begins before the one before it ended`]),
    ...(before === undefined || isBeforeLost || before.removed_to === before.last_sequence
      ? []
      : [`archive ${number} was begun before the one before it was done`]),
    ...(head === headOf(before?.head ?? NO_HEAD, archive)
      ? []
      : [`archive ${number} (${file_name}) is not what was written down: its head is another one`]),
  ];
}

function load(reading: Reading, archive: EventArchiveRow, before: EventArchiveRow | undefined): Promise<string[]> {
  const lines = () => linesOf(reading.directory, archive.file_name, archive.content_hash);
  return faultsOf(async () =>
    faultsOfContent(archive, await loadAll(reading, archive, lines(), before?.head ?? NO_HEAD)),
  );
}

/** What it finds wrong, or what keeps it from looking. */
async function faultsOf(look: () => Promise<string[]>): Promise<string[]> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof ArchiveFileError)) throw error;
    return [error.message];
  }
}

interface Found extends Omit<LoadedLines, 'missing_to'> {
  isHeaded: boolean;
  lines: number;
  first: bigint;
  last: bigint;
  isInOrder: boolean;
  missingTo: bigint;
}

/** @throws ArchiveFileError where a line cannot be read */
async function loadAll(
  { readers, scratch }: Reading,
  archive: EventArchiveRow,
  pieces: AsyncIterable<string[]>,
  previous: string,
): Promise<Found> {
  const none = { right: 0, keys: 0, removed: 0, removed_keys: 0, missing: 0, missing_keys: 0 };
  const found: Found = { ...none, isHeaded: false, lines: 0, first: 0n, last: 0n, isInOrder: true, missingTo: 0n };
  let isFirst = true;
  for await (const piece of pieces) {
    const lines = isFirst ? piece.slice(1) : piece;
    if (isFirst) found.isHeaded = isHeaderOf(piece[0] ?? '', archive, previous);
    isFirst = false;
    for (const sequence of lines.map(sequenceOf)) {
      if (found.first === 0n) found.first = sequence;
      if (sequence <= found.last) found.isInOrder = false;
      found.last = sequence;
    }
    found.lines += lines.length;
    const [loaded] = await Promise.all(readers.map((queries) => loadPiece(queries, scratch, archive, lines)));
    if (loaded === undefined) continue;
    for (const count of Object.keys(none) as (keyof typeof none)[]) found[count] += loaded[count];
    if (loaded.missing_to !== null && loaded.missing_to > found.missingTo) found.missingTo = loaded.missing_to;
  }
  return found;
}

async function loadPiece(
  queries: Queries,
  scratch: Scratch,
  archive: EventArchiveRow,
  lines: readonly string[],
): Promise<LoadedLines | undefined> {
  if (lines.length === 0) return undefined;
  await queries.query(setMark);
  try {
    await queries.query(joinByIndex);
    const [loaded] = await askAll(queries, loadLines(scratch, archive, lines));
    await queries.query(releaseMark);
    return loaded;
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    await queries.query(backToMark);
    throw new ArchiveFileError(`${archive.file_name} has a line that cannot be read: ${(error as Error).message}`);
  }
}

function isHeaderOf(line: string, { merchant_id, mode, number, id }: EventArchiveRow, previous: string): boolean {
  try {
    const header = JSON.parse(line) as FileHeader;
    return (
      header.merchantId === merchant_id &&
      header.mode === mode &&
      header.number === number &&
      header.id === id &&
      header.previous === previous
    );
  } catch {
    return false;
  }
}

function faultsOfContent(archive: EventArchiveRow, found: Found): string[] {
  const { file_name, events, keys, first_sequence, last_sequence, removed_to } = archive;
  const sentences: [boolean, string][] = [
    [found.isHeaded, 'says of itself that it is of another archive'],
    [BigInt(found.lines) === events && BigInt(found.keys) === keys, `has ${found.lines} events and ${found.keys} keys`],
    [found.right === found.lines && found.isInOrder, 'has events of others, or not in their order'],
    [found.first === first_sequence && found.last === last_sequence, `is from ${found.first} to ${found.last}`],
    [
      found.missing === found.removed && found.missing_keys === found.removed_keys && found.missingTo <= removed_to,
      `is removed up to ${removed_to}, which is ${found.removed} events and ${found.removed_keys} keys; ${found.missing} and ${found.missing_keys} are gone, up to ${found.missingTo}`,
    ],
  ];
  return sentences.flatMap(([holds, sentence]) => (holds ? [] : [`${file_name} ${sentence}`]));
}

async function findWrongKeys(queries: Queries, scratch: Scratch, without: readonly string[]): Promise<Fault[]> {
  await queries.query(joinByHash);
  const rows = await askAll(queries, [wrongArchivedKeys(scratch, MAX_FAULTS, without)]);
  return rows.map(({ merchant_id: merchantId, mode, detail }) => ({ merchantId, mode, detail }));
}

async function askAll<Row>(queries: Queries, all: readonly Asked<Row>[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { statement, values } of all) rows.push(...(await queries.query(statement, values)));
  return rows;
}
