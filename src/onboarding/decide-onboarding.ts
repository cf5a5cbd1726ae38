import { type NewMail, queueMail } from '../mail/index.ts';
import { changeMerchantDetails, changeMerchantStatus, lockMerchant } from '../merchants/index.ts';
import { peopleOfRoles, requireApart } from '../people/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/db/database.ts';
import type { Secrets } from '../platform/secrets.ts';
import { onboardingSubmittedAnew, secondPersonNeeded } from './errors.ts';
import { upsertOnboarding } from './queries.ts';
import {
  changesAccount,
  confirmationOf,
  factsOf,
  noteReview,
  type ReviewState,
  readReviewState,
} from './review-state.ts';

interface DecidedMail {
  merchantId: string;
  businessName: string;
  decision: 'approve' | 'reject';
  /** Of a merchant that was taken in before: its changes were decided. */
  changes: boolean;
  reason: string | undefined;
}

/** Mails what the reviewers decided to those who can act on it: nobody looks at a page for days. */
async function mailDecision(
  { tx, secrets, clock }: { tx: Tx; secrets: Secrets; clock: Clock },
  decided: DecidedMail,
): Promise<void> {
  const people = await peopleOfRoles(tx, decided.merchantId, ['OWNER', 'ADMIN']);
  for (const { email } of people) {
    await queueMail({ queries: tx, secrets, clock }, decisionMail(email, decided));
  }
}

function decisionMail(to: string, { businessName, decision, changes, reason }: DecidedMail): NewMail {
  const [subject, paragraphs] = decision === 'approve' ? acceptedWords(changes) : sentBackWords(changes, reason);
  return { to, subject, text: [`About ${businessName}:`, ...paragraphs, 'Manilla'].join('\n\n'), link: null };
}

function acceptedWords(changes: boolean): [string, string[]] {
  if (changes) return ['Your changes were accepted', ['Your changes were accepted and count from now on.']];
  return [
    'You are approved, and live mode is open',
    [
      'Your business profile was accepted, and live mode is open. Choose "Live" at the top of the dashboard to see it.',
      'From now on a payout in live mode moves real money.',
    ],
  ];
}

function sentBackWords(changes: boolean, reason: string | undefined): [string, string[]] {
  return [
    changes ? 'Your changes came back' : 'Your business profile came back',
    [
      ...(reason === undefined ? [] : [`The reviewers wrote: ${reason}`]),
      'Sign in, open "Business profile", put right what they name, and submit it again.',
      changes ? 'Until then what was accepted before counts.' : 'The sandbox goes on working meanwhile.',
    ],
  ];
}

interface Decision {
  merchantId: string;
  /** Who decided, for the history. */
  actor: string;
  /** The merchant reads it where the answer is no. */
  reason?: string | undefined;
  /** When what was looked at was submitted: what was submitted anew since then is not decided unseen. */
  seen?: Date | undefined;
  /** Of the operator's person that decided; undefined at the terminal, and nobody is too new there. */
  personId?: string | undefined;
}

/** `CONFIRMED`: it names another settlement account, and waits for a second person. */
export type Decided = 'DECIDED' | 'CONFIRMED';

/**
 * The operator's decision on a merchant: it is taken in or turned down; for one that was taken in before, what it wants
 * changed is. Changes that are accepted are in force from then on; those that are not stay for the merchant to correct.
 * Its owners and administrators are notified by mail. Another settlement account takes two people to accept, so that nobody
 * alone says where money goes.
 * @throws AppError `MERCHANT_NOT_FOUND`; 409 `MERCHANT_STATUS_CONFLICT` where nothing waits for this decision,
 *   `ONBOARDING_SUBMITTED_ANEW` where something else than what was seen does; 403 `SECOND_PERSON_NEEDED`,
 *   `SECOND_PERSON_TOO_NEW`.
 */
export async function decideOnboarding(
  deps: { database: Database; secrets: Secrets; clock: Clock },
  decision: 'approve' | 'reject',
  input: Decision,
): Promise<Decided> {
  return deps.database.transaction(async (tx) => {
    const merchant = await lockMerchant(tx, input.merchantId);
    if (input.seen !== undefined && merchant.submitted_at?.getTime() !== input.seen.getTime()) {
      throw onboardingSubmittedAnew();
    }
    const status = { queries: tx, clock: deps.clock };
    const changes = merchant.status === 'ACTIVE' && merchant.submitted_at !== null;
    const state = await readReviewState(tx, merchant);
    const decided = { ...input, facts: factsOf(state) };
    if (changes && decision === 'approve' && !(await hasSecondPerson({ tx, clock: deps.clock }, state, input))) {
      await changeMerchantStatus(status, 'confirm-changes', decided);
      return 'CONFIRMED';
    }
    const about = { merchantId: merchant.id, businessName: merchant.business_name, reason: input.reason };
    await mailDecision({ tx, secrets: deps.secrets, clock: deps.clock }, { ...about, decision, changes });
    if (!changes) {
      await changeMerchantStatus(status, decision, decided);
      return 'DECIDED';
    }
    await changeMerchantStatus(status, decision === 'approve' ? 'accept-changes' : 'reject-changes', decided);
    if (decision === 'reject') return 'DECIDED';
    const { changes: wanted, details } = state;
    await changeMerchantDetails(tx, merchant.id, wanted.merchant);
    await tx.query(upsertOnboarding, [merchant.id, { ...details, ...wanted.details }, {}, deps.clock.now()]);
    await noteReview(tx, await lockMerchant(tx, merchant.id));
    return 'DECIDED';
  });
}

/**
 * Whether somebody else has confirmed these changes, where they name another settlement account; others need nobody.
 * Nothing of them changes while they wait, so what the one confirmed is what the other accepts.
 * @throws AppError 403 `SECOND_PERSON_NEEDED`, `SECOND_PERSON_TOO_NEW`
 */
async function hasSecondPerson(
  { tx, clock }: { tx: Tx; clock: Clock },
  state: ReviewState,
  { actor, personId }: Decision,
): Promise<boolean> {
  if (!changesAccount(state)) return true;
  const first = confirmationOf(state);
  if (first === undefined) return false;
  if (first.actor === actor) throw secondPersonNeeded();
  if (personId !== undefined) await requireApart({ queries: tx, clock }, { decider: personId, maker: first.actor });
  return true;
}
