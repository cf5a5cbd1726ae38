import { write } from '../platform/db/statement.ts';
import { type Mode, type Tenant, tenantOf } from '../platform/tenant.ts';
import { commitChange, type ReadSession } from './change-session.ts';
import type { SessionDeps } from './deps.ts';
import { type DueJob, runDueSessions } from './due-sessions.ts';
import { sessionEnded } from './errors.ts';
import { listDueExpiries, type SessionRow, updateSessionsAdvanced } from './queries.ts';
import { requireSession } from './read-sessions.ts';
import { isConclusive, isPayable } from './session-state.ts';

const EXPIRIES: DueJob = {
  name: 'payment-sessions.expire',
  message: 'a payment session could not be ended',
  due: listDueExpiries,
  ofMerchant: 100,
  ofAll: 500,
};

/**
 * Cancels a session: its page shows nothing to pay any more. Money that comes all the same is credited, as late. One that
 * is cancelled already stays so.
 * @throws AppError `PAYMENT_SESSION_NOT_FOUND`, `PAYMENT_SESSION_ENDED`
 */
export async function cancelSession(deps: SessionDeps, tenant: Tenant, sessionId: string): Promise<ReadSession> {
  const at = deps.clock.now();
  const cancelled = await commitChange(deps, { tenant, sessionId }, ({ row }) => {
    if (row.status === 'CANCELLED') return undefined;
    if (isConclusive(row.status)) throw sessionEnded(row.status);
    return { at, to: 'CANCELLED', events: ['payment_session.cancelled'] };
  });
  return cancelled ?? requireSession(deps, tenant, sessionId);
}

/** Ends the open sessions of a mode whose time is over. @returns how many. */
export function expireSessions(deps: SessionDeps, mode: Mode): Promise<number> {
  return runDueSessions(deps, mode, EXPIRIES, (row) => expire(deps, row));
}

async function expire(deps: SessionDeps, { id: sessionId, ...row }: SessionRow): Promise<boolean> {
  const at = deps.clock.now();
  const expired = await commitChange(deps, { tenant: tenantOf(row), sessionId }, ({ row: now }) =>
    isPayable(now.status) && now.expires_at <= at
      ? { at, to: 'EXPIRED', events: ['payment_session.expired'] }
      : undefined,
  );
  return expired !== undefined;
}

/** Makes what is open in a sandbox expire so much earlier, for the movement that moves its time. */
export function sessionAdvanceWrites({ merchantId, mode }: Tenant, seconds: number) {
  return [write(updateSessionsAdvanced, { merchant_id: merchantId, mode, seconds })];
}
