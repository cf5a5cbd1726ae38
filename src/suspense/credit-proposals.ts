import type { CreditDirectory } from '../collections/index.ts';
import { noteOf, reasonOf, requireOperator } from '../people/index.ts';
import type { Clock } from '../platform/clock.ts';
import { type Database, violatedUnique } from '../platform/db/database.ts';
import { invalidField } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { type FoundWallet, requireWalletByNumber } from '../wallets/index.ts';
import {
  type CreditProposal,
  findCreditFacts,
  findCreditProposal,
  findPendingCreditProposal,
  insertCreditProposal,
  type KnownCredit,
  updateCreditProposalClosed,
} from './credit-queries.ts';
import {
  actionNotPossible,
  creditHasOwner,
  openCreditNotFound,
  suspenseAlreadyProposed,
  suspenseProposalDecided,
  suspenseProposalNotFound,
} from './errors.ts';
import type { CreditAction, GivenProposal } from './proposal.ts';
import { requireCloser } from './rules.ts';

const OVERTAKEN = 'OVERTAKEN';

/** What may become of a credit, by how it stands. */
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

/** The wallet to which it is attributed, whoever's that is, in the credit's mode; with its bank where two have the number. */
interface AttributedTo {
  accountNumber?: string | undefined;
  bankCode?: string | undefined;
}

/**
 * Says what becomes of a reported credit that is in no books, for a second person to confirm. Nothing moves.
 * @returns with the id what the second person confirms: the digest of all that is proposed.
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
  const wallet = await chosenWallet(deps, credit, given);
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

async function chosenWallet(
  { database }: ProposeCreditDeps,
  { mode }: KnownCredit,
  { action, accountNumber, bankCode }: { action: CreditAction } & AttributedTo,
): Promise<FoundWallet | undefined> {
  if ((action === 'ATTRIBUTE') !== (accountNumber !== undefined)) {
    throw invalidField('accountNumber', 'is for what is attributed, and is needed there.');
  }
  if (accountNumber === undefined) return undefined;
  return requireWalletByNumber(database, { accountNumber, mode, bankCode });
}

/** A transfer that leads to a payment, or went back, is no longer without an owner. */
async function requireOwnerless(
  { credits }: ProposeCreditDeps,
  { rail, confirmed_id, confirmed_session_id }: KnownCredit,
) {
  if (confirmed_id === null) throw new Error('a credit without an owner was confirmed by nobody');
  const key = { rail, provider_transaction_id: confirmed_id, session_id: confirmed_session_id };
  if ((await credits.findNoted(key)) !== undefined) throw creditHasOwner();
}

/** An open proposal whose credit is no longer what it was made for. Nobody decided it: the facts did. */
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
 * Another person turns a proposal down, or whoever made it takes it back; it stays in the history.
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
