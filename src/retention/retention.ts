import { forgetMails } from '../mail/index.ts';
import { type Clock, DAY_MS } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { doEach } from '../platform/jobs/pieces.ts';
import { forgetFloatChecks } from '../reconciliation/index.ts';
import { forgetRequests } from '../request-log/index.ts';
import { forgetDeliveries } from '../webhooks/index.ts';

/** For how many days each is kept, as the operator has set it. */
export interface RetentionDays {
  requests: number;
  deliveries: number;
  mails: number;
  floatChecks: number;
}

interface RetentionSetting {
  name: string;
  what: string;
  default: number;
  /** Below that something else would lack it, which `why` says. */
  minimum: number;
  why: string;
}

/** What is removed once it is so old, by a setting each. */
export const RETENTION_SETTINGS: Readonly<Record<keyof RetentionDays, RetentionSetting>> = {
  requests: {
    name: 'RETAIN_REQUESTS_DAYS',
    what: 'The request log: what programs asked, without what was in it',
    default: 7,
    minimum: 7,
    why: 'Bodies of requests are kept for up to seven days, as each merchant has set it, and never longer than the request.',
  },
  deliveries: {
    name: 'RETAIN_DELIVERIES_DAYS',
    what: 'Deliveries of webhooks that have ended, with every call and its answer; the events stay',
    default: 180,
    minimum: 7,
    why: 'A delivery is tried for three days, and may be asked for again after that.',
  },
  mails: {
    name: 'RETAIN_MAILS_DAYS',
    what: 'Mails that were sent or abandoned: to whom, when and about what',
    default: 180,
    minimum: 30,
    why: 'Their texts are removed after seven days in any case; a mail that waits is kept.',
  },
  floatChecks: {
    name: 'RETAIN_FLOAT_CHECKS_DAYS',
    what: 'Balances of rails beside ours, as of a moment; the last one of each stays',
    default: 1_826,
    minimum: 92,
    why: 'They are looked up where a difference of a quarter is explained.',
  },
};

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

/** The days of everything that a setting removes, by the settings. */
export const keptForDays = (given: Readonly<Record<string, number>>): RetentionDays => {
  const days = (of: keyof RetentionDays) => given[RETENTION_SETTINGS[of].name] ?? RETENTION_SETTINGS[of].default;
  return {
    requests: days('requests'),
    deliveries: days('deliveries'),
    mails: days('mails'),
    floatChecks: days('floatChecks'),
  };
};

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
