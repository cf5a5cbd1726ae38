import { write } from '../platform/db/statement.ts';
import { type Mode, type Tenant, tenantOf } from '../platform/tenant.ts';
import { commitChange, findSession, type ReadSession } from './change-session.ts';
import type { SessionDeps } from './deps.ts';
import { sessionEnded, sessionNotFound } from './errors.ts';
import { listDueExpiries, updateSessionsAdvanced } from './queries.ts';
import { isConclusive, isPayable } from './session-state.ts';

/** Ended by one run. */
const AT_ONCE = 100;

/**
 * Calls a session off: its page shows nothing to pay any more. Money that comes all the same is credited, as late. One that
 * is called off already stays so.
 * @throws AppError `PAYMENT_SESSION_NOT_FOUND`, `PAYMENT_SESSION_ENDED`
 */
export async function cancelSession(deps: SessionDeps, tenant: Tenant, sessionId: string): Promise<ReadSession> {
  const at = deps.clock.now();
  await commitChange(deps, tenant, sessionId, ({ row }) => {
    if (row.status === 'CANCELLED') return undefined;
    if (isConclusive(row.status)) throw sessionEnded(row.status);
    return { at, to: 'CANCELLED', event: 'payment_session.cancelled' };
  });
  const session = await findSession(deps.database, tenant, sessionId);
  if (session === undefined) throw sessionNotFound();
  return session;
}

/** Ends the open sessions of a mode whose time is over. @returns how many. */
export async function expireSessions(deps: SessionDeps, mode: Mode): Promise<number> {
  const at = deps.clock.now();
  const due = await deps.database.query(listDueExpiries, [mode, at, AT_ONCE]);
  const failures = deps.jobs.failuresOf('payment sessions that expire');
  const ended = await Promise.all(
    due.map(async (row) => {
      try {
        return await commitChange(deps, tenantOf(row), row.id, ({ row: now }) =>
          isPayable(now.status) && now.due_at !== null && now.due_at <= at
            ? { at, to: 'EXPIRED', event: 'payment_session.expired' }
            : undefined,
        );
      } catch (error) {
        const merchantId = row.merchant_id;
        failures.failed(row.id, error, { message: 'a payment session could not be ended', mode, merchantId });
        return false;
      }
    }),
  );
  return ended.filter(Boolean).length;
}

/** Makes what is open in a sandbox expire so much earlier, for the movement that moves its time. */
export function sessionAdvanceWrites({ merchantId, mode }: Tenant, seconds: number) {
  return [write(updateSessionsAdvanced, { merchant_id: merchantId, mode, seconds })];
}
