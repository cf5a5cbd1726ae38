import type { FindAvailability } from '../availability/index.ts';
import {
  type CollectionAccounts,
  commitForPayment,
  findCollectionSettlement,
  type InboundPaymentRow,
  inboundPaymentView,
  inboundStates,
  isReversedByProvider,
  nothingTakenBack,
  type PaymentToWallet,
  paymentToWallet,
  type ReleaseHook,
  readCreditTerms,
  releaseParts,
  storedPayment,
  termsColumns,
  unchangedPayment,
  updatePaymentsAttributed,
} from '../collections/index.ts';
import { type Fees, NO_CHARGES } from '../fees/index.ts';
import { joinParts, type Ledger, type Movement, type MovementParts, type TransferDraft } from '../ledger/index.ts';
import { requireSecondPerson } from '../people/index.ts';
import type { OnAlarm } from '../platform/alarm.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { type Write, write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import { jsonOf } from '../platform/json-text.ts';
import type { Logger } from '../platform/logger.ts';
import { type Tenant, tenantOf } from '../platform/tenant.ts';
import type { FindReserve } from '../reserves/index.ts';
import { type WalletDirectory, walletNotFound } from '../wallets/index.ts';
import {
  merchantStillSuspended,
  paymentFrozen,
  paymentNotInSuspense,
  paymentWentBack,
  proposalYours,
  suspenseProposalDecided,
  suspenseProposalStale,
} from './errors.ts';
import { requireUnaltered, suspenseProposalStates } from './proposal.ts';
import { findPaymentFacts, type PaymentProposal, updatePaymentProposalsConfirmed } from './proposal-queries.ts';
import { requirePaymentProposal, setPaymentProposalStale } from './proposals.ts';

/** Scope of a unique key: a payment leaves suspense once, whatever its row says. */
const LEFT_SUSPENSE = 'SUSPENSE_END';
/** Scope of a unique key: a payment that waited for its settlement went back, once. */
const RETURNED_PENDING = 'PENDING_RETURN';

type End = Exclude<InboundPaymentRow['status'], 'SUSPENSE'>;

const EVENTS: Record<End, string> = {
  CREDITED: 'inbound_payment.credited',
  PENDING_SETTLEMENT: 'inbound_payment.pending',
  RETURNED: 'inbound_payment.returned',
  KEPT: 'inbound_payment.kept',
};
const MESSAGES: Record<End, string> = {
  CREDITED: 'The wallet is credited',
  PENDING_SETTLEMENT: 'The payment waits for its settlement',
  RETURNED: 'The payment is returned',
  KEPT: 'The payment is kept',
};

/** A module above that knows why a payment is held. */
export interface PaymentReview {
  /** Whether a freeze is in force by which it may not leave suspense. */
  isPaymentFrozen(payment: InboundPaymentRow): Promise<boolean>;
  /** Ends the case about it, in the movement that ends its suspense. */
  caseWrites(payment: InboundPaymentRow, status: 'RELEASED' | 'REFUSED', at: Date): readonly Write[];
}

export interface ConfirmPaymentDeps {
  database: Database;
  ledger: Ledger;
  wallets: WalletDirectory;
  fees: Pick<Fees, 'quoteCollection'>;
  findReserve: FindReserve;
  collectionAccounts: CollectionAccounts;
  availability: FindAvailability;
  clock: Clock;
  logger: Logger;
  isSuspended: (merchantId: string) => Promise<boolean>;
  compliance: PaymentReview;
  releaseHooks: readonly ReleaseHook[];
  onAlarm?: OnAlarm | undefined;
}

/**
 * Confirms a proposal, as a second person: the payment leaves suspense, or the account of payments that wait for a
 * settlement, and the proposal is confirmed, in one movement. A payment that is attributed before it is settled waits
 * for its settlement where the rule in force says so. A payment that is returned is no longer owed by the provider;
 * where the provider had settled it, it leaves the float.
 *
 * A caller that does not know the outcome may repeat it: a proposal that was confirmed is refused with
 * `SUSPENSE_PROPOSAL_DECIDED`.
 * @param input `digest` is of the proposal as the second person saw it.
 * @throws AppError 403 `SECOND_PERSON_NEEDED`, `SECOND_PERSON_TOO_NEW`, `OPERATOR_NOT_FOUND`; 404
 *   `SUSPENSE_PROPOSAL_NOT_FOUND`; 409 `SUSPENSE_PROPOSAL_DECIDED`, `SUSPENSE_PROPOSAL_STALE`,
 *   `SUSPENSE_PROPOSAL_ALTERED`, `PAYMENT_NOT_IN_SUSPENSE`, `SUSPENSE_ACTION_NOT_POSSIBLE`, `MERCHANT_STILL_SUSPENDED`,
 *   `PAYMENT_FROZEN`; 422
 *   `PAYMENT_TAKEN_BACK` where a payment that would go elsewhere is disputed; 503 of the ledger.
 */
export async function confirmForPayment(
  deps: ConfirmPaymentDeps,
  { tenant, proposalId, digest, personId }: { tenant: Tenant; proposalId: string; digest: string; personId: string },
): Promise<{ paymentId: string; status: End }> {
  const first = await requirePaymentProposal(deps.database, tenant, proposalId);
  await requireSecondPerson(deps, first, { personId, yours: proposalYours });
  let end: End = 'CREDITED';
  await commitForPayment(deps.ledger.commit, async (isLast) => {
    const proposal = await requirePaymentProposal(deps.database, tenant, proposalId);
    if (proposal.status !== 'PENDING') throw suspenseProposalDecided(proposal.status);
    requireUnaltered(deps, proposal, digest);
    const payment = await requireUnchanged(deps, proposal);
    if (await deps.compliance.isPaymentFrozen(payment)) throw paymentFrozen();
    const isReturn = proposal.action === 'RETURN';
    if (!isReturn && (await isReversedByProvider(deps.database, payment))) throw paymentWentBack();
    const [settled] = await deps.database.query(findCollectionSettlement, [tenant.merchantId, tenant.mode, payment.id]);
    const decision = { proposal, payment, personId, isSettled: settled !== undefined, isLast, at: deps.clock.now() };
    end = await endOf(deps, tenant, decision);
    return ending(deps, tenant, decision, end);
  });
  return { paymentId: first.payment_id, status: end };
}

/** Where the payment goes: before its settlement it is available only where the rule says so. */
async function endOf(
  { availability }: ConfirmPaymentDeps,
  tenant: Tenant,
  { proposal, payment, isSettled, at }: Pick<Decision, 'proposal' | 'payment' | 'isSettled' | 'at'>,
): Promise<End> {
  if (proposal.action === 'RETURN') return 'RETURNED';
  if (proposal.action === 'KEEP') return 'KEPT';
  if (isSettled) return 'CREDITED';
  const waits = (await availability({ tenant, channel: payment.channel, at })) === 'ON_SETTLEMENT';
  return waits ? 'PENDING_SETTLEMENT' : 'CREDITED';
}

async function requireUnchanged(deps: ConfirmPaymentDeps, proposal: PaymentProposal): Promise<InboundPaymentRow> {
  const { merchant_id, mode, payment_id } = proposal;
  const [facts] = await deps.database.query(findPaymentFacts, [merchant_id, mode, payment_id]);
  if (facts !== undefined && facts.facts_digest === proposal.facts_digest) return facts;
  // Where another person confirmed it just now, that is the refusal.
  const now = await requirePaymentProposal(deps.database, tenantOf(proposal), proposal.id);
  if (now.status !== 'PENDING') throw suspenseProposalDecided(now.status);
  await setPaymentProposalStale(deps, proposal);
  throw suspenseProposalStale();
}

interface Decision {
  proposal: PaymentProposal;
  payment: InboundPaymentRow;
  personId: string;
  /** The provider's money has arrived: it lies in the float. */
  isSettled: boolean;
  /** The last attempt: no balance is relied on. */
  isLast: boolean;
  at: Date;
}

/**
 * The states, the posting, the transaction and the event commit together, once: guarded by both states and by a unique
 * key.
 */
async function ending(deps: ConfirmPaymentDeps, tenant: Tenant, decision: Decision, end: End): Promise<Movement> {
  const { proposal, payment, personId, isSettled, isLast, at } = decision;
  const { wallet_id: walletId } = proposal;
  const key = { merchant_id: tenant.merchantId, mode: tenant.mode };
  const { amount_minor: amountMinor, channel } = payment;
  const isCredited = end === 'CREDITED';
  const terms = isCredited ? await readCreditTerms(deps, { tenant, amountMinor, channel, at }) : UNTOUCHED;
  const taken = termsColumns(terms);
  const base = await postingOf(deps, tenant, { ...decision, end, terms });
  const ended: InboundPaymentRow = {
    ...payment,
    status: end,
    reason: null,
    attributed_wallet_id: walletId ?? payment.attributed_wallet_id,
    ...taken,
    updated_at: at,
  };
  const decided = { ...key, id: proposal.id, decided_by: personId, decided_at: at };
  const released = end === 'CREDITED' ? await releasedBy(deps, tenant, ended, isLast) : {};
  const own: MovementParts = {
    limitUsages: end === 'RETURNED' || end === 'KEPT' ? nothingTakenBack(payment) : [],
    uniqueKeys: [
      {
        scope: payment.status === 'SUSPENSE' ? LEFT_SUSPENSE : RETURNED_PENDING,
        value: payment.id,
        refusal: () => paymentNotInSuspense('ended before'),
      },
    ],
    transitions: [
      {
        machine: suspenseProposalStates,
        id: proposal.id,
        from: ['PENDING'],
        to: 'CONFIRMED',
        reason: null,
        refusal: suspenseProposalDecided,
      },
      {
        machine: inboundStates,
        id: payment.id,
        from: [payment.status],
        to: end,
        reason: null,
        refusal: paymentNotInSuspense,
      },
    ],
    writes: [
      ...deps.compliance.caseWrites(payment, proposal.action === 'ATTRIBUTE' ? 'RELEASED' : 'REFUSED', at),
      write(updatePaymentProposalsConfirmed, decided),
      ...(walletId === null
        ? []
        : [write(updatePaymentsAttributed, { ...key, id: payment.id, wallet_id: walletId, ...taken })]),
    ],
    events: [{ id: newId(), type: EVENTS[end], subjectId: payment.id, data: jsonOf(inboundPaymentView(ended)) }],
  };
  return { ...base, ...joinParts(base, unchangedPayment(payment, { isSettled }), own, released) };
}

/** What other modules have to do when a payment gets to its wallet, such as a dispute that holds it. */
function releasedBy({ releaseHooks }: ConfirmPaymentDeps, tenant: Tenant, payment: InboundPaymentRow, isLast: boolean) {
  const { amount_minor, fee_minor, vat_minor, reserve_minor } = payment;
  const walletId = payment.attributed_wallet_id ?? payment.wallet_id;
  const netMinor = amount_minor - fee_minor - vat_minor - reserve_minor;
  const release = { paymentId: payment.id, walletId, netMinor, isLast, at: payment.updated_at };
  return releaseParts(releaseHooks, tenant, release);
}

/** For a payment that is in no wallet. */
const UNTOUCHED: CreditTerms = { charges: NO_CHARGES, reserve: null };

type CreditTerms = Pick<PaymentToWallet, 'charges' | 'reserve'>;

interface Posting extends Decision {
  end: End;
  terms: CreditTerms;
}

async function postingOf(deps: ConfirmPaymentDeps, tenant: Tenant, posting: Posting): Promise<Movement> {
  const { proposal, payment, end, terms, isSettled, at } = posting;
  const accounts = await deps.wallets.requireTenantAccounts(tenant);
  const isPending = payment.status === 'PENDING_SETTLEMENT';
  const debitAccountId = isPending ? await deps.collectionAccounts.pending(tenant) : accounts.suspense;
  if (proposal.action === 'ATTRIBUTE') {
    if (await deps.isSuspended(tenant.merchantId)) throw merchantStillSuspended();
    const walletId = proposal.wallet_id;
    const wallet = walletId === null ? undefined : await deps.wallets.findWallet(tenant, walletId);
    if (wallet === undefined) throw walletNotFound();
    if (end === 'CREDITED') return toWallet(tenant, { payment, wallet, accounts, ...terms, debitAccountId, at });
    const creditAccountId = await deps.collectionAccounts.pending(tenant);
    return moved(tenant, posting, { debitAccountId, creditAccountId, code: 'COLLECTION_PENDING' });
  }
  if (proposal.action === 'KEEP') {
    return moved(tenant, posting, { debitAccountId, creditAccountId: accounts.feeIncome, code: 'SUSPENSE_KEPT' });
  }
  // The payer gets it outside of this service: the provider owes it no more, or it is taken from what the provider
  // settled.
  const creditAccountId = isSettled ? accounts.providerFloat : payment.receivable_id;
  return moved(tenant, posting, { debitAccountId, creditAccountId, code: 'COLLECTION_RETURN' });
}

type Way = Pick<TransferDraft, 'debitAccountId' | 'creditAccountId' | 'code'>;

/** Moves all of it from one account to another. */
function moved(tenant: Tenant, { payment, end, at }: Posting, way: Way): Movement {
  const transfer: TransferDraft = { kind: 'POSTED', id: newId(), ...way, amountMinor: payment.amount_minor };
  const answer = { message: MESSAGES[end] };
  return { tenant, id: payment.id, occurredAt: at.toISOString(), transfers: [transfer], answer };
}

function toWallet(
  tenant: Tenant,
  {
    payment,
    ...into
  }: { payment: InboundPaymentRow } & Pick<
    PaymentToWallet,
    'wallet' | 'accounts' | 'charges' | 'reserve' | 'debitAccountId' | 'at'
  >,
): Movement {
  return paymentToWallet({ ...storedPayment(tenant, payment), ...into });
}
