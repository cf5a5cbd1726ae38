import { setStatement, statement } from '../platform/db/statement.ts';
import { isFreeSql } from '../platform/jobs/queries.ts';
import type { Mode } from '../platform/tenant.ts';
import type { CreditSource } from './queries.ts';

/** See the comment of the table. `DONE`: it was credited after all. */
export type OpenCreditStatus =
  | 'WAITING'
  | 'UNCONFIRMED'
  | 'NO_OWNER'
  | 'CONTRADICTED'
  | 'FAILED'
  | 'RETURNED'
  | 'DISMISSED'
  | 'DONE';

export interface OpenCreditRow {
  rail: string;
  credit_key: string;
  mode: Mode;
  provider_transaction_id: string | null;
  provider_reference: string | null;
  session_id: string | null;
  account_number: string | null;
  reported_minor: bigint | null;
  source: CreditSource;
  status: OpenCreditStatus;
  reason: string | null;
  code: string | null;
  /** JSON text. */
  confirmed: string | null;
  attempts: number;
  due_at: Date | null;
  first_seen_at: Date;
  updated_at: Date;
  /** A digest of the row: the proof recomputes it and finds an alteration. */
  digest: string;
}

/** The columns of a row that its digest covers: all but the due date, which every lease moves. */
const SEALED = [
  'rail',
  'credit_key',
  'mode',
  'provider_transaction_id',
  'provider_reference',
  'session_id',
  'account_number',
  'reported_minor',
  'source',
  'status',
  'reason',
  'code',
  'confirmed',
  'attempts',
  'first_seen_at',
  'updated_at',
] as const;

/** A SHA-256 in hex. @param of where the value of each column comes from. */
const sealOf = (of: (column: (typeof SEALED)[number]) => string): string =>
  `encode(sha256(convert_to(json_build_array(${SEALED.map((column) =>
    column.endsWith('_at') ? `extract(epoch from ${of(column)})` : of(column),
  ).join(', ')})::text, 'UTF8')), 'hex')`;

/** The digest of a row `c` of the table as it is. */
export const openCreditDigest = (c: string): string => sealOf((column) => `${c}.${column}`);

/** The digest of a row `c` in which some columns change. */
const changedCreditDigest = (becomes: Partial<Record<(typeof SEALED)[number], string>>): string =>
  sealOf((column) => becomes[column] ?? `c.${column}`);

/** The columns of a row `c` that is kept again, from the values in `excluded`. */
const KEPT_AGAIN = {
  status: 'excluded.status',
  reason: 'excluded.reason',
  code: 'excluded.code',
  confirmed: 'coalesce(excluded.confirmed, c.confirmed)',
  attempts: 'c.attempts + $16::boolean::int',
  updated_at: 'excluded.updated_at',
};

const DIGEST_DONE = changedCreditDigest({ status: `'DONE'`, reason: 'null', updated_at: 'rows.at' });

/** The amount that a provider confirmed. */
const amountIn = (confirmed: string): string => `(${confirmed}::json ->> 'amountMinor')`;
/** Whether a provider confirmed that it went back; null: it did not. */
const reversedIn = (confirmed: string): string => `(${confirmed}::json ->> 'isReversed')`;

/**
 * Keeps what could not be credited, or updates how it is. What was credited after all, or dismissed by two people,
 * stays so unless the provider now confirms something that contradicts it, or that its money went back. What was
 * returned always stays so, and what people have to look at stays with them when the provider does not answer. `$16`:
 * it was due, and is asked about again at `$14`; any other report does not put that off. Returns a row where its status
 * changed, or it is asked about once more.
 */
export const upsertOpenCredit = statement<{ status: OpenCreditStatus }>(
  'upsert-open-credit',
  `insert into open_credits as c (rail, credit_key, mode, provider_transaction_id, provider_reference, session_id,
                                  account_number, reported_minor, source, status, reason, code, confirmed, attempts,
                                  due_at, first_seen_at, updated_at, digest)
   select r.*, ${openCreditDigest('r')}
     from (values ($1::text, $2::text, $3::text, $4::text, $5::text, $6::text, $7::text, $8::bigint, $9::text, $10::text,
                   $11::text, $12::text, $13::text, 1, $14::timestamptz, $15::timestamptz, $15::timestamptz))
       as r (rail, credit_key, mode, provider_transaction_id, provider_reference, session_id, account_number, reported_minor,
             source, status, reason, code, confirmed, attempts, due_at, first_seen_at, updated_at)
   on conflict (rail, credit_key) do update
     set ${Object.entries(KEPT_AGAIN)
       .map(([column, becomes]) => `${column} = ${becomes}`)
       .join(', ')},
         due_at = case when not $16::boolean and excluded.status = 'WAITING' and c.status = 'WAITING' 
                       then greatest(c.due_at, excluded.updated_at) else excluded.due_at end,
         digest = ${changedCreditDigest(KEPT_AGAIN)}
   where c.status <> 'RETURNED'
     and (c.status not in ('DISMISSED', 'DONE') or excluded.status = 'CONTRADICTED' and
          (c.status = 'DONE' or ${amountIn('c.confirmed')} is distinct from ${amountIn('excluded.confirmed')}
           or ${reversedIn('c.confirmed')} is null and ${reversedIn('excluded.confirmed')} is not null))
     and (case when excluded.status = 'WAITING' then c.status in ('WAITING', 'FAILED')
               else (c.status, c.reason, c.confirmed) is distinct from
                    (excluded.status, excluded.reason, coalesce(excluded.confirmed, c.confirmed)) end)
   returning c.status`,
);

/** A credit that waited was credited. One that contradicts a credit in the books is ended by people alone. */
export const updateOpenCreditsDone = setStatement<{ rail: string; credit_key: string; at: Date }>(
  'update-open-credits-done',
  { rail: 'text', credit_key: 'text', at: 'timestamptz' },
  `update open_credits c set status = 'DONE', reason = null, due_at = null, updated_at = rows.at, digest = ${DIGEST_DONE}
     from :rows
    where c.rail = rows.rail and c.credit_key = rows.credit_key and c.status <> 'DONE'
      and c.reason is distinct from 'AMOUNT_CHANGED' and c.reason is distinct from 'REVERSED'`,
);

/** A decision of two people; what is attributed is due at once. $3 status, $4 reason, $5 when it is due, $6 now. */
export const updateOpenCreditDecided = statement(
  'update-open-credit-decided',
  `update open_credits c set status = $3, reason = $4, due_at = $5, updated_at = $6, digest = ${changedCreditDigest({
    status: '$3::text',
    reason: '$4::text',
    updated_at: '$6::timestamptz',
  })}
    where rail = $1 and credit_key = $2`,
);

/** Leases due credits, providers by turns, the longest due first: no other process asks about them until `$3`. */
export const leaseDueOpenCredits = statement<OpenCreditRow>(
  'lease-due-open-credits',
  `update open_credits c set due_at = $3
     from (select rail, credit_key from open_credits
            where mode = $1 and due_at is not null and due_at <= $2
            order by row_number() over (partition by rail order by due_at), due_at limit $4) due
    where c.rail = due.rail and c.credit_key = due.credit_key and c.due_at <= $2
    returning c.*`,
);

export interface PollRow {
  polled_to: Date;
  deep_polled_at: Date;
}

/** A provider account is polled by one process at a time. No row comes back while another has it. */
export const leasePoll = statement<PollRow>(
  'lease-credit-poll',
  `insert into credit_polls as p (rail, mode, polled_to, deep_polled_at, leased_until)
   values ($1, $2, $3, $3, $4)
   on conflict (rail) do update set leased_until = excluded.leased_until
     where ${isFreeSql('p.leased_until', '$3', '$4')}
   returning p.polled_to, p.deep_polled_at`,
);

/** Extends the lease of a poll whose worker still runs. */
export const extendPoll = statement(
  'extend-credit-poll',
  'update credit_polls set leased_until = greatest(leased_until, $2) where rail = $1 and leased_until is not null',
);

/** The whole window was read, and everything in it taken. A clock that was ahead is corrected by the next poll. */
export const updatePolled = statement(
  'update-credit-poll',
  `update credit_polls
      set polled_to = $2, deep_polled_at = case when $3 then $2 else deep_polled_at end,
          leased_until = null, last_poll_at = $4
    where rail = $1`,
);

export const releasePoll = statement(
  'release-credit-poll',
  'update credit_polls set leased_until = null where rail = $1',
);

/**
 * Whether the provider says that the money of a booked credit went back: people look into it, and nobody has decided.
 */
export const findReversedCredit = statement<{ is_reversed: boolean }>(
  'find-reversed-credit',
  `select exists (select from open_credits
                   where rail = $1 and credit_key = any($2::text[]) and status = 'CONTRADICTED' and reason = 'REVERSED') as is_reversed`,
);
