import type { ApprovalSubjects } from '../approvals/index.ts';
import { batchSubject } from './bulk/batch-approval.ts';
import { createBulkDeps } from './bulk/bulk-deps.ts';
import type { PayoutDeps } from './deps.ts';
import { limitSubject } from './limits/limit-subject.ts';
import { singleSubject } from './single/single-subject.ts';

/** What approvals of payouts, batches and the merchant's own limits put into force. */
export function payoutSubjects(deps: PayoutDeps): Pick<ApprovalSubjects, 'PAYOUT' | 'SCHEDULE' | 'BATCH' | 'LIMIT'> {
  const single = singleSubject(deps);
  return { PAYOUT: single, SCHEDULE: single, BATCH: batchSubject(createBulkDeps(deps)), LIMIT: limitSubject(deps) };
}
