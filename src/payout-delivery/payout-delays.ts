import type { PayoutDeps, PayoutRecord } from '../payouts/index.ts';
import { write } from '../platform/db/statement.ts';
import type { JobFailures } from '../platform/jobs/job-monitor.ts';
import { type DelayRow, updateDelayReasons } from '../transactions/index.ts';

/** After an error that says nothing of the payout, such as a database that was away. */
const STEP_DELAYS = { firstMs: 3_000, maxMs: 5 * 60_000 };

/** What is seen of a payout that fails again and again on our side. */
const DELAYED_BY_ERROR = 'DELAYED_BY_ERROR';

/** What fails of single payouts, at whichever step. */
export function failuresOfPayouts({ jobs }: Pick<PayoutDeps, 'jobs'>): JobFailures {
  return jobs.failuresOf('payouts.step', STEP_DELAYS);
}

/**
 * Counts a failure of ours about one payout; from the second on it shows as the reason why it takes longer.
 * @returns for how many milliseconds it is left alone.
 */
export async function notePayoutFailure(
  deps: PayoutDeps,
  { merchant_id, mode, id }: Pick<PayoutRecord, 'merchant_id' | 'mode' | 'id'>,
  error: unknown,
  message: string,
): Promise<number> {
  const about = { message, merchantId: merchant_id, mode, payoutId: id };
  const delayMs = failuresOfPayouts(deps).failed(id, error, about);
  if (delayMs > STEP_DELAYS.firstMs) await noteDelays(deps, [{ merchant_id, mode, id, reason: DELAYED_BY_ERROR }]);
  return delayMs;
}

/** Shows why open payouts wait. No event: they are what they were. */
export async function noteDelays(deps: PayoutDeps, delays: readonly Omit<DelayRow, 'at'>[]): Promise<void> {
  const at = deps.clock.now();
  const rows = delays.map((delay) => write(updateDelayReasons, { ...delay, at }).row);
  await deps.database.run(updateDelayReasons, rows).catch((error: unknown) => {
    deps.logger.warn({ err: error }, 'the reason of a delay was not noted');
  });
}
