import { movedBack, setInsert, setStatement, statement } from '../../platform/db/statement.ts';
import type { Mode } from '../../platform/tenant.ts';
import type { DisputeCategory } from '../disputes.ts';
import { ADVANCE, type AdvanceRow, advanceColumns } from './advance-queries.ts';
import { webhookQueue } from './webhook-queries.ts';

/** A dispute in the simulated bank's own books. */
export interface SandboxDisputeRow {
  merchant_id: string;
  mode: Mode;
  id: string;
  credit_id: string;
  amount_minor: bigint;
  category: DisputeCategory;
  message: string | null;
  scenario: string;
  opened_at: Date;
  due_at: Date;
  answer: 'ACCEPT' | 'CONTEST' | null;
  answered_at: Date | null;
  files: number;
  next_webhook_at: Date | null;
}

export const insertSandboxDisputes = setInsert<SandboxDisputeRow>('sandbox_disputes', {
  merchant_id: 'uuid',
  mode: 'text',
  id: 'text',
  credit_id: 'text',
  amount_minor: 'bigint',
  category: 'text',
  message: 'text',
  scenario: 'text',
  opened_at: 'timestamptz',
  due_at: 'timestamptz',
  answer: 'text',
  answered_at: 'timestamptz',
  files: 'integer',
  next_webhook_at: 'timestamptz',
});

export const findSandboxDispute = statement<SandboxDisputeRow>(
  'find-sandbox-dispute',
  'select * from sandbox_disputes where merchant_id = $1 and mode = $2 and id = $3',
);

/** It takes one answer. */
export const updateSandboxDisputeAnswered = statement<{ id: string }>(
  'update-sandbox-dispute-answered',
  `update sandbox_disputes set answer = $4, answered_at = $5, files = $6
    where merchant_id = $1 and mode = $2 and id = $3 and answer is null
    returning id`,
);

/** A page of a window, of all merchants, after the one with the time $3 and the id $4. */
export const listSandboxDisputes = statement<SandboxDisputeRow>(
  'list-sandbox-disputes',
  `select * from sandbox_disputes
    where opened_at >= $1 and opened_at < $2 and (opened_at, id) > ($3, $4)
    order by opened_at, id
    limit $5`,
);

export const disputeWebhooks = webhookQueue<SandboxDisputeRow>('sandbox_disputes', 'dispute');

/** Time forward at the simulated bank: what is due, and what it decides, comes so much earlier. */
export const updateSandboxDisputesAdvanced = setStatement<AdvanceRow>(
  'update-sandbox-disputes-advanced',
  advanceColumns,
  `update sandbox_disputes d
      set due_at = ${movedBack('d.due_at', 'advance.seconds')},
          answered_at = ${movedBack('d.answered_at', 'advance.seconds')}
     from ${ADVANCE}
    where d.merchant_id = advance.merchant_id and d.mode = advance.mode
      and greatest(d.due_at, d.answered_at) > advance.since`,
);
