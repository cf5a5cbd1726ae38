import type { CommitResult, IdempotencyKey, Ledger } from '../ledger/index.ts';
import { success } from '../platform/answer.ts';
import type { Clock } from '../platform/clock.ts';
import type { Write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import type { Tenant } from '../platform/tenant.ts';
import { clockLimitExceeded, sandboxOnly } from './errors.ts';

/**
 * Ten years: nothing of ours waits for longer than one. Times that were moved without end would leave what calendars
 * can say.
 */
const MAX_SECONDS_A_YEAR = 10 * 31_536_000;

export interface AdvanceClockDeps {
  ledger: Ledger;
  clock: Clock;
  /**
   * Writes that make everything of this tenant that waits for a time due so much earlier: schedules, requeries,
   * deliveries. They commit with the movement.
   */
  advanceWrites: (tenant: Tenant, seconds: number, now: Date) => readonly Write[];
  /** Called after the commit, so that workers look at once. */
  onAdvanced?: (tenant: Tenant) => void;
}

interface AdvanceClockInput {
  tenant: Tenant;
  seconds: number;
  idempotency: IdempotencyKey | undefined;
}

/**
 * Time forward for this merchant's sandbox: what was to happen within `seconds` is due now, the rest that much sooner.
 * Records keep their own times.
 * @throws AppError `SANDBOX_ONLY`; 422 `SANDBOX_CLOCK_LIMIT` beyond ten years in one calendar year
 */
export async function advanceClock(deps: AdvanceClockDeps, input: AdvanceClockInput): Promise<CommitResult> {
  const { tenant, seconds } = input;
  if (tenant.mode !== 'SANDBOX') throw sandboxOnly();
  const id = newId();
  const now = deps.clock.now();
  const occurredAt = now.toISOString();
  const view = { seconds, advancedAt: occurredAt };
  const result = await deps.ledger.commit({
    tenant,
    id,
    occurredAt,
    idempotency: input.idempotency,
    limitUsages: [
      {
        scope: 'SANDBOX_CLOCK',
        period: occurredAt.slice(0, 4),
        amountMinor: BigInt(seconds),
        limitMinor: BigInt(MAX_SECONDS_A_YEAR),
        refusal: (left) => clockLimitExceeded(MAX_SECONDS_A_YEAR, Number(left)),
      },
    ],
    writes: deps.advanceWrites(tenant, seconds, now),
    events: [{ id: newId(), type: 'sandbox.clock_advanced', subjectId: id, data: JSON.stringify(view) }],
    answer: success('Sandbox clock advanced', view),
  });
  if (!result.replayed) deps.onAdvanced?.(tenant);
  return result;
}
