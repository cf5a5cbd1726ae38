import type { Mode } from '../platform/tenant.ts';
import type { CreditHint } from '../rails/index.ts';
import { findCreditRail } from './credit-rails.ts';
import type { CollectionDeps } from './deps.ts';
import { leaseDueOpenCredits, type OpenCreditRow } from './open-credit-queries.ts';
import { keepOpenCredit, REVERSAL_KEY } from './open-credits.ts';
import type { CreditSource } from './queries.ts';
import { type TakenCredit, takeCredit } from './take-credit.ts';

/** Asked about at once, by one process and mode. */
const AT_ONCE = 16;
/** Longer than a question may take. */
const LEASE_MS = 60_000;

/** Asks providers again about credits that were reported and not confirmed, of one mode. @returns how many were asked about. */
export async function retryOpenCredits(deps: CollectionDeps, mode: Mode): Promise<number> {
  const now = deps.clock.now();
  const lease = new Date(now.getTime() + LEASE_MS);
  const due = await deps.database.query(leaseDueOpenCredits, [mode, now, lease, AT_ONCE]);
  const failures = deps.jobs.failuresOf('credits.retry');
  await Promise.all(
    due.map(async (row) => {
      const key = `${row.rail}/${row.credit_key}`;
      try {
        await retry(deps, row);
        failures.succeeded(key);
      } catch (error) {
        failures.failed(key, error, { message: 'a reported credit could not be taken', mode });
        // Later and later, and before people in the end. Where that fails too, its lease runs out.
        await keepWaiting(deps, row, 'CREDIT_NOT_TAKEN').catch(() => undefined);
      }
    }),
  );
  return due.length;
}

async function retry(deps: CollectionDeps, row: OpenCreditRow): Promise<void> {
  const taken = await askAboutOpenCredit(deps, row, row.source);
  if (taken === undefined) await keepWaiting(deps, row, 'PROVIDER_UNAVAILABLE');
}

async function keepWaiting(deps: CollectionDeps, row: OpenCreditRow, reason: string): Promise<void> {
  const { rail, mode, source } = row;
  const kept = { rail, mode, source, hint: hintOf(row), code: null, retried: row };
  await keepOpenCredit(deps, { ...kept, status: 'WAITING', reason });
}

/** As whoever reported it would. */
export function hintOf(row: OpenCreditRow): CreditHint {
  return {
    providerTransactionId: row.provider_transaction_id,
    providerReference: row.provider_reference,
    sessionId: row.session_id,
    accountNumber: row.account_number,
    amountMinor: row.reported_minor,
    ...(row.credit_key.startsWith(REVERSAL_KEY) && { isReversal: true as const }),
  };
}

const IN_THE_BOOKS: readonly TakenCredit[] = ['CREDITED', 'PENDING', 'HELD', 'ALREADY_TAKEN'];

/**
 * Asks the provider about a credit that is kept, and books what it confirms. What is in the books is done with.
 * @returns undefined where the provider account does not open.
 */
export async function askAboutOpenCredit(
  deps: CollectionDeps,
  row: OpenCreditRow,
  source: CreditSource,
): Promise<TakenCredit | undefined> {
  const rail = await findCreditRail(deps.rails, row.mode, row.rail);
  if (rail === undefined) return undefined;
  const taken = await takeCredit(deps, rail, hintOf(row), { source, retried: row });
  if (IN_THE_BOOKS.includes(taken)) {
    await deps.credits.end({ rail: row.rail, keys: [row.credit_key], at: deps.clock.now() });
  }
  return taken;
}
