import { statement } from '../platform/db/statement.ts';
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
}

/**
 * Keeps what could not be credited, or says anew how it stands. What was credited after all, or ended by two people,
 * stays so.
 */
export const upsertOpenCredit = statement<{ status: OpenCreditStatus; attempts: number }>(
  'upsert-open-credit',
  `insert into open_credits as c (rail, credit_key, mode, provider_transaction_id, provider_reference, session_id,
                                  account_number, reported_minor, source, status, reason, code, confirmed, attempts,
                                  due_at, first_seen_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 1, $14, $15, $15)
   on conflict (rail, credit_key) do update
     set status = excluded.status, reason = excluded.reason, code = excluded.code,
         confirmed = coalesce(excluded.confirmed, c.confirmed), attempts = c.attempts + 1, due_at = excluded.due_at,
         updated_at = excluded.updated_at
   where c.status not in ('RETURNED', 'DISMISSED', 'DONE')
   returning c.status, c.attempts`,
);

/** What waited was credited. */
export const updateOpenCreditDone = statement(
  'update-open-credit-done',
  `update open_credits set status = 'DONE', reason = null, due_at = null, updated_at = $3
    where rail = $1 and credit_key = any ($2::text[]) and status <> 'DONE'`,
);

/** What two people decided; what is attributed is due at once. $3 status, $4 reason, $5 when it is due, $6 now. */
export const updateOpenCreditDecided = statement(
  'update-open-credit-decided',
  `update open_credits set status = $3, reason = $4, due_at = $5, updated_at = $6 where rail = $1 and credit_key = $2`,
);

/** Leases what is due, the longest due first: nobody else asks about it until `$3`. */
export const leaseDueOpenCredits = statement<OpenCreditRow>(
  'lease-due-open-credits',
  `update open_credits c set due_at = $3
     from (select rail, credit_key from open_credits
            where mode = $1 and due_at is not null and due_at <= $2
            order by due_at limit $4 for update skip locked) due
    where c.rail = due.rail and c.credit_key = due.credit_key
    returning c.*`,
);
