import type { Mode } from '../platform/tenant.ts';
import type { CreditHint } from '../rails/index.ts';
import { findCreditRail } from './credit-rails.ts';
import type { CollectionDeps } from './deps.ts';
import { leaseDueOpenCredits, type OpenCreditRow } from './open-credit-queries.ts';
import { REVERSAL_KEY } from './open-credits.ts';
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
  const failures = deps.jobs.failuresOf('open credits');
  await Promise.all(
    due.map((row) =>
      retry(deps, row).catch((error: unknown) => {
        failures.failed(`${row.rail}/${row.credit_key}`, error, {
          message: 'a reported credit could not be asked about',
          mode,
        });
      }),
    ),
  );
  return due.length;
}

/** The account does not open, or is gone: the lease runs out, and it is looked for again. */
async function retry(deps: CollectionDeps, row: OpenCreditRow): Promise<void> {
  await askAboutOpenCredit(deps, row, row.source);
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

const IN_THE_BOOKS: readonly TakenCredit[] = ['CREDITED', 'HELD', 'ALREADY_TAKEN'];

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
  const taken = await takeCredit(deps, rail, hintOf(row), { source, attempts: row.attempts });
  if (IN_THE_BOOKS.includes(taken)) {
    await deps.credits.end({ rail: row.rail, keys: [row.credit_key], at: deps.clock.now() });
  }
  return taken;
}
