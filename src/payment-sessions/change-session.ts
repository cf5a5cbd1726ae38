import { findUniqueKeySubject, type Ledger, type Movement } from '../ledger/index.ts';
import type { Database } from '../platform/db/database.ts';
import { type Write, write } from '../platform/db/statement.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { jsonOf } from '../platform/json-text.ts';
import type { Tenant } from '../platform/tenant.ts';
import { sessionChanged } from './errors.ts';
import {
  findPaymentSession,
  findSessionAccounts,
  type SessionAccountRow,
  type SessionPaymentRow,
  type SessionRow,
  updatePaymentSessions,
} from './queries.ts';
import { paymentSessionStates, type SessionStatus } from './session-state.ts';
import { sessionEventView } from './views.ts';

/** A session as it was read, whole. */
export interface ReadSession {
  row: SessionRow;
  accounts: readonly SessionAccountRow[];
}

export interface SessionChange {
  at: Date;
  /** The state after it; left out, the state stays. */
  to?: SessionStatus;
  reason?: string | null;
  /** Other columns that change. */
  fields?: Partial<
    Pick<
      SessionRow,
      | 'message'
      | 'payable_minor'
      | 'received_minor'
      | 'provider_reference'
      | 'ussd_code'
      | 'page_url'
      | 'opened_at'
      | 'paid_at'
      | 'expires_at'
      | 'due_at'
    >
  >;
  /** What the session has from now on. */
  accounts?: readonly SessionAccountRow[];
  /** The payment that it is about. */
  payment?: SessionPaymentRow;
  writes?: readonly Write[];
  event: string;
}

export type SessionMovement = Required<Pick<Movement, 'uniqueKeys' | 'transitions' | 'writes' | 'events' | 'changes'>>;

/** Of unique keys: one change of each version of a session. */
const VERSION_SCOPE = 'SESSION_VERSION';

/** What is conclusive is not looked at by a worker any more. */
const ENDS: ReadonlySet<SessionStatus> = new Set(['PAID', 'EXPIRED', 'CANCELLED', 'FAILED']);

/**
 * Every change of a session takes the version after the one that was read. Two that read the same version want the same
 * key: one commits, and the other reads again. So of many payments at once each is counted.
 */
export function changeSession(session: ReadSession, change: SessionChange): SessionMovement {
  const { row, accounts } = session;
  const to = change.to ?? row.status;
  const after: SessionRow = {
    ...row,
    ...change.fields,
    ...(ENDS.has(to) && { due_at: null }),
    status: to,
    reason: to === row.status ? row.reason : (change.reason ?? null),
    version: row.version + 1,
    updated_at: change.at,
  };
  const transition = {
    machine: paymentSessionStates,
    id: row.id,
    from: [row.status],
    to,
    reason: after.reason,
    otherwise: sessionChanged,
  };
  const view = sessionEventView(after, change.accounts ?? accounts, change.payment ?? null);
  return {
    uniqueKeys: [{ scope: VERSION_SCOPE, value: `${row.id}/${row.version}`, taken: sessionChanged }],
    transitions: to === row.status ? [] : [transition],
    writes: [write(updatePaymentSessions, after), ...(change.writes ?? [])],
    events: [{ id: newId(), type: change.event, subjectId: row.id, data: jsonOf(view) }],
    changes: row.link_id === null ? [] : [linkName(row.link_id)],
  };
}

/** For locked checks: whether a payment link opens a session hangs on what became of those before. */
export const linkName = (linkId: string): string => `payment-link/${linkId}`;

/** @returns undefined where there is none with this id. */
export async function findSession(
  database: Pick<Database, 'query'>,
  { merchantId, mode }: Tenant,
  sessionId: string,
): Promise<ReadSession | undefined> {
  const [[row], accounts] = await Promise.all([
    database.query(findPaymentSession, [merchantId, mode, sessionId]),
    database.query(findSessionAccounts, [merchantId, mode, sessionId]),
  ]);
  return row && { row, accounts };
}

/** Of unique keys: a merchant's own reference of a session. */
export const REFERENCE_SCOPE = 'PAYMENT_SESSION_REFERENCE';

/** @returns undefined where there is none with this reference. */
export async function findSessionByReference(
  database: Database,
  tenant: Tenant,
  reference: string,
): Promise<ReadSession | undefined> {
  const sessionId = await findUniqueKeySubject(database, tenant, REFERENCE_SCOPE, reference);
  return sessionId === undefined ? undefined : findSession(database, tenant, sessionId);
}

/** Others that change one session at the same moment; each costs one attempt at most. */
const MAX_ATTEMPTS = 20;

/**
 * Changes a session by itself, with no money: reads it, and again where somebody else was faster.
 * @param plan of a session as it is; undefined where there is nothing to change any more
 * @returns whether it was changed
 */
export async function commitChange(
  { database, ledger }: { database: Database; ledger: Ledger },
  tenant: Tenant,
  sessionId: string,
  plan: (session: ReadSession) => SessionChange | undefined,
): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    const session = await findSession(database, tenant, sessionId);
    const change = session && plan(session);
    if (session === undefined || change === undefined) return false;
    try {
      await ledger.commit({
        ...changeSession(session, change),
        tenant,
        id: sessionId,
        occurredAt: change.at.toISOString(),
        answer: { message: 'Success' },
      });
      return true;
    } catch (error) {
      const isRace = error instanceof AppError && error.code === sessionChanged().code;
      if (!isRace || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}
