import { type CreditDirectory, inboundPaymentNotFound, isReversedByProvider } from '../collections/index.ts';
import { noteOf, reasonOf, requireOperator } from '../people/index.ts';
import type { Clock } from '../platform/clock.ts';
import { type Database, violatedUnique } from '../platform/db/database.ts';
import { invalidField } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { Tenant } from '../platform/tenant.ts';
import { type FoundWallet, requireWallet, requireWalletByNumber, type WalletDirectory } from '../wallets/index.ts';
import {
  actionNotPossible,
  creditHasOwner,
  merchantStillSuspended,
  openCreditNotFound,
  paymentNotInSuspense,
  paymentWentBack,
  suspenseAlreadyProposed,
  suspenseProposalDecided,
  suspenseProposalNotFound,
} from './errors.ts';
import { type CreditAction, type GivenProposal, type PaymentAction, requireCloser } from './proposal.ts';
import {
  type CreditProposal,
  findCreditFacts,
  findCreditProposal,
  findOpenPaymentProposal,
  findPaymentFacts,
  findPaymentProposal,
  findPendingCreditProposal,
  insertCreditProposal,
  insertPaymentProposal,
  type KnownCredit,
  type PaymentProposal,
  updateCreditProposalClosed,
  updatePaymentProposalClosed,
} from './proposal-queries.ts';

const OVERTAKEN = 'OVERTAKEN';

/** What may be proposed for a credit, by its status. */
const POSSIBLE: Partial<Record<KnownCredit['status'], readonly CreditAction[]>> = {
  NO_OWNER: ['ATTRIBUTE', 'RETURN'],
  UNCONFIRMED: ['DISMISS'],
  CONTRADICTED: ['DISMISS'],
};

interface ProposeCreditDeps {
  database: Database;
  credits: CreditDirectory;
  clock: Clock;
}

/**
 * The wallet to which it is attributed, of any merchant, in the credit's mode; with its bank where two have the number.
 */
interface AttributedTo {
  accountNumber?: string | undefined;
  bankCode?: string | undefined;
}

/**
 * Proposes what to do with a reported credit that is in no books, for a second person to confirm. Nothing moves.
 * @returns the id, and the digest of all that is proposed, which the second person confirms.
 * @throws AppError 400 `VALIDATION_FAILED`; 403 `OPERATOR_NOT_FOUND`; 404 `OPEN_CREDIT_NOT_FOUND`, `WALLET_NOT_FOUND`;
 *   409 `ACCOUNT_NUMBER_AMBIGUOUS`, `SUSPENSE_ACTION_NOT_POSSIBLE`, `SUSPENSE_ALREADY_PROPOSED`, `CREDIT_HAS_OWNER`.
 */
export async function proposeForCredit(
  deps: ProposeCreditDeps,
  given: GivenProposal<CreditAction> & AttributedTo & { rail: string; creditKey: string },
): Promise<{ proposalId: string; digest: string }> {
  const { rail, creditKey, action, source, personId } = given;
  const { database, clock } = deps;
  const note = noteOf(given.note);
  await requireOperator(database, personId);
  const credit = await requireKnownCredit(database, rail, creditKey);
  if (POSSIBLE[credit.status]?.includes(action) !== true) throw actionNotPossible(action, credit.status);
  const wallet = await walletForCredit(deps, credit, given);
  if (action !== 'DISMISS') await requireOwnerless(deps, credit);
  const [open] = await database.query(findPendingCreditProposal, [rail, creditKey]);
  if (open !== undefined) {
    if (open.facts_digest === credit.facts_digest) throw suspenseAlreadyProposed();
    await setCreditProposalStale(deps, open);
  }
  const id = newId();
  const subject = [id, rail, creditKey, credit.mode, action, wallet?.merchant_id ?? null, wallet?.id ?? null];
  const money = [credit.confirmed_id, credit.confirmed_minor, credit.facts_digest];
  try {
    const columns = [...subject, ...money, source, note, personId, clock.now()];
    const [made] = await database.query(insertCreditProposal, columns);
    return { proposalId: id, digest: made?.digest ?? '' };
  } catch (error) {
    if (violatedUnique(error) === 'open_credit_proposals_one_open') throw suspenseAlreadyProposed();
    throw error;
  }
}

/** @throws AppError 404 `OPEN_CREDIT_NOT_FOUND`. */
export async function requireKnownCredit(database: Database, rail: string, creditKey: string): Promise<KnownCredit> {
  const [credit] = await database.query(findCreditFacts, [rail, creditKey]);
  if (credit === undefined) throw openCreditNotFound();
  return credit;
}

async function walletForCredit(
  { database }: ProposeCreditDeps,
  { mode }: KnownCredit,
  { action, accountNumber, bankCode }: { action: CreditAction } & AttributedTo,
): Promise<FoundWallet | undefined> {
  if ((action === 'ATTRIBUTE') !== (accountNumber !== undefined)) {
    throw invalidField('accountNumber', 'is for what is attributed, and is needed there');
  }
  if (accountNumber === undefined) return undefined;
  return requireWalletByNumber(database, { accountNumber, mode, bankCode });
}

/** Requires that the transfer leads to no payment and did not go back. */
async function requireOwnerless(
  { credits }: ProposeCreditDeps,
  { rail, confirmed_id, confirmed_session_id }: KnownCredit,
) {
  if (confirmed_id === null) throw new Error('a credit without an owner was confirmed by nobody');
  const key = { rail, provider_transaction_id: confirmed_id, session_id: confirmed_session_id };
  if ((await credits.findNoted(key)) !== undefined) throw creditHasOwner();
}

/** Ends an open proposal whose credit has changed since it was made. Nobody decided it: the facts did. */
export async function setCreditProposalStale(
  { database, clock }: { database: Database; clock: Clock },
  { id }: CreditProposal,
): Promise<void> {
  await database.query(updateCreditProposalClosed, [id, 'STALE', OVERTAKEN, null, clock.now()]);
}

/** @throws AppError 404 `SUSPENSE_PROPOSAL_NOT_FOUND`. */
export async function requireCreditProposal(database: Database, proposalId: string): Promise<CreditProposal> {
  const [proposal] = await database.query(findCreditProposal, [proposalId]);
  if (proposal === undefined) throw suspenseProposalNotFound();
  return proposal;
}

/**
 * Rejects a proposal, as another person, or withdraws it, as its maker. It stays in the history.
 * @throws AppError 400 without a reason; 403 `OPERATOR_NOT_FOUND`, `SECOND_PERSON_NEEDED`, `NOT_THE_MAKER`; 404
 *   `SUSPENSE_PROPOSAL_NOT_FOUND`; 409 `SUSPENSE_PROPOSAL_DECIDED`.
 */
export async function closeCreditProposal(
  deps: { database: Database; clock: Clock },
  input: { proposalId: string; status: 'REJECTED' | 'WITHDRAWN'; reason: string; personId: string },
): Promise<void> {
  const { proposalId, status, personId } = input;
  const reason = reasonOf(input.reason);
  await requireCloser(deps, await requireCreditProposal(deps.database, proposalId), input);
  const columns = [proposalId, status, reason, personId, deps.clock.now()];
  const closed = await deps.database.query(updateCreditProposalClosed, columns);
  if (closed.length > 0) return;
  throw suspenseProposalDecided((await requireCreditProposal(deps.database, proposalId)).status);
}

interface ProposePaymentDeps {
  database: Database;
  wallets: WalletDirectory;
  clock: Clock;
  isSuspended: (merchantId: string) => Promise<boolean>;
}

/**
 * The wallet of the merchant to which it is attributed, by its id or by an account number, with its bank where two of
 * its wallets have the number; without both, the one that it was paid to.
 */
interface ChosenWallet {
  walletId?: string | undefined;
  accountNumber?: string | undefined;
  bankCode?: string | undefined;
}

/**
 * Proposes what to do with a payment in suspense, for a second person to confirm; for one that waits for its
 * settlement, that it went back to its payer. Nothing moves.
 * @returns the id, and the digest of all that is proposed, which the second person confirms.
 * @throws AppError 400 `VALIDATION_FAILED`; 403 `OPERATOR_NOT_FOUND`; 404 `INBOUND_PAYMENT_NOT_FOUND`,
 *   `WALLET_NOT_FOUND`; 409 `ACCOUNT_NUMBER_AMBIGUOUS`, `PAYMENT_NOT_IN_SUSPENSE`, `SUSPENSE_ACTION_NOT_POSSIBLE`,
 *   `SUSPENSE_ALREADY_PROPOSED`, `MERCHANT_STILL_SUSPENDED`.
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
  // For a payment that waits for its settlement only one proposal is possible: that the provider returned it to its
  // payer.
  const mayEnd = facts.status === 'SUSPENSE' || (facts.status === 'PENDING_SETTLEMENT' && action === 'RETURN');
  if (!mayEnd) throw paymentNotInSuspense(facts.status);
  if (action !== 'RETURN' && (await isReversedByProvider(database, facts))) throw paymentWentBack();
  const walletId = await walletForPayment(deps, tenant, action, { paidTo: facts.wallet_id, ...given });
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

async function walletForPayment(
  { database, wallets, isSuspended }: ProposePaymentDeps,
  tenant: Tenant,
  action: PaymentAction,
  { walletId, accountNumber, bankCode, paidTo }: ChosenWallet & { paidTo: string },
): Promise<string | null> {
  const isChosen = walletId !== undefined || accountNumber !== undefined;
  if (action !== 'ATTRIBUTE') {
    if (isChosen) throw invalidField('walletId', 'is for what is attributed');
    return null;
  }
  if (await isSuspended(tenant.merchantId)) throw merchantStillSuspended();
  if (walletId !== undefined && accountNumber !== undefined) {
    throw invalidField('walletId', 'must be left out where an accountNumber is given');
  }
  if (accountNumber !== undefined)
    return (await requireWalletByNumber(database, { accountNumber, bankCode, ...tenant })).id;
  return (await requireWallet(wallets, tenant, walletId ?? paidTo)).id;
}

/** Ends an open proposal whose payment has changed since it was made. Nobody decided it: the facts did. */
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
 * Rejects a proposal, as another person, or withdraws it, as its maker. It stays in the history.
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
