import { dueTenants } from '../platform/db/due-tenants.ts';
import { statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';

export interface WaitingRow {
  /** Null: of neither. */
  mode: Mode | null;
  since: Date | null;
}

/** Each costs as much as there are tenants that wait, or rows that do; $1 is now. */
export const findOldestDuePayouts = statement<WaitingRow>(
  'find-oldest-due-payouts',
  `with recursive ${dueTenants('payouts', 'due_at is not null')}
   select mode, min(due_at) as since from tenants where due_at <= $1 group by mode`,
);

export const findOldestDueBatches = statement<WaitingRow>(
  'find-oldest-due-batches',
  `with recursive ${dueTenants('batches', 'due_at is not null')}
   select mode, min(due_at) as since from tenants where due_at <= $1 group by mode`,
);

export const findOldestDueMail = statement<WaitingRow>(
  'find-oldest-due-mail',
  `select null::text as mode, min(due_at) as since from mails
    where sent_at is null and abandoned_at is null and due_at <= $1`,
);

export const findOldestApprovals = statement<WaitingRow>(
  'find-oldest-approvals',
  `select mode, min(made_at) as since from approvals where status = 'PENDING' and expires_at > $1 group by mode`,
);

export const findOldestDueCredits = statement<WaitingRow>(
  'find-oldest-due-credits',
  `select mode, min(due_at) as since from open_credits
    where mode in ('LIVE', 'SANDBOX') and due_at is not null and due_at <= $1 group by mode`,
);

/** Addresses that are sent to, with the last event that each was sent, and since when a repetition is due. */
export const listServedEndpoints = statement<{
  merchant_id: string;
  mode: Mode;
  cursor_sequence: bigint;
  retry_at: Date | null;
}>(
  'list-served-webhook-endpoints',
  `select merchant_id, mode, cursor_sequence, case when retry_at <= $1 then retry_at end as retry_at
     from webhook_endpoints
    where url <> '' and status = 'ENABLED' and (paused_until is null or paused_until <= $1)`,
);

export const listRailAccountNames = statement<{ id: string; name: string }>(
  'list-rail-account-names',
  'select id, name from rail_accounts',
);
