import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import { decimalText } from '../money/index.ts';
import { keptByOwner } from '../platform/cache.ts';
import { DAY_MS, MINUTE_MS, startOfLagosDay } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { AppError } from '../platform/errors.ts';
import { createOwnerQueue, type OwnerQueue } from '../platform/owner-queue.ts';
import type { Mode } from '../platform/tenant.ts';
import type { SettlementCaller, SettlementLine, SettlementLinePage } from '../rails/index.ts';
import { MAX_LINES } from '../reconciliation/index.ts';
import {
  extendFetch,
  leaseDueFetches,
  type SettlementFetchRow,
  updateFetchDone,
  updateFetchFailed,
} from './fetch-queries.ts';
import { type FetchDeps, SYSTEM } from './fetch-settlements.ts';
import { importProviderSettlement, restartUnread } from './import-settlement.ts';
import { findProviderSettlementByReference, type ProviderSettlementRow } from './queries.ts';

/** Settlements that one run reads at once, each of another provider. */
const AT_ONCE = 8;
/** Longer than some pages take: it is extended while they arrive. */
const LEASE_MS = 5 * MINUTE_MS;
/** A provider that takes longer is read again later, so that it does not keep a run for days. */
const MAX_MS = 60 * MINUTE_MS;
/**
 * A settlement with more lines waits for the one place that a process has for such: a list of 500,000 is 100 MB while it is
 * put in order, and several would end the process, whose heap is limited.
 */
const FEW_LINES = 20_000;
/** As of a file that somebody sends. */
const MAX_CHARACTERS = 100 * 1024 * 1024;
/** Lines written at once. */
const PIECE = 1_000;
/** After each failure twice as long, up to the last. */
const FIRST_DELAY_MS = MINUTE_MS;
const MAX_DELAY_MS = 6 * 60 * MINUTE_MS;
/**
 * A payment is settled on the next working day; one that was confirmed so many days before has to be in this
 * settlement, or in an earlier one.
 */
const DAYS_TO_SETTLE = 2;

interface Reading {
  /** Providers of whom a settlement is being read. */
  rails: Set<string>;
  large: OwnerQueue;
}

const readingOf = keptByOwner<Database, Reading>(() => ({
  rails: new Set(),
  large: createOwnerQueue({ atOnce: 1 }),
}));

/**
 * Reads the lines of due settlements, and records each as if somebody had imported a file of them: with the same
 * comparison, nothing is posted, and people apply it. Never twice: by its reference and by the digest of its lines. Of a
 * provider one is read at a time, and a run beside this one reads those of others: who is slow delays nobody else.
 * @param stopped what is cut short by it has not failed, and is read again
 * @returns how many are recorded now.
 */
export async function recordFetchedSettlements(deps: FetchDeps, mode: Mode, stopped?: AbortSignal): Promise<number> {
  const { rails } = readingOf(deps.database);
  const now = deps.clock.now();
  const lease = new Date(now.getTime() + LEASE_MS);
  const due = await deps.database.query(leaseDueFetches, [mode, now, lease, AT_ONCE, [...rails]]);
  for (const { rail } of due) rails.add(rail);
  const recorded = await Promise.all(
    due.map((fetch) => recordAlone(deps, fetch, stopped).finally(() => rails.delete(fetch.rail))),
  );
  return recorded.filter(Boolean).length;
}

async function recordAlone(deps: FetchDeps, fetch: SettlementFetchRow, stopped?: AbortSignal): Promise<boolean> {
  const failures = deps.jobs.failuresOf('provider-settlements.fetch');
  const key = `${fetch.rail}/${fetch.reference}`;
  const about = { message: 'a settlement could not be fetched', mode: fetch.mode, rail: fetch.rail };
  try {
    const isRecorded = await recordFetch(deps, fetch, stopped);
    failures.succeeded(key);
    return isRecorded;
  } catch (error) {
    // Its lease runs out, and another process reads it.
    if (stopped?.aborted === true) return false;
    failures.failed(key, error, about);
    const reason = error instanceof AppError ? error.code : 'SETTLEMENT_UNREADABLE';
    const delay = Math.min(FIRST_DELAY_MS * 2 ** Math.min(fetch.attempts, 20), MAX_DELAY_MS);
    const now = deps.clock.now();
    const again = new Date(now.getTime() + delay);
    const failed = [fetch.rail, fetch.reference, reason, again, now];
    // Where that fails too, its lease runs out.
    await deps.database.query(updateFetchFailed, failed).catch(() => undefined);
    return false;
  }
}

/** For a requested settlement one person says that it was paid out, and how much. So another person applies it. */
const importerOf = ({ source, noted_by }: SettlementFetchRow): string => (source === 'PERSON' ? noted_by : SYSTEM);

const fileNameOf = (rail: string): string => `fetched from ${rail}`;
/** It was not imported as a file by the same person. */
const isFetched = ({ rail, file_name }: ProviderSettlementRow): boolean => file_name === fileNameOf(rail);

async function recordFetch(deps: FetchDeps, fetch: SettlementFetchRow, stopped?: AbortSignal): Promise<boolean> {
  const { rail: name, mode, reference } = fetch;
  const importedBy = importerOf(fetch);
  const [known] = await deps.database.query(findProviderSettlementByReference, [name, mode, reference]);
  const isUnfinished =
    known?.imported_by === importedBy &&
    isFetched(known) &&
    (known.status === 'LOADING' || known.status === 'MATCHING');
  if (known !== undefined && !isUnfinished) {
    const status = known.imported_by === importedBy && isFetched(known) ? 'RECORDED' : 'KNOWN';
    await deps.database.query(updateFetchDone, [name, reference, status, known.id, deps.clock.now()]);
    return false;
  }
  const rail = await deps.rails.findRail(mode, name);
  const source = rail?.wallets?.settlements;
  if (source === undefined) throw new Error(`the provider account ${name} cannot be asked for settlements`);
  await withLines(deps, { source, fetch, stopped }, async (lines) => {
    if (known?.status === 'LOADING') await restartUnread(deps, known);
    const scope = await source.scopeOf(reference);
    const cutOff = scope?.before ?? new Date(startOfLagosDay(fetch.settled_on).getTime() - DAYS_TO_SETTLE * DAY_MS);
    const settlementId = await importProviderSettlement(deps, {
      rail: name,
      mode,
      reference,
      lumpMinor: fetch.lump_minor,
      settledOn: fetch.settled_on,
      cutOff,
      ofMerchant: scope?.merchantId ?? null,
      fileName: fileNameOf(name),
      open: () => Readable.from(fileOf(lines)),
      importedBy,
    });
    await deps.database.query(updateFetchDone, [name, reference, 'RECORDED', settlementId, deps.clock.now()]);
  });
  return true;
}

interface LinesToRead {
  source: SettlementCaller;
  fetch: SettlementFetchRow;
  stopped: AbortSignal | undefined;
}

/**
 * Reads all lines, each as one text, and hands them on in an order that is always the same. One settlement with many lines is
 * read at a time, providers by turns.
 */
async function withLines(
  deps: FetchDeps,
  { source, fetch, stopped }: LinesToRead,
  use: (lines: readonly string[]) => Promise<void>,
): Promise<void> {
  const { database, clock } = deps;
  const { rail, reference, lump_minor: lumpMinor, mode } = fetch;
  const begun = clock.elapsedMs();
  const extend = (ms: number) => database.query(extendFetch, [rail, reference, new Date(clock.now().getTime() + ms)]);
  const lines: string[] = [];
  let characters = 0;
  let cursor: string | null = null;
  let extended = begun;

  async function readUpTo(most: number): Promise<void> {
    do {
      stopped?.throwIfAborted();
      const page: SettlementLinePage = await source.readLines({ reference, lumpMinor, cursor });
      for (const line of page.lines) {
        const text = textOf(line, mode);
        characters += text.length;
        lines.push(text);
      }
      const now = clock.elapsedMs();
      const isEndless = lines.length > MAX_LINES || characters > MAX_CHARACTERS || now - begun > MAX_MS;
      if (isEndless) throw new Error('the settlement has no end');
      if (now - extended >= MINUTE_MS) {
        await extend(LEASE_MS);
        extended = now;
      }
      cursor = page.next;
    } while (cursor !== null && lines.length <= most);
  }

  await readUpTo(FEW_LINES);
  if (lines.length === 0) throw new Error('the provider shows no lines of the settlement');
  if (lines.length <= FEW_LINES) return use(lines.sort(byText));
  // Nobody extends it while it waits.
  await extend(MAX_MS);
  await readingOf(database).large(rail, async () => {
    if (cursor !== null) await readUpTo(MAX_LINES);
    await use(lines.sort(byText));
  });
}

const byText = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

const TYPES: Readonly<Record<SettlementLine['kind'], string>> = {
  PAYMENT: '',
  REFUND: 'refund',
  DISPUTE: 'chargeback',
  OTHER: 'deduction',
};

const COLUMNS = ['provider_transaction_id', 'reference', 'gross', 'fee', 'net', 'currency', 'mode', 'paid_at', 'type'];
/** No column of the database can hold it. */
const BETWEEN = '\u0000';

/** The cells of a line as a file would have them: as texts a tenth of what the lines themselves take. */
function textOf(line: SettlementLine, mode: Mode): string {
  const amount = (minor: bigint | null) => (minor === null ? 'unreadable' : decimalText(minor));
  const cells = [
    line.providerTransactionId ?? '',
    line.reference ?? '',
    amount(line.grossMinor),
    amount(line.feeMinor),
    amount(line.netMinor),
    line.currency,
    (line.mode ?? mode) === 'LIVE' ? 'live' : 'test',
    line.occurredAt?.toISOString() ?? '',
    TYPES[line.kind],
  ];
  if (cells.some((cell) => cell.includes(BETWEEN))) throw new Error('a line of the settlement does not hold text');
  return cells.join(BETWEEN);
}

/** A file of these lines, piece by piece: two readings make the same file. */
function* fileOf(lines: readonly string[]): Generator<Buffer> {
  for (let at = 0; at < lines.length; at += PIECE) {
    const cells = lines.slice(at, at + PIECE).map((line) => line.split(BETWEEN));
    yield Buffer.from(stringify(cells, { header: at === 0, columns: COLUMNS, quoted: true }));
  }
}
