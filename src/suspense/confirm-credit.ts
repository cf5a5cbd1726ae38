import {
  askAboutOpenCredit,
  type CollectionDeps,
  findCreditRail,
  hintOf,
  insertDecidedCredit,
  isBookedNow,
  type OpenCreditStatus,
  type TakenCredit,
  updateOpenCreditDecided,
} from '../collections/index.ts';
import { requireOperator, requireSecondPerson } from '../people/index.ts';
import { type Queries, violatedUnique } from '../platform/db/database.ts';
import { newId } from '../platform/ids.ts';
import {
  creditHasOwner,
  creditNotConfirmed,
  proposalYours,
  suspenseProposalDecided,
  suspenseProposalStale,
} from './errors.ts';
import { type CreditAction, requireUnaltered } from './proposal.ts';
import {
  type CreditProposal,
  findPaymentOfTransfer,
  type KnownCredit,
  updateCreditProposalConfirmed,
} from './proposal-queries.ts';
import { requireCreditProposal, requireKnownCredit, setCreditProposalStale } from './proposals.ts';

/**
 * `CREDITED`: it is in the wallet. `PENDING`: it waits for its settlement. `HELD`: it is the merchant's, in suspense.
 * `OPEN`: it is decided, and is booked as soon as the provider answers.
 */
export type CreditEnd = 'CREDITED' | 'PENDING' | 'HELD' | 'OPEN' | 'RETURNED' | 'DISMISSED';

/**
 * Confirms a proposal, as a second person. The provider of a credit that is attributed confirms it once more; then the
 * decision is kept, and the credit is booked like any other. The decision stays: where the process dies before the
 * credit is booked, the next poll books it, and so does a repeated confirmation, once.
 * @param input `digest` is of the proposal as the second person saw it.
 * @throws AppError 403 `SECOND_PERSON_NEEDED`, `SECOND_PERSON_TOO_NEW`, `OPERATOR_NOT_FOUND`; 404
 *   `SUSPENSE_PROPOSAL_NOT_FOUND`; 409 `SUSPENSE_PROPOSAL_DECIDED`, `SUSPENSE_PROPOSAL_STALE`,
 *   `SUSPENSE_PROPOSAL_ALTERED`, `CREDIT_HAS_OWNER`, `CREDIT_NOT_CONFIRMED`; 503 of the ledger.
 */
export async function confirmForCredit(
  deps: CollectionDeps,
  { proposalId, digest, personId }: { proposalId: string; digest: string; personId: string },
): Promise<{ result: CreditEnd }> {
  const proposal = await requireCreditProposal(deps.database, proposalId);
  await requireSecondPerson(deps, proposal, { personId, yours: proposalYours });
  const credit = await requireKnownCredit(deps.database, proposal.rail, proposal.credit_key);
  const isHalfDone = proposal.status === 'CONFIRMED' && proposal.action === 'ATTRIBUTE' && credit.status !== 'DONE';
  if (proposal.status !== 'PENDING' && !isHalfDone) throw suspenseProposalDecided(proposal.status);
  requireUnaltered(deps, proposal, digest);
  if (!isHalfDone) await decide(deps, { proposal, credit, personId });
  if (proposal.action !== 'ATTRIBUTE') return { result: proposal.action === 'RETURN' ? 'RETURNED' : 'DISMISSED' };
  return { result: await endOf(deps, proposal, await askAboutOpenCredit(deps, credit, 'CHECK')) };
}

/** Where another process was faster, the result is what its copy was booked as. */
async function endOf(
  { database }: CollectionDeps,
  { merchant_id, mode, rail, provider_transaction_id }: CreditProposal,
  taken: TakenCredit | undefined,
): Promise<CreditEnd> {
  if (isBookedNow(taken)) return taken;
  if (taken !== 'ALREADY_TAKEN') return 'OPEN';
  const [payment] = await database.query(findPaymentOfTransfer, [merchant_id, mode, rail, provider_transaction_id]);
  if (payment?.status === 'PENDING_SETTLEMENT') return 'PENDING';
  return payment?.status === 'SUSPENSE' ? 'HELD' : 'CREDITED';
}

/** The status of the credit from then on. */
const DECIDED: Record<CreditAction, OpenCreditStatus> = {
  ATTRIBUTE: 'WAITING',
  RETURN: 'RETURNED',
  DISMISS: 'DISMISSED',
};

interface Decision {
  proposal: CreditProposal;
  credit: KnownCredit;
  personId: string;
}

async function decide(deps: CollectionDeps, { proposal, credit, personId }: Decision): Promise<void> {
  const { database, clock } = deps;
  if (credit.facts_digest !== proposal.facts_digest) throw await overtaken(deps, proposal);
  if (proposal.action === 'ATTRIBUTE') await requireConfirmed(deps, credit);
  try {
    if (await database.transaction((tx) => keepDecision(tx, { proposal, credit, personId }, clock.now()))) return;
  } catch (error) {
    if (violatedUnique(error)?.startsWith('credit_directory_') === true) throw creditHasOwner();
    throw error;
  }
  const now = await requireCreditProposal(database, proposal.id);
  if (now.status !== 'PENDING') throw suspenseProposalDecided(now.status);
  throw await overtaken(deps, proposal);
}

/**
 * All in one transaction. The proposal is confirmed. Its transfer leads to a payment of the wallet from now on, or to
 * nobody where it went back. The credit is ended, or is due to be asked about at once, so that it is booked also if
 * this process dies.
 * @returns false where the proposal is no longer open, or its credit no longer as it was
 */
async function keepDecision(tx: Queries, { proposal, credit, personId }: Decision, at: Date): Promise<boolean> {
  const { id, action, rail, credit_key, mode, merchant_id, wallet_id } = proposal;
  const confirmed = await tx.query(updateCreditProposalConfirmed, [id, personId, at]);
  if (confirmed.length === 0) return false;
  if (action !== 'DISMISS') {
    const transfer = [rail, proposal.provider_transaction_id, credit.confirmed_session_id, mode];
    const paymentId = action === 'ATTRIBUTE' ? newId() : null;
    const owner = [merchant_id, paymentId, wallet_id, credit.confirmed_account_number];
    await tx.query(insertDecidedCredit, [...transfer, ...owner, at]);
  }
  const isDue = action === 'ATTRIBUTE';
  const state = [DECIDED[action], isDue ? 'ATTRIBUTED' : null, isDue ? at : null];
  await tx.query(updateOpenCreditDecided, [rail, credit_key, ...state, at]);
  return true;
}

async function overtaken(deps: CollectionDeps, proposal: CreditProposal) {
  await setCreditProposalStale(deps, proposal);
  return suspenseProposalStale();
}

/** Two people decide about what the provider says now, not what it said when the credit was kept. */
async function requireConfirmed(deps: CollectionDeps, row: KnownCredit): Promise<void> {
  const rail = await findCreditRail(deps.rails, row.mode, row.rail);
  const answer = await rail?.wallets.queryCredit(hintOf(row));
  const isConfirmed =
    answer?.outcome === 'confirmed' &&
    answer.credit.providerTransactionId === row.confirmed_id &&
    answer.credit.amountMinor === row.confirmed_minor;
  if (!isConfirmed) throw creditNotConfirmed();
}

/**
 * Asks the provider about a kept credit now, before it is due. One person may do so: only what the provider confirms is
 * booked, and what two people ended stays so.
 * @returns the result; undefined where nothing is to be asked, or the provider account cannot be opened.
 * @throws AppError 403 `OPERATOR_NOT_FOUND`; 404 `OPEN_CREDIT_NOT_FOUND`.
 */
export async function askAgain(
  deps: CollectionDeps,
  { rail, creditKey, personId }: { rail: string; creditKey: string; personId: string },
): Promise<TakenCredit | undefined> {
  await requireOperator(deps.database, personId);
  const credit = await requireKnownCredit(deps.database, rail, creditKey);
  if (['DONE', 'RETURNED', 'DISMISSED'].includes(credit.status)) return undefined;
  return askAboutOpenCredit(deps, credit, 'CHECK');
}
