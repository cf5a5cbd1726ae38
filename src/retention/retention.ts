import { forgetMails } from '../mail/index.ts';
import { type Clock, DAY_MS } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { doEach } from '../platform/jobs/pieces.ts';
import { forgetFloatChecks } from '../reconciliation/index.ts';
import { forgetRequests } from '../request-log/index.ts';
import { forgetDeliveries } from '../webhooks/index.ts';
import { RETENTION_SETTINGS, type RetentionDays } from './settings.ts';

/** What no setting removes, and why. */
const KEPT: readonly { what: string; why: string }[] = [
  {
    what: 'The ledger, transactions, payouts, payments in, settlements and their history',
    why: 'They are the books: nothing is ever removed from them, and verify proves them from the first entry on.',
  },
  {
    what: 'Events and idempotency keys, in the database or in files',
    why: 'The reports of every movement are proven by them. Old ones of transfers between wallets may be archived to files that verify reads.',
  },
  {
    what: 'The audit log',
    why: 'It is sealed in a chain, which a gap would break.',
  },
  {
    what: 'What providers sent and answered about a payout or a payment',
    why: 'It is the evidence of the outcome, with a digest that verify checks.',
  },
  {
    what: 'Profiles, reviews and documents of merchants, freezes, cases and screening lists',
    why: 'Anti-money-laundering law asks for at least five years after the relation ends. When that is over is yours to say.',
  },
  {
    what: 'The sandbox: its books, and what its simulated bank knows',
    why: 'They are proven as the live ones are.',
  },
];

/** What is kept for how long, for the operator to read. */
export function readRetention(days: RetentionDays) {
  const removed = (Object.keys(RETENTION_SETTINGS) as (keyof RetentionDays)[]).map((of) => {
    const { name, what, minimum, why } = RETENTION_SETTINGS[of];
    return { what, days: days[of], setting: name, minimumDays: minimum, why };
  });
  return [...removed, ...KEPT.map(({ what, why }) => ({ what, days: null, setting: null, minimumDays: null, why }))];
}

/**
 * Removes what is older than the operator's settings say, each kind in pieces and for itself: of the books, of events and of
 * the audit log nothing is ever removed.
 * @returns how many rows are gone; `MOST_A_RUN` or more where there may be more.
 * @throws the first error, once all kinds had their turn
 */
export async function removeOldRows(deps: { database: Database; clock: Clock }, days: RetentionDays): Promise<number> {
  const now = deps.clock.now().getTime();
  const before = (kept: number) => new Date(now - kept * DAY_MS);
  return doEach([
    () => forgetRequests(deps, before(days.requests)),
    () => forgetDeliveries(deps, before(days.deliveries)),
    () => forgetMails(deps, before(days.mails)),
    () => forgetFloatChecks(deps, before(days.floatChecks)),
  ]);
}
