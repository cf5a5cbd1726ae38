import { statement } from '../platform/db/statement.ts';
import { isFreeSql } from '../platform/jobs/queries.ts';
import type { List, ListOrder } from '../platform/lists/list.ts';
import type { Mode } from '../platform/tenant.ts';

/** `WAITING`: its lines are read when due. `KNOWN`: somebody had imported it before. */
export type FetchStatus = 'WAITING' | 'RECORDED' | 'KNOWN';

export interface SettlementFetchRow {
  rail: string;
  reference: string;
  mode: Mode;
  source: 'LIST' | 'WEBHOOK' | 'PERSON';
  lump_minor: bigint;
  currency: string;
  /** A day, 2026-11-20. */
  settled_on: string;
  status: FetchStatus;
  attempts: number;
  due_at: Date | null;
  reason: string | null;
  settlement_id: string | null;
  noted_by: string;
  first_seen_at: Date;
  updated_at: Date;
}

const FETCH = (f: string): string =>
  `${f}.rail, ${f}.reference, ${f}.mode, ${f}.source, ${f}.lump_minor, ${f}.currency, ${f}.settled_on::text as settled_on,
   ${f}.status, ${f}.attempts, ${f}.due_at, ${f}.reason, ${f}.settlement_id, ${f}.noted_by, ${f}.first_seen_at, ${f}.updated_at`;

/** $1 account, $2 mode, $3 now, $4 the end of the lease. No row comes back where another process has it. */
export const leaseSettlementPoll = statement<{ polled_to: Date }>(
  'lease-provider-settlement-poll',
  `insert into provider_settlement_polls as p (rail, mode, polled_to, leased_until)
   values ($1, $2, $3, $4)
   on conflict (rail) do update set leased_until = excluded.leased_until
     where ${isFreeSql('p.leased_until', '$3', '$4')}
   returning p.polled_to`,
);

/** Extends the lease of a poll whose worker still reads the list. */
export const extendSettlementPoll = statement(
  'extend-provider-settlement-poll',
  `update provider_settlement_polls set leased_until = greatest(leased_until, $2)
    where rail = $1 and leased_until is not null`,
);

/** A clock that was ahead is corrected by the next reading. */
export const updateSettlementPolled = statement(
  'update-provider-settlement-poll',
  `update provider_settlement_polls
      set polled_to = $2, leased_until = null, last_poll_at = $2
    where rail = $1`,
);

export const releaseSettlementPoll = statement(
  'release-provider-settlement-poll',
  'update provider_settlement_polls set leased_until = null where rail = $1',
);

/** A known settlement does not change. $9 now. */
export const insertSettlementFetch = statement<{ reference: string }>(
  'insert-provider-settlement-fetch',
  `insert into provider_settlement_fetches (rail, reference, mode, source, lump_minor, currency, settled_on, status, attempts,
     due_at, noted_by, first_seen_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, 'WAITING', 0, $9, $8, $9, $9)
   on conflict (rail, reference) do nothing
   returning reference`,
);

/**
 * Leases due ones, the oldest of each provider, but for the providers in $5. $1 mode, $2 now, $3 the end of the lease, $4
 * how many.
 */
export const leaseDueFetches = statement<SettlementFetchRow>(
  'lease-due-provider-settlement-fetches',
  `with due as (
     select oldest.rail, oldest.reference
       from (select rail, min(due_at) as due_at from provider_settlement_fetches
              where mode = $1 and status = 'WAITING' and due_at <= $2 and rail <> all ($5::text[])
              group by rail) r
      cross join lateral (
        select f.rail, f.reference from provider_settlement_fetches f
         where f.mode = $1 and f.status = 'WAITING' and f.due_at <= $2 and f.rail = r.rail
         order by f.due_at limit 1 for update skip locked
      ) oldest
      order by r.due_at limit $4
   )
   update provider_settlement_fetches f set due_at = $3
     from due where f.rail = due.rail and f.reference = due.reference
   returning ${FETCH('f')}`,
);

/** Extends the lease of a file whose worker still reads it. */
export const extendFetch = statement(
  'extend-provider-settlement-fetch',
  `update provider_settlement_fetches set due_at = greatest(due_at, $3)
    where rail = $1 and reference = $2 and status = 'WAITING'`,
);

/** $3 status, $4 settlement, $5 now. */
export const updateFetchDone = statement(
  'update-provider-settlement-fetch-done',
  `update provider_settlement_fetches
      set status = $3, settlement_id = $4, due_at = null, reason = null, updated_at = $5
    where rail = $1 and reference = $2 and status = 'WAITING'`,
);

/** $3 why, $4 when it is due again, $5 now. */
export const updateFetchFailed = statement(
  'update-provider-settlement-fetch-failed',
  `update provider_settlement_fetches set attempts = attempts + 1, reason = $3, due_at = $4, updated_at = $5
    where rail = $1 and reference = $2 and status = 'WAITING'`,
);

const NEWEST: ListOrder<SettlementFetchRow> = {
  direction: 'desc',
  keys: [
    { sql: 'f.first_seen_at', type: 'timestamptz', of: ({ first_seen_at }) => first_seen_at },
    { sql: 'f.rail', type: 'text', of: ({ rail }) => rail },
    { sql: 'f.reference', type: 'text', of: ({ reference }) => reference },
  ],
};

/** Settlements that providers listed or reported, newest first. */
export const settlementFetchList: List<SettlementFetchRow> = {
  name: 'provider-settlement-fetches',
  of: [],
  order: NEWEST,
  columns: FETCH('f'),
  from: (tail) => `(select * from provider_settlement_fetches f ${tail}) f`,
  countFrom: 'provider_settlement_fetches f',
  where: ['true'],
  values: [],
};
