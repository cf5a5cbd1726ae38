import type { Queries } from '../platform/db/database.ts';
import { arrayOf, type Statement } from '../platform/db/statement.ts';
import { tenantKey } from '../platform/tenant.ts';
import { type Found, MAX_HITS } from './find-documents.ts';
import {
  type HitRow,
  listFoundBatches,
  listFoundBeneficiaries,
  listFoundCustomers,
  listFoundPayments,
  listFoundPayouts,
  listFoundRefunds,
  listFoundStores,
  listFoundSubaccounts,
  listFoundTransactions,
} from './hit-queries.ts';
import type { DocumentKind } from './source-queries.ts';

/** The types of hits, in the order in which they are shown where none fits better. */
export const HIT_TYPES = [
  'MERCHANT',
  'PAYOUT',
  'TRANSACTION',
  'PAYMENT',
  'REFUND',
  'BATCH',
  'BENEFICIARY',
  'CUSTOMER',
  'STORE',
  'SUBACCOUNT',
  'PERSON',
] as const;

type HitType = (typeof HIT_TYPES)[number];

export interface Hit extends HitRow {
  type: HitType;
  isExact: boolean;
}

export interface Hits {
  /** Types with an exact hit come first. Within a type exact hits come first, then the newest. */
  hits: Hit[];
  /** Types with more hits than are shown. */
  more: HitType[];
}

type RowType = Exclude<HitType, 'MERCHANT' | 'PERSON'>;

const TYPE_OF: Readonly<Record<DocumentKind, RowType>> = {
  PAYOUT: 'PAYOUT',
  PAYOUT_SESSION: 'PAYOUT',
  TRANSACTION: 'TRANSACTION',
  PAYMENT: 'PAYMENT',
  REFUND: 'REFUND',
  BATCH: 'BATCH',
  BENEFICIARY: 'BENEFICIARY',
  CUSTOMER: 'CUSTOMER',
  STORE: 'STORE',
  SUBACCOUNT: 'SUBACCOUNT',
};

const ROWS: Readonly<Record<RowType, Statement<HitRow>>> = {
  PAYOUT: listFoundPayouts,
  TRANSACTION: listFoundTransactions,
  PAYMENT: listFoundPayments,
  REFUND: listFoundRefunds,
  BATCH: listFoundBatches,
  BENEFICIARY: listFoundBeneficiaries,
  CUSTOMER: listFoundCustomers,
  STORE: listFoundStores,
  SUBACCOUNT: listFoundSubaccounts,
};

/** Reads each document that was found, as it is now, once. */
export async function readHits(queries: Queries, found: readonly Found[]): Promise<Hit[]> {
  const best = new Map<string, Found>();
  for (const one of found) {
    const key = `${TYPE_OF[one.kind]}/${tenantKey(one.tenant)}/${one.id}`;
    if (best.get(key)?.isExact !== true) best.set(key, one);
  }
  const ofType = Map.groupBy(best.values(), ({ kind }) => TYPE_OF[kind]);
  const read = Array.from(ofType, async ([type, some]) => {
    const wanted = some.toSorted(byWorth).slice(0, MAX_HITS + 1);
    const exact = new Set(wanted.filter(({ isExact }) => isExact).map(({ id }) => id));
    const rows = await queries.query(ROWS[type], [
      arrayOf(
        'uuid',
        wanted.map(({ tenant }) => tenant.merchantId),
      ),
      arrayOf(
        'text',
        wanted.map(({ tenant }) => tenant.mode),
      ),
      arrayOf(
        'uuid',
        wanted.map(({ id }) => id),
      ),
    ]);
    return rows.map((row): Hit => ({ ...row, type, isExact: exact.has(row.id) }));
  });
  return (await Promise.all(read)).flat();
}

function byWorth(a: { isExact: boolean; createdAt: Date }, b: { isExact: boolean; createdAt: Date }): number {
  return Number(b.isExact) - Number(a.isExact) || b.createdAt.getTime() - a.createdAt.getTime();
}

/** Chooses the few hits that are shown, and says which types have more. */
export function chooseHits(hits: readonly Hit[]): Hits {
  const worth = ({ isExact, created_at: createdAt }: Hit) => ({ isExact, createdAt });
  const groups = HIT_TYPES.map((type) => ({
    type,
    all: hits.filter((hit) => hit.type === type).toSorted((a, b) => byWorth(worth(a), worth(b))),
  })).filter(({ all }) => all.length > 0);
  const first = groups.toSorted((a, b) => Number(hasExact(b.all)) - Number(hasExact(a.all)));
  return {
    hits: first.flatMap(({ all }) => all.slice(0, MAX_HITS)),
    more: first.filter(({ all }) => all.length > MAX_HITS).map(({ type }) => type),
  };
}

const hasExact = (hits: readonly Hit[]): boolean => hits.some(({ isExact }) => isExact);
