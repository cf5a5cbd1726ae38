import {
  findCollectionSettlement,
  findInboundPayment,
  type InboundPaymentRow,
  readTakenBack,
  takeBack,
  unchangedPayment,
} from '../collections/index.ts';
import type { Movement } from '../ledger/index.ts';
import { mailWrite, type NewMail } from '../mail/index.ts';
import { DEFAULT_CURRENCY } from '../money/index.ts';
import { peopleOfRoles } from '../people/index.ts';
import { write } from '../platform/db/statement.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { jsonOf } from '../platform/json-text.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { ReportedDispute, UnlistedDispute } from '../rails/index.ts';
import { commitForDispute, disputesOf } from './change-dispute.ts';
import type { DisputeDeps } from './deps.ts';
import { disputeTaken } from './errors.ts';
import { type DisputeSource, insertDisputeEvidence } from './evidence-queries.ts';
import { openedMail } from './mails.ts';
import { type DisputeRow, findDispute, insertDisputes, type OperatorReason } from './queries.ts';
import { nextCheckAt, remindAtOf } from './times.ts';
import { disputeView } from './views.ts';

/** Scope of a unique key: a dispute is opened once, however often it is reported. */
const OPENED = 'DISPUTE';

/** A dispute that a provider confirmed, or two people entered, with the source. */
export interface Confirmed {
  rail: string;
  dispute: ReportedDispute;
  source: DisputeSource;
  code: string | null;
  at: Date;
}

/** A decision of two people, in the movement that carries it out. */
export type DecidedParts = Required<Pick<Movement, 'transitions' | 'writes'>>;

export const NOT_DECIDED: DecidedParts = { transitions: [], writes: [] };

interface ToOpen {
  tenant: Tenant;
  /** Noted before, so that every attempt to open it has the same id. */
  disputeId: string;
  paymentId: string;
}

/**
 * Opens a dispute once: its row, and in the wallet that has the payment a hold of what may be taken and is available.
 * For a payment that is in no wallet yet, nothing is held before it gets there. Everybody who may answer is notified by
 * mail.
 * @returns the dispute as it is; undefined where its payment is not in the books yet.
 */
export async function openDispute(
  deps: DisputeDeps,
  toOpen: ToOpen,
  confirmed: Confirmed,
): Promise<DisputeRow | undefined> {
  return (await openOnce(deps, toOpen, confirmed)).row;
}

/** As `openDispute`, together with what decided it. `isNew`: this call opened it, and committed what decided it. */
export async function openOnce(
  deps: DisputeDeps,
  { tenant, disputeId, paymentId }: ToOpen,
  confirmed: Confirmed,
  decided: DecidedParts = NOT_DECIDED,
): Promise<{ row: DisputeRow | undefined; isNew: boolean }> {
  const key = [tenant.merchantId, tenant.mode];
  const people = await peopleOfRoles(deps.database, tenant.merchantId, ['OWNER', 'ADMIN', 'MAKER']);
  let isThere = true;
  const find = async () => (await deps.database.query(findDispute, [...key, disputeId]))[0];
  const known = await find();
  if (known !== undefined) return { row: known, isNew: false };
  let isNew = false;
  try {
    isNew = await commitForDispute(deps.ledger.commit, async (isLast) => {
      const [payment] = await deps.database.query(findInboundPayment, [...key, paymentId]);
      isThere = payment !== undefined;
      if (payment === undefined) return undefined;
      const row = await rowOf(deps, payment, { disputeId, confirmed, isLast });
      const mails = people.map(({ email }) => openedMail(email, row));
      return opening(deps, { payment, row, confirmed, mails, decided });
    });
  } catch (error) {
    if (!(error instanceof AppError && error.code === disputeTaken().code)) throw error;
  }
  return { row: isThere ? await find() : undefined, isNew };
}

/** A payment that was returned, or that the operator kept: nothing of it could be taken from the merchant. */
const isGone = ({ status }: InboundPaymentRow) => status === 'RETURNED' || status === 'KEPT';

/** The wallet that has a payment; null while none has. */
export const walletOfPayment = (payment: InboundPaymentRow): string | null =>
  payment.status === 'CREDITED' ? (payment.attributed_wallet_id ?? payment.wallet_id) : null;

/** What of a payment is neither refunded nor disputed nor on its way back. */
export async function leftOfPayment(
  { database }: Pick<DisputeDeps, 'database'>,
  payment: InboundPaymentRow,
): Promise<bigint> {
  if (isGone(payment)) return 0n;
  const left = payment.amount_minor - (await readTakenBack(database, payment));
  return left < 0n ? 0n : left;
}

/** What could be taken from a wallet now. */
export async function availableIn(
  { ledger }: Pick<DisputeDeps, 'ledger'>,
  tenant: Tenant,
  walletId: string | null,
): Promise<bigint> {
  if (walletId === null) return 0n;
  const { availableMinor } = await ledger.readBalance(tenant, walletId);
  return availableMinor < 0n ? 0n : availableMinor;
}

export const lesser = (one: bigint, other: bigint): bigint => (one < other ? one : other);

async function rowOf(
  deps: DisputeDeps,
  payment: InboundPaymentRow,
  { disputeId, confirmed, isLast }: { disputeId: string; confirmed: Confirmed; isLast: boolean },
): Promise<DisputeRow> {
  const { dispute, rail } = confirmed;
  const at = deps.clock.now();
  const tenant: Tenant = { merchantId: payment.merchant_id, mode: payment.mode };
  const walletId = walletOfPayment(payment);
  const [left, available] = await Promise.all([
    leftOfPayment(deps, payment),
    isLast ? 0n : availableIn(deps, tenant, walletId),
  ]);
  const wanted = lesser(dispute.amountMinor, left);
  const held = lesser(wanted, available);
  const row: DisputeRow = {
    merchant_id: payment.merchant_id,
    mode: payment.mode,
    id: disputeId,
    payment_id: payment.id,
    rail,
    provider_dispute_id: dispute.providerDisputeId,
    source: confirmed.source === 'OPERATOR' ? 'OPERATOR' : 'PROVIDER',
    status: 'OPEN',
    reason: null,
    operator_reason: reviewReasonOf({ amount_minor: dispute.amountMinor, disputed_minor: wanted }, payment),
    category: dispute.category,
    message: dispute.message,
    amount_minor: dispute.amountMinor,
    disputed_minor: wanted,
    held_minor: held,
    taken_minor: 0n,
    loss_minor: 0n,
    repaid_minor: 0n,
    currency: DEFAULT_CURRENCY,
    wallet_id: walletId,
    receivable_id: payment.receivable_id,
    hold_id: held === 0n ? null : newId(),
    answer: null,
    answer_status: null,
    answer_reason: null,
    version: 1,
    due_at: dispute.dueAt,
    check_at: null,
    remind_at: remindAtOf(dispute.dueAt, at),
    checks: 0,
    opened_at: at,
    updated_at: at,
    ended_at: null,
    looked_note: null,
    looked_by: null,
    looked_at: null,
  };
  return { ...row, check_at: nextCheckAt(row, at) };
}

/**
 * Why people look at an open dispute, by its amounts. What is wanted beyond the payment is not taken from its merchant:
 * people find out what the provider means.
 */
export function reviewReasonOf(
  { amount_minor, disputed_minor }: Pick<DisputeRow, 'amount_minor' | 'disputed_minor'>,
  payment: Pick<InboundPaymentRow, 'amount_minor'>,
): OperatorReason | null {
  if (amount_minor > payment.amount_minor) return 'ABOVE_PAYMENT';
  return disputed_minor < amount_minor ? 'TAKEN_BACK_BEFORE' : null;
}

async function opening(
  deps: DisputeDeps,
  given: {
    payment: InboundPaymentRow;
    row: DisputeRow;
    confirmed: Confirmed;
    mails: readonly NewMail[];
    decided: DecidedParts;
  },
): Promise<Movement> {
  const { payment, row, confirmed, mails, decided } = given;
  const [settled] = await deps.database.query(findCollectionSettlement, [row.merchant_id, row.mode, payment.id]);
  const guard = unchangedPayment(payment, { isSettled: settled !== undefined });
  return {
    tenant: { merchantId: row.merchant_id, mode: row.mode },
    id: row.id,
    occurredAt: row.opened_at.toISOString(),
    uniqueKeys: [{ scope: OPENED, value: `${row.rail}/${row.provider_dispute_id}`, refusal: disputeTaken }],
    checks: guard.checks,
    changes: [...guard.changes, disputesOf(payment.id)],
    limitUsages: row.disputed_minor > 0n ? [takeBack(payment, row.disputed_minor)] : [],
    transitions: decided.transitions,
    transfers: holdOf(row),
    writes: [
      write(insertDisputes, row),
      evidenceWrite(row, confirmed),
      ...mails.map((mail) => mailWrite(deps, mail)),
      ...decided.writes,
    ],
    events: [{ id: newId(), type: 'dispute.opened', subjectId: row.id, data: jsonOf(disputeView(row)) }],
    answer: { message: 'The dispute is opened' },
  };
}

/** What the wallet holds of it until the dispute ends. */
export function holdOf({
  id,
  hold_id,
  wallet_id,
  held_minor,
  receivable_id,
}: DisputeRow): NonNullable<Movement['transfers']> {
  if (hold_id === null || wallet_id === null) return [];
  return [
    {
      kind: 'PENDING',
      id: hold_id,
      transactionId: id,
      debitAccountId: wallet_id,
      creditAccountId: receivable_id,
      amountMinor: held_minor,
      code: 'DISPUTE',
    },
  ];
}

/** The evidence of a report, unchanged. */
export function evidenceWrite(
  { merchant_id, mode, id }: DisputeRow,
  { source, code, dispute, at }: Omit<Confirmed, 'dispute'> & { dispute: ReportedDispute | UnlistedDispute },
) {
  return write(insertDisputeEvidence, {
    merchant_id,
    mode,
    dispute_id: id,
    id: newId(),
    source,
    state: dispute.state,
    code,
    reported: reportedText(dispute),
    received_at: at,
  });
}

/** The provider's report as it is stored, without characters that JSON in a database cannot have. */
export function reportedText({ amountMinor, dueAt, openedAt, ...facts }: ReportedDispute | UnlistedDispute): string {
  const reported = {
    ...facts,
    amountMinor: String(amountMinor),
    dueAt: dueAt?.toISOString() ?? null,
    openedAt: openedAt?.toISOString() ?? null,
  };
  return JSON.stringify(reported, (_key, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : value,
  );
}
