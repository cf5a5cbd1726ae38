import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import { decimalText } from '../money/index.ts';
import { startOfLagosDay } from '../platform/clock.ts';
import { AppError } from '../platform/errors.ts';
import type { Mode } from '../platform/tenant.ts';
import type { SettlementCaller, SettlementLine } from '../rails/index.ts';
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

/** Settlements that one process reads at once, in each mode. */
const AT_ONCE = 2;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Longer than some pages take: it is extended while they arrive. */
const LEASE_MS = 5 * MINUTE_MS;
const EXTEND_EVERY_PAGES = 20;
/** After each failure twice as long, up to the last. */
const FIRST_DELAY_MS = MINUTE_MS;
const MAX_DELAY_MS = 6 * 60 * MINUTE_MS;
/**
 * A payment is settled on the next working day; one that was confirmed so many days before has to be in this
 * settlement, or in an earlier one.
 */
const DAYS_TO_SETTLE = 2;

/**
 * Reads the lines of due settlements, and records each as if somebody had imported a file of them: with the same
 * comparison, nothing is posted, and people apply it. Never twice: by its reference and by the digest of its lines.
 * @returns how many are recorded now.
 */
export async function recordFetchedSettlements(deps: FetchDeps, mode: Mode): Promise<number> {
  const now = deps.clock.now();
  const lease = new Date(now.getTime() + LEASE_MS);
  const due = await deps.database.query(leaseDueFetches, [mode, now, lease, AT_ONCE]);
  const recorded = await Promise.all(due.map((fetch) => recordAlone(deps, fetch)));
  return recorded.filter(Boolean).length;
}

async function recordAlone(deps: FetchDeps, fetch: SettlementFetchRow): Promise<boolean> {
  const failures = deps.jobs.failuresOf('provider-settlements.fetch');
  const key = `${fetch.rail}/${fetch.reference}`;
  const about = { message: 'a settlement could not be fetched', mode: fetch.mode, rail: fetch.rail };
  try {
    const isRecorded = await recordFetch(deps, fetch);
    failures.succeeded(key);
    return isRecorded;
  } catch (error) {
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

async function recordFetch(deps: FetchDeps, fetch: SettlementFetchRow): Promise<boolean> {
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
  const text = textOf(await linesOf(deps, source, fetch), mode);
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
    open: () => Readable.from([Buffer.from(text)]),
    importedBy,
  });
  await deps.database.query(updateFetchDone, [name, reference, 'RECORDED', settlementId, deps.clock.now()]);
  return true;
}

/** All lines, each once, also where a provider returns a page twice. */
async function linesOf(
  { database, clock }: FetchDeps,
  source: SettlementCaller,
  { rail, reference, lump_minor: lumpMinor }: SettlementFetchRow,
): Promise<SettlementLine[]> {
  const lines: SettlementLine[] = [];
  let cursor: string | null = null;
  for (let pages = 1; pages === 1 || cursor !== null; pages += 1) {
    const page = await source.readLines({ reference, lumpMinor, cursor });
    lines.push(...page.lines);
    if (lines.length > MAX_LINES || pages > MAX_LINES) throw new Error('the settlement has no end');
    if (pages % EXTEND_EVERY_PAGES === 0) {
      const until = new Date(clock.now().getTime() + LEASE_MS);
      await database.query(extendFetch, [rail, reference, until]);
    }
    cursor = page.next;
  }
  if (lines.length === 0) throw new Error('the provider shows no lines of the settlement');
  return lines;
}

const TYPES: Readonly<Record<SettlementLine['kind'], string>> = {
  PAYMENT: '',
  REFUND: 'refund',
  DISPUTE: 'chargeback',
  OTHER: 'deduction',
};

/** As a file would have them, always in the same order: two readings make the same file. */
function textOf(lines: readonly SettlementLine[], mode: Mode): string {
  const amount = (minor: bigint | null) => (minor === null ? 'unreadable' : decimalText(minor));
  const records = lines.map((line) => ({
    provider_transaction_id: line.providerTransactionId ?? '',
    reference: line.reference ?? '',
    gross: amount(line.grossMinor),
    fee: amount(line.feeMinor),
    net: amount(line.netMinor),
    currency: line.currency,
    mode: (line.mode ?? mode) === 'LIVE' ? 'live' : 'test',
    paid_at: line.occurredAt?.toISOString() ?? '',
    type: TYPES[line.kind],
  }));
  const keyOf = (record: (typeof records)[number]) => Object.values(record).join('\u0000');
  const sorted = records
    .map((record) => ({ record, key: keyOf(record) }))
    .toSorted((one, other) => (one.key < other.key ? -1 : Number(one.key > other.key)));
  return stringify(
    sorted.map(({ record }) => record),
    { header: true, quoted: true },
  );
}
