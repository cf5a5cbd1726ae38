import { statement } from '../platform/db/statement.ts';
import { isFreeSql, queue } from '../platform/jobs/queries.ts';
import type { List } from '../platform/lists/list.ts';
import type { Mode } from '../platform/tenant.ts';
import type { DisputeSource } from './evidence-queries.ts';

/** See the comment of the table. */
export type DirectoryStatus = 'WAITING' | 'NO_PAYMENT' | 'CONTRADICTED' | 'NOTED' | 'DISMISSED';

export interface DirectoryRow {
  rail: string;
  provider_dispute_id: string;
  mode: Mode;
  status: DirectoryStatus;
  reason: string | null;
  source: DisputeSource;
  /** JSON text. */
  reported: string | null;
  merchant_id: string | null;
  payment_id: string | null;
  dispute_id: string | null;
  attempts: number;
  due_at: Date | null;
  first_seen_at: Date;
  updated_at: Date;
  decided_by: string | null;
  note: string | null;
}

export const findNotedDispute = statement<DirectoryRow>(
  'find-noted-dispute',
  'select * from dispute_directory where rail = $1 and provider_dispute_id = $2',
);

/**
 * Keeps a report, or updates how it is; one that leads to a dispute, or was dismissed, stays so. $10: it was due, so
 * its attempts count.
 */
export const upsertReportedDispute = statement<DirectoryRow>(
  'upsert-reported-dispute',
  `insert into dispute_directory as d (rail, provider_dispute_id, mode, status, reason, source, reported, attempts, due_at,
                                       first_seen_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, 0, $8, $9, $9)
   on conflict (rail, provider_dispute_id) do update
     set status = excluded.status, reason = excluded.reason, reported = coalesce(excluded.reported, d.reported),
         attempts = d.attempts + $10::boolean::int, due_at = excluded.due_at, updated_at = excluded.updated_at
   where d.status not in ('NOTED', 'DISMISSED')
   returning d.*`,
);

/**
 * Notes for ever which dispute of which payment it is. The first note counts: no row comes back where the number leads to
 * another dispute, whose note stays as it is. $10: asked again then, until it is booked.
 */
export const upsertNotedDispute = statement<DirectoryRow>(
  'upsert-noted-dispute',
  `insert into dispute_directory as d (rail, provider_dispute_id, mode, status, source, reported, merchant_id, payment_id,
                                       dispute_id, attempts, due_at, first_seen_at, updated_at)
   values ($1, $2, $3, 'NOTED', $4, $5, $6, $7, $8, 0, $10, $9, $9)
   on conflict (rail, provider_dispute_id) do update
     set status = 'NOTED', reason = null,
         reported = excluded.reported, merchant_id = excluded.merchant_id, payment_id = excluded.payment_id,
         dispute_id = excluded.dispute_id, decided_by = null, note = null, due_at = excluded.due_at,
         updated_at = excluded.updated_at
   where d.dispute_id is null or d.dispute_id = excluded.dispute_id
   returning d.*`,
);

/** It is in the books: from now on its own row says when the provider is asked. */
export const updateNotedDone = statement(
  'update-noted-dispute-done',
  'update dispute_directory set due_at = null where rail = $1 and provider_dispute_id = $2 and due_at is not null',
);

/**
 * Leases due reports until `$3`: no other worker asks meanwhile. All lock in one order, as each server of Citus takes
 * the rows of its own copy.
 */
export const leaseReportedDisputes = statement<DirectoryRow>(
  'lease-reported-disputes',
  `update dispute_directory d set due_at = $3
     from (select rail, provider_dispute_id from dispute_directory
            where mode = $1 and due_at is not null and due_at <= $2
            order by due_at, rail, provider_dispute_id limit $4 for update skip locked) due
    where d.rail = due.rail and d.provider_dispute_id = due.provider_dispute_id
    returning d.*`,
);

export const REPORTED_DISPUTES = queue(
  leaseReportedDisputes,
  'dispute_directory',
  'due_at is not null and due_at <= $1',
  { isCopied: true },
);

/** One of the operator's people looked into a dispute that belongs to no payment of ours. */
export const updateReportedDismissed = statement<{ rail: string }>(
  'update-reported-dispute-dismissed',
  `update dispute_directory set status = 'DISMISSED', decided_by = $3, note = $4, due_at = null, updated_at = $5
    where rail = $1 and provider_dispute_id = $2 and status in ('NO_PAYMENT', 'CONTRADICTED')
    returning rail`,
);

export const countReported = statement<{ count: number }>(
  'count-reported-disputes',
  `select count(*)::int as count from dispute_directory where status in ('NO_PAYMENT', 'CONTRADICTED')`,
);

/** One process reads a provider's list at a time. No row comes back while another does. */
export const leaseDisputePoll = statement<{ polled_to: Date }>(
  'lease-dispute-poll',
  `insert into dispute_polls as p (rail, mode, polled_to, leased_until)
   values ($1, $2, $5, $4)
   on conflict (rail) do update set leased_until = excluded.leased_until
     where ${isFreeSql('p.leased_until', '$3', '$4')}
   returning p.polled_to`,
);

/** Extends the lease of a poll whose worker still reads the list. */
export const extendDisputePoll = statement(
  'extend-dispute-poll',
  'update dispute_polls set leased_until = greatest(leased_until, $2) where rail = $1 and leased_until is not null',
);

/** A clock that was ahead is corrected by the next reading. */
export const updateDisputePolled = statement(
  'update-dispute-poll',
  'update dispute_polls set polled_to = $2, leased_until = null where rail = $1',
);

export const releaseDisputePoll = statement(
  'release-dispute-poll',
  'update dispute_polls set leased_until = null where rail = $1',
);

/** Reports across merchants that belong to no payment, or contradict it, longest waiting first. */
export function reportedList(mode: Mode | undefined): List<DirectoryRow> {
  const values: unknown[] = [];
  const where = [`status in ('NO_PAYMENT', 'CONTRADICTED')`];
  if (mode !== undefined) where.push(`mode = $${values.push(mode)}`);
  return {
    name: 'reported disputes',
    of: [mode],
    order: {
      direction: 'asc',
      keys: [
        { sql: 'first_seen_at', type: 'timestamptz', of: ({ first_seen_at }) => first_seen_at },
        { sql: 'provider_dispute_id', type: 'text', of: ({ provider_dispute_id }) => provider_dispute_id },
        { sql: 'rail', type: 'text', of: ({ rail }) => rail },
      ],
    },
    columns: '*',
    from: 'dispute_directory',
    where,
    values,
  };
}
