import { findCreditRail, isBookedNow, takeCredit } from '../collections/index.ts';
import { unavailable } from '../platform/errors.ts';
import type { Tenant } from '../platform/tenant.ts';
import { referenceOf } from './ask-provider.ts';
import type { ReadSession } from './change-session.ts';
import type { SessionDeps } from './deps.ts';
import { sessionCheckedLately } from './errors.ts';
import { updateSessionChecked } from './queries.ts';
import { requireSession } from './read-sessions.ts';

/** A provider is asked about one session at most so often, whoever asks. */
const CHECK_EVERY_MS = 10_000;

interface CheckedSession {
  /** The provider confirmed a payment just now. */
  found: boolean;
  session: ReadSession;
}

/**
 * "I have sent the money": asks the provider now, by our reference, and books what it confirms. A session that is paid, or
 * not open yet, is answered as it is.
 * @throws AppError `PAYMENT_SESSION_NOT_FOUND`, `PAYMENT_SESSION_CHECKED_LATELY`, `SERVICE_UNAVAILABLE`
 */
export async function checkSession(deps: SessionDeps, tenant: Tenant, sessionId: string): Promise<CheckedSession> {
  const session = await requireSession(deps, tenant, sessionId);
  const { row } = session;
  if (row.status === 'PAID' || row.opened_at === null) return { found: false, session };
  await takeTurn(deps, tenant, sessionId);
  const rail = await findCreditRail(deps.rails, tenant.mode, row.rail);
  if (rail === undefined) throw unavailable('The provider cannot be asked at the moment. Please try again shortly.');
  const hint = {
    providerTransactionId: null,
    providerReference: null,
    sessionId: null,
    ourReference: referenceOf(row),
    amountMinor: null,
    accountNumber: null,
  };
  const taken = await takeCredit(deps, rail, hint, { source: 'CHECK' });
  return { found: isBookedNow(taken), session: await requireSession(deps, tenant, sessionId) };
}

async function takeTurn({ database, clock }: SessionDeps, { merchantId, mode }: Tenant, id: string): Promise<void> {
  const now = clock.now();
  const before = new Date(now.getTime() - CHECK_EVERY_MS);
  const mine = await database.query(updateSessionChecked, [merchantId, mode, id, now, before]);
  if (mine.length === 0) throw sessionCheckedLately(CHECK_EVERY_MS / 1_000);
}
