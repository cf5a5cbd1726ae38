import { createHash } from 'node:crypto';
import {
  type AccountKind,
  type BookBalance,
  type BookTotals,
  type MovedTotal,
  readBookTotals,
} from '../ledger/index.ts';
import { DEFAULT_CURRENCY } from '../money/index.ts';
import { DAY_MS, lagosDay, startOfLagosDay } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import type { Mode } from '../platform/tenant.ts';
import { dayNotOver } from './errors.ts';
import { listProviderNames } from './queries.ts';

/** A movement that began before midnight is in the books by then, or has been refused. */
const GRACE_MS = 15 * 60_000;

/** Amounts are kobo as text: no number of JSON can lose one. Credits less debits, so what the operator owns is below zero. */
export interface CloseFigures {
  mode: Mode;
  /** In Lagos, 2026-11-20. */
  day: string;
  currency: string;
  /** The day's bounds: from, included, to, excluded. */
  from: string;
  to: string;
  kinds: KindFigures[];
  providers: ProviderFigures[];
  postings: PostingFigures[];
  totals: Record<CloseTotal, string>;
}

interface KindFigures {
  kind: AccountKind;
  opening: string;
  debits: string;
  credits: string;
  closing: string;
}

/** What one provider account owes: above zero, as people read it. */
export interface ProviderFigures {
  /** Its name; the sandbox's own bank is one for all merchants. */
  rail: string;
  opening: string;
  confirmed: string;
  returned: string;
  refunded: string;
  disputed: string;
  settled: string;
  kept: string;
  deducted: string;
  closing: string;
}

export interface PostingFigures {
  code: string;
  debitKind: AccountKind;
  creditKind: AccountKind;
  /** The provider account, where one of the two is what it owes. */
  rail: string | null;
  transfers: number;
  amount: string;
}

/** What a day comes to, as an accountant asks for it. */
export const CLOSE_TOTALS = [
  'moneyIn',
  'moneyOut',
  'fees',
  'vatAndDuty',
  'refunds',
  'disputes',
  'settledByProviders',
  'keptByProviders',
  'deductedByProviders',
] as const;
export type CloseTotal = (typeof CLOSE_TOTALS)[number];

export interface ComputedClose {
  figures: CloseFigures;
  /** What is signed: this text, byte for byte. */
  text: string;
  /** SHA-256, hex. */
  digest: string;
}

/**
 * The close of a day, from the ledger's own transfers: the same for everybody who asks once the day is over, to the byte, but
 * for the name that a provider account has now.
 * @throws AppError 409 `CLOSE_DAY_NOT_OVER`.
 */
export async function computeClose(
  { database, clock }: { database: Database; clock: { now(): Date } },
  { mode, day }: { mode: Mode; day: string },
): Promise<ComputedClose> {
  const { from, to } = boundsOf(day);
  if (clock.now().getTime() < to.getTime() + GRACE_MS) throw dayNotOver(day);
  return database.snapshot(async (queries) => {
    const { balances, moved } = await readBookTotals(queries, { mode, from, to });
    // Accounts are opened when they are first needed: one of a later day says nothing of this one.
    const totals = { balances: balances.filter(hasFigures), moved };
    return sealed(figuresOf({ mode, day, from, to }, totals, await readNames(queries)));
  });
}

const hasFigures = ({ openingMinor, debitsMinor, creditsMinor, closingMinor }: BookBalance): boolean =>
  openingMinor !== 0n || debitsMinor !== 0n || creditsMinor !== 0n || closingMinor !== 0n;

export const boundsOf = (day: string): { from: Date; to: Date } => {
  const from = startOfLagosDay(day);
  return { from, to: new Date(from.getTime() + DAY_MS) };
};

/** The last day that can be closed at a moment. */
export const lastOver = (now: Date): string => lagosDay(new Date(now.getTime() - DAY_MS - GRACE_MS));

function sealed(figures: CloseFigures): ComputedClose {
  const text = JSON.stringify(figures);
  return { figures, text, digest: createHash('sha256').update(text).digest('hex') };
}

/** Names of provider accounts by id. */
export async function readNames(queries: Queries): Promise<ReadonlyMap<string, string>> {
  const rows = await queries.query(listProviderNames, []);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** A receivable of no provider account is the sandbox's own bank's. */
const SANDBOX = 'sandbox';

export function figuresOf(
  { mode, day, from, to }: { mode: Mode; day: string; from: Date; to: Date },
  { balances, moved }: BookTotals,
  names: ReadonlyMap<string, string>,
): CloseFigures {
  const railOf = (ownerId: string | null) => (ownerId === null ? null : (names.get(ownerId) ?? SANDBOX));
  const kinds = grouped(balances, ({ kind }) => kind).map(([kind, some]) => ({
    kind: kind as AccountKind,
    opening: sumOf(some, ({ openingMinor }) => openingMinor),
    debits: sumOf(some, ({ debitsMinor }) => debitsMinor),
    credits: sumOf(some, ({ creditsMinor }) => creditsMinor),
    closing: sumOf(some, ({ closingMinor }) => closingMinor),
  }));
  const postings = grouped(moved, (one) =>
    [one.code, one.debitKind, one.creditKind, railOf(one.receivableOwnerId) ?? ''].join('/'),
  ).map(([, some]): PostingFigures => {
    const [{ code, debitKind, creditKind, receivableOwnerId }] = some as [MovedTotal];
    return {
      code,
      debitKind,
      creditKind,
      rail: railOf(receivableOwnerId),
      transfers: some.reduce((sum, { transfers }) => sum + transfers, 0),
      amount: sumOf(some, ({ amountMinor }) => amountMinor),
    };
  });
  const owed = balances.filter(({ kind }) => kind === 'COLLECTION_RECEIVABLE');
  const providers = grouped(owed, ({ receivableOwnerId }) => railOf(receivableOwnerId) ?? SANDBOX).map(
    ([rail, some]): ProviderFigures => ({
      rail,
      opening: sumOf(some, ({ openingMinor }) => -openingMinor),
      ...providerFlows(postings.filter((one) => one.rail === rail)),
      closing: sumOf(some, ({ closingMinor }) => -closingMinor),
    }),
  );
  return {
    mode,
    day,
    currency: DEFAULT_CURRENCY,
    from: from.toISOString(),
    to: to.toISOString(),
    kinds,
    providers,
    postings,
    totals: totalsOf(postings),
  };
}

/** In the order of their keys, so that the same figures are the same text. */
function grouped<Row>(rows: readonly Row[], keyOf: (row: Row) => string): [string, Row[]][] {
  return [...Map.groupBy(rows, keyOf)].toSorted(([one], [other]) => (one < other ? -1 : Number(one > other)));
}

function sumOf<Row>(rows: readonly Row[], of: (row: Row) => bigint): string {
  return String(rows.reduce((sum, row) => sum + of(row), 0n));
}

type Flow = (posting: PostingFigures) => boolean;

const RECEIVABLE = 'COLLECTION_RECEIVABLE';
/** Debits of what a provider owes make it owe more. Each posting there is in one of these. */
const FLOWS: Readonly<Record<Exclude<keyof ProviderFigures, 'rail' | 'opening' | 'closing'>, Flow>> = {
  confirmed: ({ code, debitKind }) => debitKind === RECEIVABLE && !code.endsWith('_SETTLEMENT'),
  returned: ({ code }) => code === 'COLLECTION_RETURN',
  refunded: ({ code, creditKind }) => creditKind === RECEIVABLE && code === 'REFUND',
  disputed: ({ code, creditKind }) => creditKind === RECEIVABLE && code.startsWith('DISPUTE'),
  settled: ({ code }) => code === 'COLLECTION_SETTLEMENT',
  kept: ({ code }) => code === 'PROVIDER_FEE',
  deducted: ({ code, debitKind }) => debitKind === RECEIVABLE && code.endsWith('_SETTLEMENT'),
};

function providerFlows(postings: readonly PostingFigures[]) {
  const sums = Object.entries(FLOWS).map(([name, isIn]) => [name, amountOf(postings.filter(isIn))]);
  return Object.fromEntries(sums) as Record<keyof typeof FLOWS, string>;
}

const amountOf = (postings: readonly PostingFigures[]): string =>
  String(postings.reduce((sum, { amount }) => sum + BigInt(amount), 0n));

const WALLETS: readonly AccountKind[] = ['MERCHANT_WALLET', 'STORE_WALLET', 'SUBACCOUNT_WALLET'];

/** What came to a kind of account, less what left it. */
const netOf = (postings: readonly PostingFigures[], kind: AccountKind, codes: RegExp = /./): string => {
  const counted = postings.filter(({ code }) => codes.test(code));
  const credits = BigInt(amountOf(counted.filter(({ creditKind }) => creditKind === kind)));
  return String(credits - BigInt(amountOf(counted.filter(({ debitKind }) => debitKind === kind))));
};

function totalsOf(postings: readonly PostingFigures[]): CloseFigures['totals'] {
  const of = (isIn: Flow) => amountOf(postings.filter(isIn));
  return {
    moneyIn: of(
      ({ code, debitKind }) =>
        FLOWS.confirmed({ code, debitKind } as PostingFigures) || /^(MANUAL_CREDIT|SANDBOX_FUNDING)$/.test(code),
    ),
    moneyOut: netOf(postings, 'PAYOUT_CLEARING', /^PAYOUT(_REVERSAL)?$/),
    fees: netOf(postings, 'FEE_INCOME'),
    vatAndDuty: netOf(postings, 'TAX_PAYABLE'),
    refunds: of(({ code, debitKind }) => code === 'REFUND' && WALLETS.includes(debitKind)),
    disputes: of(({ code }) => /^DISPUTE(_LOSS)?$/.test(code)),
    settledByProviders: of(({ code }) => code === 'COLLECTION_SETTLEMENT'),
    keptByProviders: of(({ code }) => code === 'PROVIDER_FEE'),
    deductedByProviders: of(({ code }) => /^(REFUND|DISPUTE)_SETTLEMENT$/.test(code)),
  };
}
