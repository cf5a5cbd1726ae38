import type { Mode } from '../platform/tenant.ts';
import { findCreditRail } from './credit-rails.ts';
import type { CollectionDeps } from './deps.ts';
import { leaseDueOpenCredits, type OpenCreditRow } from './open-credit-queries.ts';
import { endOpenCredit } from './open-credits.ts';
import { takeCredit } from './take-credit.ts';

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

async function retry(deps: CollectionDeps, row: OpenCreditRow): Promise<void> {
  const rail = await findCreditRail(deps.rails, row.mode, row.rail);
  // The account does not open, or is gone: the lease runs out, and it is looked for again.
  if (rail === undefined) return;
  const hint = {
    providerTransactionId: row.provider_transaction_id,
    providerReference: row.provider_reference,
    sessionId: row.session_id,
    accountNumber: row.account_number,
    amountMinor: row.reported_minor,
  };
  const taken = await takeCredit(deps, rail, hint, { source: row.source, attempts: row.attempts });
  // A later webhook brought it into the books, or a process that died before it said so here.
  if (taken === 'ALREADY_TAKEN') await endOpenCredit(deps, rail.name, [hint]);
}
