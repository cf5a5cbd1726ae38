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
  type OpenedBy,
  type SessionAccountRow,
  type SessionRow,
  type ShownSessionPayment,
  updatePaymentSessions,
} from './queries.ts';
import { isConclusive, paymentSessionStates, type SessionStatus } from './session-state.ts';
import { sessionEventView } from './views.ts';

/** A session and its accounts, as they were read together. */
export interface ReadSession {
  row: SessionRow;
  accounts: readonly SessionAccountRow[];
}

export interface SessionChange {
  at: Date;
  /** The state after the change. Without it the state stays. */
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
    >
  >;
  /** The accounts that the session has from now on. */
  accounts?: readonly SessionAccountRow[];
  /** The payment that the change is about. */
  payment?: ShownSessionPayment;
  writes?: readonly Write[];
  /** Types of the events that report it. */
  events: readonly string[];
}

export type SessionMovement = Required<Pick<Movement, 'uniqueKeys' | 'transitions' | 'writes' | 'events' | 'changes'>>;

/** The scope of unique keys by which each version of a session is changed once. */
const VERSION_SCOPE = 'SESSION_VERSION';

/**
 * Every change of a session takes the version after the one that was read. Two that read the same version want the same
 * key: one commits, and the other reads again. So of many payments at once each is counted.
 * @returns what to commit, and the session as it is then
 */
export function changeSession(
  { row, accounts }: ReadSession,
  change: SessionChange,
): { movement: SessionMovement; session: ReadSession } {
  const to = change.to ?? row.status;
  const after: SessionRow = {
    ...row,
    ...change.fields,
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
    refusal: sessionChanged,
  };
  const session = { row: after, accounts: change.accounts ?? accounts };
  const data = jsonOf(sessionEventView(after, session.accounts, change.payment ?? null));
  const movement = {
    uniqueKeys: [{ scope: VERSION_SCOPE, value: `${row.id}/${row.version}`, refusal: sessionChanged }],
    transitions: to === row.status ? [] : [transition],
    writes: [write(updatePaymentSessions, { ...after, is_conclusive: isConclusive(to) }), ...(change.writes ?? [])],
    events: change.events.map((type) => ({ id: newId(), type, subjectId: row.id, data })),
    changes: row.link_id === null ? [] : [linkSubject(row.link_id)],
  };
  return { movement, session };
}

/**
 * The subject of locked checks on a payment link: whether the link opens another session depends on its earlier ones.
 */
export const linkSubject = (linkId: string): string => `payment-link/${linkId}`;

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

/**
 * The scope of unique keys for the references of sessions. Sessions that public keys open have a scope of their own:
 * anybody can read a public key in a page, and with a common scope could take the references of a merchant's orders
 * before the merchant's server does.
 */
export function referenceScopeOf(openedBy: OpenedBy | undefined): string {
  return openedBy === 'PUBLIC_KEY' ? 'PAYMENT_SESSION_PUBLIC_REFERENCE' : 'PAYMENT_SESSION_REFERENCE';
}

/**
 * The id of the session with a reference: of the merchant's own, unless it is asked for one that a public key opened.
 * @returns undefined where there is none.
 */
export function findSessionIdByReference(
  database: Database,
  tenant: Tenant,
  { reference, openedBy }: { reference: string; openedBy: OpenedBy | undefined },
): Promise<string | undefined> {
  return findUniqueKeySubject(database, tenant, referenceScopeOf(openedBy), reference);
}

/**
 * How many attempts a change gets against others of the same session at the same moment. Each of those costs one
 * attempt at most.
 */
const MAX_ATTEMPTS = 20;

/**
 * Changes a session by itself, with no money. Where another change was faster, it is read again.
 * @param plan of a session as it is; undefined where there is nothing to change any more
 * @param known the session as it was read before; it is read where this is left out
 * @returns the session after the change; undefined where nothing was changed
 */
export async function commitChange(
  { database, ledger }: { database: Database; ledger: Ledger },
  { tenant, sessionId }: { tenant: Tenant; sessionId: string },
  plan: (session: ReadSession) => SessionChange | undefined,
  known?: ReadSession,
): Promise<ReadSession | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const before = (attempt === 1 ? known : undefined) ?? (await findSession(database, tenant, sessionId));
    const change = before && plan(before);
    if (before === undefined || change === undefined) return undefined;
    const { movement, session } = changeSession(before, change);
    try {
      await ledger.commit({
        ...movement,
        tenant,
        id: sessionId,
        occurredAt: change.at.toISOString(),
        answer: { message: 'Success' },
      });
      return session;
    } catch (error) {
      const isRace = error instanceof AppError && error.code === sessionChanged().code;
      if (!isRace || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}
