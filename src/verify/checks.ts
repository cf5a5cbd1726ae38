import { accountChecks } from './accounts/queries.ts';
import { alteredChecks } from './altered/queries.ts';
import { answerChecks } from './answers/queries.ts';
import { approvalEventChecks } from './approval-events/queries.ts';
import { approvalChecks } from './approvals/queries.ts';
import { attemptChecks } from './attempts/queries.ts';
import { auditChecks } from './audit/queries.ts';
import { batchChangeChecks } from './batch-changes/queries.ts';
import { batchChecks } from './batches/queries.ts';
import { bookChecks } from './books/queries.ts';
import { chargeChecks } from './charges/queries.ts';
import { duplicateChecks } from './duplicates/queries.ts';
import { eventChecks } from './events/queries.ts';
import { guardChecks } from './guards/queries.ts';
import { historyChecks } from './history/queries.ts';
import { outcomeChecks } from './outcomes/queries.ts';
import { payoutChecks } from './payouts/queries.ts';
import type { Check } from './queries.ts';
import { recordChecks } from './records/queries.ts';
import { sandboxChecks } from './sandbox/queries.ts';
import { settlementChecks } from './settlements/queries.ts';
import { webhookChecks } from './webhooks/queries.ts';
import { workChecks } from './work/queries.ts';

/** All that statements can prove. */
export const CHECKS: readonly Check[] = [
  ...bookChecks,
  ...accountChecks,
  ...payoutChecks,
  ...recordChecks,
  ...eventChecks,
  ...historyChecks,
  ...workChecks,
  ...outcomeChecks,
  ...attemptChecks,
  ...answerChecks,
  ...guardChecks,
  ...duplicateChecks,
  ...approvalChecks,
  ...alteredChecks,
  ...approvalEventChecks,
  ...batchChecks,
  ...batchChangeChecks,
  ...chargeChecks,
  ...settlementChecks,
  ...sandboxChecks,
  ...webhookChecks,
  ...auditChecks,
];
