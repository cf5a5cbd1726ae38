import { movedBack, setStatement, statement } from '../../platform/db/statement.ts';
import type { Mode } from '../../platform/tenant.ts';
import { ADVANCE, type AdvanceRow, advanceColumns } from './advance-queries.ts';

export interface SandboxRefundRow {
  merchant_id: string;
  mode: Mode;
  reference: string;
  credit_id: string;
  amount_minor: bigint;
  currency: string;
  scenario: string;
  account_number: string | null;
  received_at: Date | null;
  first_asked_at: Date;
  queries: number;
}

/**
 * One refund under a reference: a second request finds the first, and puts one that was lost into the books. `is_new`: it
 * was never asked for before. None comes back where more would go back of the credit than came.
 */
export const insertSandboxRefund = statement<SandboxRefundRow & { is_new: boolean }>(
  'insert-sandbox-refund',
  `with credit as (
     select amount_minor from sandbox_credits where merchant_id = $1 and mode = $2 and id = $4 for update
   ), taken as (
     select coalesce(sum(amount_minor), 0) as amount_minor from sandbox_refunds
      where merchant_id = $1 and mode = $2 and credit_id = $4 and reference <> $3
        and scenario not in ('refund-refused', 'refund-pending-then-failed')
   )
   insert into sandbox_refunds as r (merchant_id, mode, reference, credit_id, amount_minor, currency, scenario, account_number,
                                     received_at, first_asked_at, queries)
   select $1::uuid, $2::text, $3::text, $4::text, $5::bigint, $6::text, $7::text, $8::text, $9::timestamptz,
          $10::timestamptz, 0
     from credit, taken where taken.amount_minor + $5::bigint <= credit.amount_minor
   on conflict (merchant_id, mode, reference) do update
      set received_at = coalesce(r.received_at, excluded.first_asked_at)
   returning r.*, coalesce(r.xmax = 0, false) as is_new`,
);

export const findSandboxRefund = statement<SandboxRefundRow>(
  'find-sandbox-refund',
  'select * from sandbox_refunds where merchant_id = $1 and mode = $2 and reference = $3',
);

/** With this query counted. */
export const updateSandboxRefundQueried = statement<SandboxRefundRow>(
  'update-sandbox-refund-queried',
  `update sandbox_refunds set queries = queries + 1
    where merchant_id = $1 and mode = $2 and reference = $3 returning *`,
);

export const updateSandboxRefundAccount = statement<SandboxRefundRow>(
  'update-sandbox-refund-account',
  `update sandbox_refunds set account_number = $4
    where merchant_id = $1 and mode = $2 and reference = $3 returning *`,
);

/** Time forward at the simulated bank. */
export const updateSandboxRefundsAdvanced = setStatement<AdvanceRow>(
  'update-sandbox-refunds-advanced',
  advanceColumns,
  `update sandbox_refunds r
      set received_at = ${movedBack('r.received_at', 'advance.seconds')}
     from ${ADVANCE}
    where r.merchant_id = advance.merchant_id and r.mode = advance.mode
      and r.received_at > advance.since`,
);
