import type { CommitResult, IdempotencyKey } from '../../ledger/index.ts';
import { write } from '../../platform/db/statement.ts';
import type { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { Tenant } from '../../platform/tenant.ts';
import { transactionStates } from '../../transactions/index.ts';
import type { PayoutDeps } from '../deps.ts';
import { scheduleAlreadyCancelled, scheduleAlreadyFired, scheduleNotFound } from '../errors.ts';
import { releaseGuards } from '../guards.ts';
import { findPayout, updatePayoutsConcluded } from '../queries.ts';
import { payoutView } from '../views.ts';

export interface CancelScheduleInput {
  tenant: Tenant;
  scheduleId: string;
  idempotency: IdempotencyKey | undefined;
}

/**
 * Calls a scheduled payout off. Against a worker that fires it at the same moment, whichever commits first wins.
 * @throws AppError `SCHEDULE_NOT_FOUND`, `SCHEDULE_ALREADY_CANCELLED`, `SCHEDULE_ALREADY_FIRED`
 */
export async function cancelSchedule(deps: PayoutDeps, input: CancelScheduleInput): Promise<CommitResult> {
  const { merchantId, mode } = input.tenant;
  const [payout] = await deps.database.query(findPayout, [merchantId, mode, input.scheduleId]);
  if (payout === undefined || payout.scheduled_for === null) throw scheduleNotFound();
  const at = deps.clock.now().toISOString();
  const view = payoutView({ ...payout, status: 'CANCELLED', updated_at: at });
  return deps.ledger.commit({
    tenant: input.tenant,
    id: payout.id,
    occurredAt: at,
    idempotency: input.idempotency,
    ...releaseGuards(payout),
    transitions: [
      {
        machine: transactionStates,
        id: payout.id,
        from: ['SCHEDULED'],
        to: 'CANCELLED',
        reason: null,
        otherwise: refusal,
      },
    ],
    writes: [
      write(updatePayoutsConcluded, {
        merchant_id: merchantId,
        mode,
        id: payout.id,
        session_id: null,
        rail_code: null,
      }),
    ],
    events: [{ id: newId(), type: 'payout.cancelled', subjectId: payout.id, data: JSON.stringify(view) }],
    answer: { message: 'Scheduled payout has been cancelled' },
  });
}

function refusal(actual: string | undefined): AppError {
  if (actual === undefined) return scheduleNotFound();
  return actual === 'CANCELLED' ? scheduleAlreadyCancelled() : scheduleAlreadyFired();
}
