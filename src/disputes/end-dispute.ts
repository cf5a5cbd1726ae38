import {
  findCollectionSettlement,
  findInboundPayment,
  releaseTakenBack,
  takeBack,
  unchangedPayment,
} from '../collections/index.ts';
import type { Movement, TransferDraft } from '../ledger/index.ts';
import { formatMoney } from '../money/index.ts';
import { write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import { tenantOf } from '../platform/tenant.ts';
import { type TransferSide, transactionParts } from '../transactions/index.ts';
import { listAnswers, updateAnswersEnded } from './answer-queries.ts';
import { changeOf, commitForDispute } from './change-dispute.ts';
import type { DisputeDeps } from './deps.ts';
import {
  availableIn,
  type Confirmed,
  type DecidedParts,
  evidenceWrite,
  leftOfPayment,
  lesser,
  NOT_DECIDED,
  walletOfPayment,
} from './open-dispute.ts';
import { type DisputeRow, type DisputeStatus, findDispute, isEnded, type OperatorReason } from './queries.ts';
import { firstCheckOfEnd } from './times.ts';

export type DisputeEnd = Extract<DisputeStatus, 'WON' | 'LOST' | 'ACCEPTED'>;

/** Lost because nobody answered in time. */
const BY_SILENCE = 'NOT_ANSWERED_IN_TIME';

/**
 * Ends a dispute, once, with its money. Won: the hold is released, and as much of the payment may be taken back again.
 * Lost or accepted: what is held is taken, then what the wallet has; what it does not have the merchant owes. Where the
 * provider wants less in the end than at the opening, that is taken; where it wants more, people find out why.
 * @param known the dispute as people saw it, where they end it. They may end a dispute that was won as lost, while it
 *   is what they saw.
 * @returns whether this call ended it; false where it has ended.
 */
export async function endDispute(
  deps: DisputeDeps,
  known: Pick<DisputeRow, 'merchant_id' | 'mode' | 'id' | 'status' | 'version'>,
  end: DisputeEnd,
  confirmed: Confirmed,
  decided: DecidedParts = NOT_DECIDED,
): Promise<boolean> {
  let isAbove = false;
  const isAfterWin = known.status === 'WON' && end === 'LOST' && decided !== NOT_DECIDED;
  const isEndedNow = await commitForDispute(deps.ledger.commit, async (isLast) => {
    const [found] = await deps.database.query(findDispute, [known.merchant_id, known.mode, known.id]);
    if (found === undefined || (isAfterWin ? found.version !== known.version : isEnded(found.status))) return undefined;
    const row = isAfterWin ? { ...found, ...NOTHING_HELD } : found;
    const at = deps.clock.now();
    const reason = end === 'LOST' && confirmed.dispute.bySilence ? BY_SILENCE : null;
    isAbove = end !== 'WON' && confirmed.dispute.amountMinor > row.amount_minor;
    const money = end === 'WON' ? won(row) : await lost(deps, row, { confirmed, at, isLast });
    const answer = answerEnd(row, end, confirmed);
    // What was to be looked at while it was open is over.
    const over = { check_at: firstCheckOfEnd(row, at), remind_at: null, ended_at: at };
    const ended = { status: end, reason, operator_reason: null, ...over, ...answer };
    const changed = { ...ended, ...money.changed, hold_id: row.hold_id };
    const { parts } = changeOf(row, changed, at);
    return {
      tenant: tenantOf(row),
      id: row.id,
      occurredAt: at.toISOString(),
      ...parts,
      checks: [...parts.checks, ...money.checks],
      limitUsages: money.limitUsages,
      transitions: [...parts.transitions, ...decided.transitions],
      transfers: money.transfers,
      writes: [
        ...parts.writes,
        ...decided.writes,
        ...money.writes,
        evidenceWrite(row, confirmed),
        ...(await answerWrites(deps, row, answer, at)),
      ],
      events: [...parts.events, ...money.events],
      answer: { message: 'The dispute has ended' },
    };
  });
  if (isEndedNow && isAbove) {
    deps.logger.error(
      { rail: confirmed.rail, disputeId: known.id, end },
      'a provider wants more at the end of a dispute than at its opening',
    );
    deps.onAlarm?.({ alarm: 'DISPUTE_ENDED_ABOVE', mode: known.mode, rail: confirmed.rail });
  }
  return isEndedNow;
}

/** Its win released the hold, and what could be taken of its payment. */
const NOTHING_HELD = { hold_id: null, held_minor: 0n, disputed_minor: 0n };

/** A dispute that took less than it wants of its payment is looked at again: what was on its way back may fail. */
export const shortReason = (
  { amount_minor, disputed_minor }: Pick<DisputeRow, 'amount_minor' | 'disputed_minor'>,
  paidMinor: bigint,
): OperatorReason | null => (disputed_minor < lesser(amount_minor, paidMinor) ? 'TAKEN_BACK_BEFORE' : null);

type Money = Required<Pick<Movement, 'checks' | 'limitUsages' | 'transfers' | 'writes' | 'events'>> & {
  changed: Partial<
    Pick<
      DisputeRow,
      'operator_reason' | 'amount_minor' | 'disputed_minor' | 'held_minor' | 'taken_minor' | 'loss_minor' | 'wallet_id'
    >
  >;
};

function won(row: DisputeRow): Money {
  return {
    changed: {},
    checks: [],
    limitUsages: row.disputed_minor > 0n ? [releaseTakenBack({ id: row.payment_id }, row.disputed_minor)] : [],
    transfers: resolution(row, 'VOID'),
    writes: [],
    events: [],
  };
}

/** The hold ends, with the dispute or for a larger one: it is released, or taken. */
export function resolution({ id, hold_id }: DisputeRow, kind: 'POST' | 'VOID'): NonNullable<Movement['transfers']> {
  if (hold_id === null) return [];
  return [{ kind, id: newId(), transactionId: id, pendingId: hold_id, pendingTransactionId: id }];
}

/** What a lost dispute costs, in minor units. */
interface Loss {
  /** What is wanted back in the end. */
  amount: bigint;
  /** The part of it that the payment has: this is taken or owed. */
  wanted: bigint;
  /** Where less is wanted than is held, all of it is released, and what is wanted is taken of that. */
  hold: 'POST' | 'VOID';
  /** The part of the hold that is taken. */
  held: bigint;
  /** What is taken from the wallet itself: of what it has beside the hold, or of what the hold releases. */
  now: bigint;
  taken: bigint;
  loss: bigint;
}

/**
 * @param leftMinor what of the payment nothing else takes back
 * @param availableMinor what the wallet has beside the hold
 */
function lossOf(
  { amount_minor, disputed_minor, held_minor }: DisputeRow,
  endedMinor: bigint,
  { leftMinor, availableMinor }: { leftMinor: bigint; availableMinor: bigint },
): Loss {
  const amount = lesser(amount_minor, endedMinor);
  // A refund that failed since the opening left more to be taken.
  const wanted = disputed_minor > amount ? amount : disputed_minor + lesser(amount - disputed_minor, leftMinor);
  if (wanted < held_minor) return { amount, wanted, hold: 'VOID', held: wanted, now: wanted, taken: wanted, loss: 0n };
  const now = lesser(wanted - held_minor, availableMinor);
  const taken = held_minor + now;
  return { amount, wanted, hold: 'POST', held: held_minor, now, taken, loss: wanted - taken };
}

async function lost(
  deps: DisputeDeps,
  row: DisputeRow,
  { confirmed, at, isLast }: { confirmed: Confirmed; at: Date; isLast: boolean },
): Promise<Money> {
  const tenant = tenantOf(row);
  const [payment] = await deps.database.query(findInboundPayment, [row.merchant_id, row.mode, row.payment_id]);
  if (payment === undefined) throw new Error(`the payment of dispute ${row.id} is gone`);
  const walletId = row.wallet_id ?? walletOfPayment(payment);
  const [[settled], leftMinor, availableMinor, receivable] = await Promise.all([
    deps.database.query(findCollectionSettlement, [row.merchant_id, row.mode, payment.id]),
    leftOfPayment(deps, payment),
    isLast ? 0n : availableIn(deps, tenant, walletId),
    deps.collectionAccounts.merchantReceivable(tenant),
  ]);
  const { amount, wanted, hold, held, now, taken, loss } = lossOf(row, confirmed.dispute.amountMinor, {
    leftMinor,
    availableMinor,
  });
  const more = wanted - row.disputed_minor;
  const post = (amountMinor: bigint, debitAccountId: string, code: 'DISPUTE' | 'DISPUTE_LOSS'): TransferDraft[] =>
    amountMinor === 0n
      ? []
      : [{ kind: 'POSTED', id: newId(), debitAccountId, creditAccountId: row.receivable_id, amountMinor, code }];
  const transaction =
    taken === 0n || walletId === null
      ? { writes: [], events: [] }
      : await transactionOf(deps, row, { walletId, taken, at });
  return {
    changed: {
      operator_reason: shortReason({ amount_minor: amount, disputed_minor: wanted }, payment.amount_minor),
      amount_minor: amount,
      disputed_minor: wanted,
      held_minor: held,
      taken_minor: taken,
      loss_minor: loss,
      wallet_id: walletId,
    },
    checks: unchangedPayment(payment, { isSettled: settled !== undefined }).checks,
    limitUsages: [
      ...(more > 0n ? [takeBack(payment, more)] : []),
      ...(more < 0n ? [releaseTakenBack(payment, -more)] : []),
    ],
    transfers: [
      ...resolution(row, hold),
      ...(walletId === null ? [] : post(now, walletId, 'DISPUTE')),
      ...post(loss, receivable, 'DISPUTE_LOSS'),
    ],
    ...transaction,
  };
}

/** Who gets it, as the merchant reads it: the payer, by way of the provider. */
const payeeOf = ({ receivable_id }: DisputeRow, payer: string | null): TransferSide => ({
  id: receivable_id,
  bankCode: '',
  bankName: '',
  accountNumber: '',
  accountName: payer ?? 'Unknown payer',
});

/** What left the wallet, as a transaction of the merchant with the dispute's id. */
async function transactionOf(
  deps: DisputeDeps,
  row: DisputeRow,
  { walletId, taken, at }: { walletId: string; taken: bigint; at: Date },
) {
  const tenant = tenantOf(row);
  const [wallet, { providerFloat }, [payment]] = await Promise.all([
    deps.wallets.findWallet(tenant, walletId),
    deps.wallets.requireTenantAccounts(tenant),
    deps.database.query(findInboundPayment, [row.merchant_id, row.mode, row.payment_id]),
  ]);
  if (wallet === undefined) throw new Error(`${walletId} is no wallet`);
  const to = payeeOf(row, payment?.payer_name ?? null);
  return transactionParts({
    tenant,
    transactionId: row.id,
    category: 'DISPUTE',
    amountMinor: taken,
    currency: row.currency,
    narration: `Dispute ${row.provider_dispute_id}`,
    description: `${formatMoney(taken, row.currency)} of a disputed payment went back to ${to.accountName}`,
    from: wallet,
    to,
    providerWalletId: providerFloat,
    walletId: wallet.id,
    at,
  });
}

/** An answer that was still on its way comes too late. */
const OVERTAKEN = 'DISPUTE_ENDED_BEFORE';

/** How an answer that waits ends: the provider's end says whether it had it. */
function answerEnd(
  { answer, answer_status }: DisputeRow,
  end: DisputeEnd,
  { dispute }: Confirmed,
): Partial<Pick<DisputeRow, 'answer_status' | 'answer_reason'>> {
  if (answer_status !== 'QUEUED') return {};
  const hadIt = answer === 'ACCEPT' ? end === 'ACCEPTED' : end !== 'ACCEPTED' && !dispute.bySilence;
  return hadIt ? { answer_status: 'SENT' } : { answer_status: 'REFUSED', answer_reason: OVERTAKEN };
}

async function answerWrites(
  { database }: DisputeDeps,
  { merchant_id, mode, id }: DisputeRow,
  { answer_status: status, answer_reason: reason = null }: ReturnType<typeof answerEnd>,
  at: Date,
) {
  if (status === undefined || status === null) return [];
  const waiting = (await database.query(listAnswers, [merchant_id, mode, id])).filter((one) => one.status === 'QUEUED');
  return waiting.map((one) =>
    write(updateAnswersEnded, { merchant_id, mode, id: one.id, status, reason, ended_at: at }),
  );
}
