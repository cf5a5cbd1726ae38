import type { CommitResult, IdempotencyKey, Ledger } from '../ledger/index.ts';
import { success } from '../platform/answer.ts';
import type { Clock } from '../platform/clock.ts';
import type { Write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import type { Tenant } from '../platform/tenant.ts';
import { sandboxOnly } from './errors.ts';

export interface AdvanceClockDeps {
  ledger: Ledger;
  clock: Clock;
  /**
   * Writes that make everything of this tenant that waits for a time due so much earlier: schedules, requeries,
   * deliveries. They commit with the movement.
   */
  advanceWrites: (tenant: Tenant, seconds: number) => readonly Write[];
  /** Told after the commit, so that workers look at once. */
  onAdvanced?: (tenant: Tenant) => void;
}

export interface AdvanceClockInput {
  tenant: Tenant;
  seconds: number;
  idempotency: IdempotencyKey | undefined;
}

/**
 * Time forward for this merchant's sandbox: what was to happen within `seconds` is due now, the rest that much sooner.
 * Records keep their own times.
 * @throws AppError `SANDBOX_ONLY`
 */
export async function advanceClock(deps: AdvanceClockDeps, input: AdvanceClockInput): Promise<CommitResult> {
  const { tenant, seconds } = input;
  if (tenant.mode !== 'SANDBOX') throw sandboxOnly();
  const id = newId();
  const occurredAt = deps.clock.now().toISOString();
  const view = { seconds, advancedAt: occurredAt };
  const result = await deps.ledger.commit({
    tenant,
    id,
    occurredAt,
    idempotency: input.idempotency,
    writes: deps.advanceWrites(tenant, seconds),
    events: [{ id: newId(), type: 'sandbox.clock_advanced', subjectId: id, data: JSON.stringify(view) }],
    answer: success('Sandbox clock advanced', view),
  });
  if (!result.replayed) deps.onAdvanced?.(tenant);
  return result;
}
