import { inboundPaymentNotFound } from '../collections/index.ts';
import { noteOf, reasonOf, requireOperator } from '../people/index.ts';
import type { Clock } from '../platform/clock.ts';
import { type Database, violatedUnique } from '../platform/db/database.ts';
import { invalidField } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { Tenant } from '../platform/tenant.ts';

import { requireWallet, requireWalletByNumber, type WalletDirectory } from '../wallets/index.ts';

import {
  merchantStillSuspended,
  paymentNotInSuspense,
  suspenseAlreadyProposed,
  suspenseProposalDecided,
  suspenseProposalNotFound,
} from './errors.ts';
import {
  findOpenPaymentProposal,
  findPaymentFacts,
  findPaymentProposal,
  insertPaymentProposal,
  type PaymentProposal,
  updatePaymentProposalClosed,
} from './payment-queries.ts';
import type { GivenProposal, PaymentAction } from './proposal.ts';
import { requireCloser } from './rules.ts';

interface ProposePaymentDeps {
  database: Database;
  wallets: WalletDirectory;
  clock: Clock;
  isSuspended: (merchantId: string) => Promise<boolean>;
}

/**
 * To which wallet of the merchant it is attributed, by its id or by an account number, with its bank where two of its
 * wallets have the number; without both, the one that it was paid to.
 */
interface ChosenWallet {
  walletId?: string | undefined;
  accountNumber?: string | undefined;
  bankCode?: string | undefined;
}

const OVERTAKEN = 'OVERTAKEN';

/**
 * Says what becomes of a payment in suspense, for a second person to confirm; of one that waits for its settlement, that
 * it went back to its payer. Nothing moves.
 * @returns with the id what the second person confirms: the digest of all that is proposed.
 * @throws AppError 400 `VALIDATION_FAILED`; 403 `OPERATOR_NOT_FOUND`; 404 `INBOUND_PAYMENT_NOT_FOUND`,
 *   `WALLET_NOT_FOUND`; 409 `ACCOUNT_NUMBER_AMBIGUOUS`, `PAYMENT_NOT_IN_SUSPENSE`, `SUSPENSE_ALREADY_PROPOSED`, `MERCHANT_STILL_SUSPENDED`.
 */
export async function proposeForPayment(
  deps: ProposePaymentDeps,
  given: GivenProposal<PaymentAction> & ChosenWallet & { tenant: Tenant; paymentId: string },
): Promise<{ proposalId: string; digest: string }> {
  const { tenant, paymentId, action, source, personId } = given;
  const { database, clock } = deps;
  const note = noteOf(given.note);
  await requireOperator(database, personId);
  const payment = [tenant.merchantId, tenant.mode, paymentId];
  const [facts] = await database.query(findPaymentFacts, payment);
  if (facts === undefined) throw inboundPaymentNotFound();
  // Of what waits for its settlement only one thing can be said: that the provider returned it to its payer.
  const mayEnd = facts.status === 'SUSPENSE' || (facts.status === 'PENDING_SETTLEMENT' && action === 'RETURN');
  if (!mayEnd) throw paymentNotInSuspense(facts.status);
  const walletId = await chosenWallet(deps, tenant, action, { paidTo: facts.wallet_id, ...given });
  const [open] = await database.query(findOpenPaymentProposal, payment);
  if (open !== undefined) {
    if (open.facts_digest === facts.facts_digest) throw suspenseAlreadyProposed();
    await setPaymentProposalStale(deps, open);
  }
  const id = newId();
  const terms = [paymentId, action, walletId, facts.facts_digest, source, note, personId, clock.now()];
  try {
    const [made] = await database.query(insertPaymentProposal, [tenant.merchantId, tenant.mode, id, ...terms]);
    return { proposalId: id, digest: made?.digest ?? '' };
  } catch (error) {
    if (violatedUnique(error) === 'suspense_proposals_one_open') throw suspenseAlreadyProposed();
    throw error;
  }
}

async function chosenWallet(
  { database, wallets, isSuspended }: ProposePaymentDeps,
  tenant: Tenant,
  action: PaymentAction,
  { walletId, accountNumber, bankCode, paidTo }: ChosenWallet & { paidTo: string },
): Promise<string | null> {
  const isChosen = walletId !== undefined || accountNumber !== undefined;
  if (action !== 'ATTRIBUTE') {
    if (isChosen) throw invalidField('walletId', 'is for what is attributed.');
    return null;
  }
  if (await isSuspended(tenant.merchantId)) throw merchantStillSuspended();
  if (walletId !== undefined && accountNumber !== undefined) {
    throw invalidField('walletId', 'is given, or the account number is.');
  }
  if (accountNumber !== undefined)
    return (await requireWalletByNumber(database, { accountNumber, bankCode, ...tenant })).id;
  return (await requireWallet(wallets, tenant, walletId ?? paidTo)).id;
}

/** An open proposal whose payment is no longer what it was made for. Nobody decided it: the facts did. */
export async function setPaymentProposalStale(
  { database, clock }: { database: Database; clock: Clock },
  { merchant_id, mode, id }: PaymentProposal,
): Promise<void> {
  await database.query(updatePaymentProposalClosed, [merchant_id, mode, id, 'STALE', OVERTAKEN, null, clock.now()]);
}

/** @throws AppError 404 `SUSPENSE_PROPOSAL_NOT_FOUND`. */
export async function requirePaymentProposal(
  database: Database,
  { merchantId, mode }: Tenant,
  proposalId: string,
): Promise<PaymentProposal> {
  const [proposal] = await database.query(findPaymentProposal, [merchantId, mode, proposalId]);
  if (proposal === undefined) throw suspenseProposalNotFound();
  return proposal;
}

/**
 * Another person turns a proposal down, or whoever made it takes it back; it stays in the history.
 * @throws AppError 400 without a reason; 403 `OPERATOR_NOT_FOUND`, `SECOND_PERSON_NEEDED`, `NOT_THE_MAKER`; 404
 *   `SUSPENSE_PROPOSAL_NOT_FOUND`; 409 `SUSPENSE_PROPOSAL_DECIDED`.
 */
export async function closePaymentProposal(
  deps: { database: Database; clock: Clock },
  input: {
    tenant: Tenant;
    proposalId: string;
    status: 'REJECTED' | 'WITHDRAWN';
    reason: string;
    personId: string;
  },
): Promise<void> {
  const { tenant, proposalId, status, personId } = input;
  const reason = reasonOf(input.reason);
  await requireCloser(deps, await requirePaymentProposal(deps.database, tenant, proposalId), input);
  const key = [tenant.merchantId, tenant.mode, proposalId];
  const closed = await deps.database.query(updatePaymentProposalClosed, [
    ...key,
    status,
    reason,
    personId,
    deps.clock.now(),
  ]);
  if (closed.length > 0) return;
  throw suspenseProposalDecided((await requirePaymentProposal(deps.database, tenant, proposalId)).status);
}
