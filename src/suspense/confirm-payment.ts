import {
  type InboundPaymentRow,
  inboundPaymentView,
  inboundStates,
  paymentToWallet,
  updatePaymentsAttributed,
} from '../collections/index.ts';
import { type CollectionCharges, type Fees, NO_CHARGES } from '../fees/index.ts';
import type { Ledger, Movement, TransferDraft } from '../ledger/index.ts';
import { DEFAULT_CURRENCY } from '../money/index.ts';
import { requireSecondPerson } from '../people/index.ts';
import type { OnAlarm } from '../platform/alarm.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import { jsonOf } from '../platform/json-text.ts';
import type { Logger } from '../platform/logger.ts';
import { type Tenant, tenantOf } from '../platform/tenant.ts';
import { type TenantAccounts, type WalletDirectory, walletNotFound } from '../wallets/index.ts';
import {
  merchantStillSuspended,
  paymentNotInSuspense,
  proposalYours,
  suspenseProposalDecided,
  suspenseProposalStale,
} from './errors.ts';
import { requirePaymentProposal, setPaymentProposalStale } from './payment-proposals.ts';
import { findPaymentFacts, type PaymentProposal, updatePaymentProposalsConfirmed } from './payment-queries.ts';
import { type PaymentAction, suspenseProposalStates } from './proposal.ts';
import { requireUnaltered } from './rules.ts';

/** Of a unique key: a payment leaves suspense once, whatever its row says. */
const LEFT_SUSPENSE = 'SUSPENSE_END';

const ENDS = { ATTRIBUTE: 'CREDITED', RETURN: 'RETURNED', KEEP: 'KEPT' } as const satisfies Record<
  PaymentAction,
  InboundPaymentRow['status']
>;
const EVENTS: Record<PaymentAction, string> = {
  ATTRIBUTE: 'inbound_payment.credited',
  RETURN: 'inbound_payment.returned',
  KEEP: 'inbound_payment.kept',
};
const MESSAGES: Record<PaymentAction, string> = {
  ATTRIBUTE: 'The wallet is credited',
  RETURN: 'The payment is returned',
  KEEP: 'The payment is kept',
};

export interface ConfirmPaymentDeps {
  database: Database;
  ledger: Ledger;
  wallets: WalletDirectory;
  fees: Pick<Fees, 'quoteCollection'>;
  clock: Clock;
  logger: Logger;
  isSuspended: (merchantId: string) => Promise<boolean>;
  onAlarm?: OnAlarm | undefined;
}

/**
 * The second person's yes: the payment leaves suspense and the proposal is confirmed, in one movement.
 *
 * Whoever does not know whether it was done may repeat it: one that is done is `SUSPENSE_PROPOSAL_DECIDED`.
 * @param input `digest` is of the proposal as the second person saw it.
 * @throws AppError 403 `SECOND_PERSON_NEEDED`, `SECOND_PERSON_TOO_NEW`, `OPERATOR_NOT_FOUND`; 404
 *   `SUSPENSE_PROPOSAL_NOT_FOUND`; 409 `SUSPENSE_PROPOSAL_DECIDED`, `SUSPENSE_PROPOSAL_STALE`,
 *   `SUSPENSE_PROPOSAL_ALTERED`, `PAYMENT_NOT_IN_SUSPENSE`, `MERCHANT_STILL_SUSPENDED`; 503 of the ledger.
 */
export async function confirmForPayment(
  deps: ConfirmPaymentDeps,
  { tenant, proposalId, digest, personId }: { tenant: Tenant; proposalId: string; digest: string; personId: string },
): Promise<{ paymentId: string; status: (typeof ENDS)[PaymentAction] }> {
  const proposal = await requirePaymentProposal(deps.database, tenant, proposalId);
  await requireSecondPerson(deps, proposal, { personId, yours: proposalYours });
  if (proposal.status !== 'PENDING') throw suspenseProposalDecided(proposal.status);
  requireUnaltered(deps, proposal, digest);
  const payment = await requireUnchanged(deps, proposal);
  await deps.ledger.commit(await ending(deps, tenant, { proposal, payment, personId }));
  return { paymentId: payment.id, status: ENDS[proposal.action] };
}

async function requireUnchanged(deps: ConfirmPaymentDeps, proposal: PaymentProposal): Promise<InboundPaymentRow> {
  const { merchant_id, mode, payment_id } = proposal;
  const [facts] = await deps.database.query(findPaymentFacts, [merchant_id, mode, payment_id]);
  if (facts !== undefined && facts.facts_digest === proposal.facts_digest) return facts;
  // Where the other of two confirmed it just now, that is why.
  const now = await requirePaymentProposal(deps.database, tenantOf(proposal), proposal.id);
  if (now.status !== 'PENDING') throw suspenseProposalDecided(now.status);
  await setPaymentProposalStale(deps, proposal);
  throw suspenseProposalStale();
}

interface Decision {
  proposal: PaymentProposal;
  payment: InboundPaymentRow;
  personId: string;
}

/** The states, the posting, the transaction and the event commit together, once: by both states and by a key. */
async function ending(deps: ConfirmPaymentDeps, tenant: Tenant, { proposal, payment, personId }: Decision) {
  const { action, wallet_id: walletId } = proposal;
  const at = deps.clock.now();
  const accounts = await deps.wallets.requireTenantAccounts(tenant);
  const key = { merchant_id: tenant.merchantId, mode: tenant.mode };
  const amount = { amountMinor: payment.amount_minor, currency: DEFAULT_CURRENCY };
  const charges = action === 'ATTRIBUTE' ? await deps.fees.quoteCollection({ ...amount, at }) : NO_CHARGES;
  const taken = { fee_minor: charges.feeMinor, vat_minor: charges.vatMinor };
  const base =
    action === 'ATTRIBUTE'
      ? await attribution(deps, { tenant, payment, walletId, accounts, charges, at })
      : outOfBooks(tenant, { action, payment, accounts, at });
  const ended: InboundPaymentRow = {
    ...payment,
    status: ENDS[action],
    reason: null,
    attributed_wallet_id: walletId,
    ...taken,
    updated_at: at,
  };
  const decided = { ...key, id: proposal.id, decided_by: personId, decided_at: at };
  return {
    ...base,
    uniqueKeys: [{ scope: LEFT_SUSPENSE, value: payment.id, taken: () => paymentNotInSuspense('ended before') }],
    transitions: [
      {
        machine: suspenseProposalStates,
        id: proposal.id,
        from: ['PENDING'],
        to: 'CONFIRMED',
        reason: null,
        otherwise: suspenseProposalDecided,
      },
      {
        machine: inboundStates,
        id: payment.id,
        from: ['SUSPENSE'],
        to: ENDS[action],
        reason: null,
        otherwise: paymentNotInSuspense,
      },
    ],
    writes: [
      ...(base.writes ?? []),
      write(updatePaymentProposalsConfirmed, decided),
      ...(walletId === null
        ? []
        : [write(updatePaymentsAttributed, { ...key, id: payment.id, wallet_id: walletId, ...taken })]),
    ],
    events: [
      ...(base.events ?? []),
      { id: newId(), type: EVENTS[action], subjectId: payment.id, data: jsonOf(inboundPaymentView(ended)) },
    ],
  } satisfies Movement;
}

interface OutOfSuspense {
  payment: InboundPaymentRow;
  accounts: TenantAccounts;
  at: Date;
}

interface Attribution extends OutOfSuspense {
  tenant: Tenant;
  walletId: string | null;
  charges: CollectionCharges;
}

async function attribution(
  { wallets, isSuspended }: ConfirmPaymentDeps,
  { tenant, payment, walletId, accounts, charges, at }: Attribution,
): Promise<Movement> {
  if (await isSuspended(tenant.merchantId)) throw merchantStillSuspended();
  const wallet = walletId === null ? undefined : await wallets.findWallet(tenant, walletId);
  if (wallet === undefined) throw walletNotFound();
  return paymentToWallet({
    tenant,
    paymentId: payment.id,
    amountMinor: payment.amount_minor,
    payerName: payment.payer_name,
    payerAccountNumber: payment.payer_account_number,
    payerBankName: payment.payer_bank_name,
    narration: payment.narration,
    wallet,
    accounts,
    charges,
    debitAccountId: accounts.suspense,
    at,
  });
}

/** To the payer, who gets it outside of this service, so that the provider owes it no more; or to the operator's income. */
function outOfBooks(
  tenant: Tenant,
  { action, payment, accounts, at }: OutOfSuspense & { action: 'RETURN' | 'KEEP' },
): Movement {
  const isReturn = action === 'RETURN';
  const transfer: TransferDraft = {
    kind: 'POSTED',
    id: newId(),
    debitAccountId: accounts.suspense,
    creditAccountId: isReturn ? payment.receivable_id : accounts.feeIncome,
    amountMinor: payment.amount_minor,
    code: isReturn ? 'COLLECTION_RETURN' : 'SUSPENSE_KEPT',
  };
  const answer = { message: MESSAGES[action] };
  return { tenant, id: payment.id, occurredAt: at.toISOString(), transfers: [transfer], answer };
}
