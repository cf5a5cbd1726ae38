import type { Queries } from '../platform/db/database.ts';
import { planReport } from '../platform/db/planning.ts';
import { statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';
import type { TransferCode } from './movement.ts';
import { type AccountKind, BY_OWNER } from './queries.ts';

/** What one posting of a code adds up to in a period, over all merchants. */
export interface MovedTotal {
  code: TransferCode;
  debitKind: AccountKind;
  creditKind: AccountKind;
  /** The owner where one of the accounts is a receivable: the provider account's id, or a merchant's. */
  receivableOwnerId: string | null;
  transfers: number;
  amountMinor: bigint;
}

/** The balance of all accounts of one kind, receivables by provider account: credits less debits, in minor units. */
export interface BookBalance {
  kind: AccountKind;
  receivableOwnerId: string | null;
  openingMinor: bigint;
  debitsMinor: bigint;
  creditsMinor: bigint;
  closingMinor: bigint;
}

export interface BookTotals {
  balances: BookBalance[];
  moved: MovedTotal[];
}

/** $1 mode. */
const sumBalances = statement<{ kind: AccountKind; owner_id: string | null; balance_minor: bigint }>(
  'sum-balances-of-books',
  `select kind, case when kind = 'COLLECTION_RECEIVABLE' then owner_id end as owner_id,
          coalesce(sum(credits_posted_minor - debits_posted_minor), 0)::bigint as balance_minor
     from accounts where mode = $1 and ${BY_OWNER}
    group by 1, 2`,
);

/**
 * What moved since a given time, and whether before another. $1 mode, $2 from, $3 to. Each account is read by its key: as a
 * plain join all accounts of the merchant were read for each transfer.
 */
const sumMovedSince = statement<{
  code: TransferCode;
  debit_kind: AccountKind;
  credit_kind: AccountKind;
  owner_id: string | null;
  is_within: boolean;
  transfers: number;
  amount_minor: bigint;
}>(
  'sum-moved-since',
  `select t.code, d.kind as debit_kind, c.kind as credit_kind,
          case when d.kind = 'COLLECTION_RECEIVABLE' then d.owner_id
               when c.kind = 'COLLECTION_RECEIVABLE' then c.owner_id end as owner_id,
          t.created_at < $3 as is_within, count(*)::int as transfers,
          coalesce(sum(t.amount_minor), 0)::bigint as amount_minor
     from transfers t
    cross join lateral (
      select kind, owner_id from accounts where merchant_id = t.merchant_id and id = t.debit_account_id offset 0
    ) d
    cross join lateral (
      select kind, owner_id from accounts where merchant_id = t.merchant_id and id = t.credit_account_id offset 0
    ) c
    where t.mode = $1 and t.created_at >= $2 and t.kind in ('POSTED', 'POST')
    group by 1, 2, 3, 4, 5
    order by 1, 2, 3, 4, 5`,
);

/**
 * The books of a mode over a period, of all merchants together: every balance at its beginning and end, and what moved
 * in between by code. It is exact: the balances of now, less what has moved since. A posting belongs to the time at
 * which it was made. It reads all transfers since the beginning of the period: for reports, in a snapshot.
 */
export async function readBookTotals(
  queries: Queries,
  { mode, from, to }: { mode: Mode; from: Date; to: Date },
): Promise<BookTotals> {
  await queries.query(planReport);
  const now = await queries.query(sumBalances, [mode]);
  const since = await queries.query(sumMovedSince, [mode, from, to]);
  const balances = new Map(
    now.map(({ kind, owner_id, balance_minor }): [string, BookBalance] => [
      keyOf(kind, owner_id),
      {
        kind,
        receivableOwnerId: owner_id,
        openingMinor: 0n,
        debitsMinor: 0n,
        creditsMinor: 0n,
        closingMinor: balance_minor,
      },
    ]),
  );
  for (const row of since) {
    const debit = balances.get(keyOf(row.debit_kind, row.owner_id));
    const credit = balances.get(keyOf(row.credit_kind, row.owner_id));
    if (debit === undefined || credit === undefined) throw new Error(`no account of ${row.debit_kind}`);
    if (row.is_within) {
      debit.debitsMinor += row.amount_minor;
      credit.creditsMinor += row.amount_minor;
    } else {
      debit.closingMinor += row.amount_minor;
      credit.closingMinor -= row.amount_minor;
    }
  }
  for (const balance of balances.values()) {
    balance.openingMinor = balance.closingMinor + balance.debitsMinor - balance.creditsMinor;
  }
  return {
    balances: [...balances.values()].toSorted((one, other) => compare(sortKey(one), sortKey(other))),
    moved: since
      .filter(({ is_within }) => is_within)
      .map(({ code, debit_kind, credit_kind, owner_id, transfers, amount_minor }) => ({
        code,
        debitKind: debit_kind,
        creditKind: credit_kind,
        receivableOwnerId: owner_id,
        transfers,
        amountMinor: amount_minor,
      })),
  };
}

/** Only receivables are kept apart by owner. */
const keyOf = (kind: AccountKind, ownerId: string | null): string =>
  kind === 'COLLECTION_RECEIVABLE' ? `${kind}/${ownerId}` : kind;

const sortKey = ({ kind, receivableOwnerId }: BookBalance) => `${kind}/${receivableOwnerId ?? ''}`;
const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));
