import type { CreditEffect, CreditHook, InboundPaymentRow } from '../collections/index.ts';
import { answeredWithin } from '../platform/answered-within.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { arraysByMerchant, write } from '../platform/db/statement.ts';
import { createGroupReader } from '../platform/group-reader.ts';
import { type Tenant, tenantKey, tenantOf } from '../platform/tenant.ts';
import { changeSession, findSession, type ReadSession } from './change-session.ts';
import { findExpiredAfter, listPaymentsAway } from './payment-queries.ts';
import { insertSessionPayments, listSessionsAmong, type PaymentNote, type SessionPaymentRow } from './queries.ts';
import { isConclusive, type SessionStatus } from './session-state.ts';
import { dueOf } from './views.ts';

/**
 * The longest wait for a turn. Turns only save attempts: without them, payments at the same time make each other read
 * again.
 */
const MAX_WAIT_MS = 2_000;

/**
 * Makes the work of this process on one key run one after the other.
 * @returns what waits for a turn, and gives its end
 */
function createTurns(): (key: string) => Promise<() => void> {
  const last = new Map<string, Promise<void>>();
  return async (key) => {
    const before = last.get(key);
    let end: () => void = () => undefined;
    const turn = new Promise<void>((resolve) => {
      end = resolve;
    });
    last.set(key, turn);
    if (before !== undefined) await answeredWithin(before, MAX_WAIT_MS, () => undefined);
    return () => {
      if (last.get(key) === turn) last.delete(key);
      end();
    };
  };
}

/**
 * Counts a payment for its session, in the movement that credits the wallet. Every amount is credited. The state and
 * the note depend on how it compares with the amount that was asked for.
 */
export function createSessionHook({ database }: { database: Database }): CreditHook {
  const turns = createTurns();
  const isSession = createSessionFinder(database);
  return async (tenant, credit) => {
    const { accountId } = credit;
    if (!(await isSession({ tenant, id: accountId }))) return undefined;
    const settled = await turns(`${tenantKey(tenant)}/${accountId}`);
    try {
      const session = await findSession(database, tenant, accountId);
      if (session === undefined) throw new Error(`the payment session ${accountId} is gone`);
      return { ...effectOf(session, credit), settled };
    } catch (error) {
      settled();
      throw error;
    }
  };
}

/** Whether an account belongs to a payment session. Most do not, and credits at the same time share one question. */
function createSessionFinder(database: Database): (asked: { tenant: Tenant; id: string }) => Promise<boolean> {
  const keyOf = ({ tenant, id }: { tenant: Tenant; id: string }) => `${tenantKey(tenant)}/${id}`;
  return createGroupReader(async (asked) => {
    const values = arraysByMerchant(
      asked,
      ({ tenant }) => tenant.merchantId,
      ['text', ({ tenant }) => tenant.mode],
      ['uuid', ({ id }) => id],
    );
    const rows = await database.query(listSessionsAmong, values);
    const found = new Set(rows.map((row) => keyOf({ tenant: tenantOf(row), id: row.id })));
    return asked.map((one) => found.has(keyOf(one)));
  });
}

function effectOf(
  session: ReadSession,
  { paymentId, amountMinor, status, at }: Omit<Parameters<CreditHook>[1], 'accountId'>,
): CreditEffect {
  const { row } = session;
  const received_minor = row.received_minor + amountMinor;
  const { to, note } = verdictOf(session, received_minor);
  const payment: SessionPaymentRow = {
    merchant_id: row.merchant_id,
    mode: row.mode,
    session_id: row.id,
    payment_id: paymentId,
    version: row.version + 1,
    amount_minor: amountMinor,
    note,
    received_at: at,
  };
  const { movement } = changeSession(session, {
    at,
    to,
    fields: { received_minor, ...(to === 'PAID' && row.status !== 'PAID' && { paid_at: at }) },
    payment: { ...payment, status },
    writes: [write(insertSessionPayments, payment)],
    events: [eventOf(row.status, to)],
  });
  const notOwedMinor = notOwedOf(note, amountMinor, received_minor - row.payable_minor);
  return { heldBy: null, note, notOwedMinor, customerId: row.customer_id, parts: movement };
}

/**
 * Whether a payment that came after its session had expired was made before, as its provider says: it was heard of too late.
 * Where the provider does not say when it was made, it was late.
 */
export async function wasPaidInTime(
  queries: Queries,
  payment: Pick<InboundPaymentRow, 'merchant_id' | 'mode' | 'virtual_account_id' | 'paid_at'>,
): Promise<boolean> {
  const { merchant_id, mode, virtual_account_id: sessionId, paid_at } = payment;
  if (sessionId === null || paid_at === null) return false;
  return (await queries.query(findExpiredAfter, [merchant_id, mode, sessionId, paid_at])).length > 0;
}

/**
 * What a payment came on top of, where that is in no wallet: `HELD` while people have to decide about an earlier payment of its
 * session, `GONE` where one went elsewhere, so that this one may be owed after all.
 */
export async function whatIsAway(
  queries: Queries,
  payment: Pick<InboundPaymentRow, 'merchant_id' | 'mode' | 'virtual_account_id' | 'id'>,
): Promise<'HELD' | 'GONE' | null> {
  const { merchant_id, mode, virtual_account_id: sessionId, id } = payment;
  if (sessionId === null) return null;
  const away = await queries.query(listPaymentsAway, [merchant_id, mode, sessionId, id]);
  if (away.some(({ status }) => status === 'SUSPENSE')) return 'HELD';
  return away.length > 0 ? 'GONE' : null;
}

/** What of a payment nobody asked for. @param aboveMinor by how much all that came is above what was asked */
function notOwedOf(note: PaymentNote | null, amountMinor: bigint, aboveMinor: bigint): bigint {
  switch (note) {
    case 'LATE':
    case 'SECOND_PAYMENT':
      return amountMinor;
    case 'OVERPAID':
      return aboveMinor < amountMinor ? aboveMinor : amountMinor;
    case 'SHORT':
    case null:
      return 0n;
  }
}

/** The state after a payment, and what is odd about it. @param receivedMinor with this payment */
function verdictOf({ row }: ReadSession, receivedMinor: bigint): { to: SessionStatus; note: PaymentNote | null } {
  const { status, amount_rule: rule, payable_minor: payable } = row;
  if (status === 'PAID') return { to: status, note: 'SECOND_PAYMENT' };
  if (isConclusive(status)) return { to: status, note: 'LATE' };
  if (rule !== 'ANY' && receivedMinor < dueOf(row)) {
    // A session that is being opened keeps its state. The command that opens it sees the payment, and reports it as
    // partly paid.
    const to = status === 'OPENING' ? status : 'PARTIALLY_PAID';
    return { to, note: rule === 'EXACT' ? 'SHORT' : null };
  }
  return { to: 'PAID', note: rule === 'EXACT' && receivedMinor > payable ? 'OVERPAID' : null };
}

function eventOf(from: SessionStatus, to: SessionStatus): string {
  if (to === 'PAID' && from !== 'PAID') return 'payment_session.paid';
  return to === 'PARTIALLY_PAID' ? 'payment_session.partially_paid' : 'payment_session.payment_received';
}
