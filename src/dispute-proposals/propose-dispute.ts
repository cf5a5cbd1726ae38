import {
  findInboundPayment,
  type InboundPaymentRow,
  inboundPaymentNotFound,
  isReversedByProvider,
} from '../collections/index.ts';
import {
  type DisputeDeps,
  type DisputeRow,
  disputeEnded,
  findLastSaid,
  findNumbered,
  knowsByPeopleOnly,
  requireDispute,
} from '../disputes/index.ts';
import { noteOf, requireOperator } from '../people/index.ts';
import { violatedUnique } from '../platform/db/database.ts';
import { invalidField } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { DisputeCategory } from '../rails/index.ts';
import { disputeAlreadyOpen, disputeAlreadyProposed, disputeAskedOfProvider } from './errors.ts';
import { DISPUTE_ENDS, type DisputeAction, type DisputeKnownBy, insertDisputeProposal } from './queries.ts';

type ProposeDeps = Pick<DisputeDeps, 'database' | 'rails' | 'clock'>;

/** How it is known, and by whom. */
interface Known {
  tenant: Tenant;
  source: DisputeKnownBy;
  note: string;
  /** Who proposes: an operator's person that has signed in. */
  personId: string;
}

export interface ProposedDispute {
  proposalId: string;
  /** What the second person confirms. */
  digest: string;
}

/** Whether people enter disputes about a payment: its provider cannot be asked, or says that it went back by itself. */
export const isEnteredByHand = async (deps: ProposeDeps, payment: InboundPaymentRow): Promise<boolean> =>
  (await isReversedByProvider(deps.database, payment)) ||
  (await knowsByPeopleOnly(deps, { mode: payment.mode, rail: payment.rail }));

/**
 * Says that a payer's bank disputes a payment whose provider cannot be asked, or that it went back by itself as the provider says,
 * for a second person to confirm. Nothing is held.
 * @param input `rail` is the provider account that wrote of it: it has to be the one that has the payment.
 * @throws AppError 400 for a note that says too little, or another account than the payment's; 403 `OPERATOR_NOT_FOUND`; 404
 *   `INBOUND_PAYMENT_NOT_FOUND`; 409 `DISPUTE_ALREADY_PROPOSED`, `DISPUTE_ALREADY_OPEN`; 422 `DISPUTE_ASKED_OF_PROVIDER`.
 */
export async function proposeDispute(
  deps: ProposeDeps,
  input: Known & {
    rail: string;
    paymentId: string;
    providerDisputeId: string;
    amountMinor: bigint;
    category: DisputeCategory;
    message: string | null;
    dueAt: Date | null;
  },
): Promise<ProposedDispute> {
  const { tenant, paymentId, rail, providerDisputeId, dueAt } = input;
  const note = noteOf(input.note);
  if (dueAt !== null && Number.isNaN(dueAt.getTime()))
    throw invalidField('dueAt', 'must be a moment, such as 2026-11-20T16:00:00Z');
  await requireOperator(deps.database, input.personId);
  const [payment] = await deps.database.query(findInboundPayment, [tenant.merchantId, tenant.mode, paymentId]);
  if (payment === undefined) throw inboundPaymentNotFound();
  if (payment.rail !== rail) throw invalidField('rail', 'must be the provider account that has the payment');
  if (!(await isEnteredByHand(deps, payment))) throw disputeAskedOfProvider();
  const numbered = await findNumbered(deps.database, { rail, providerDisputeId });
  const isOfPayment = numbered?.merchantId === tenant.merchantId && numbered.paymentId === paymentId;
  if (numbered !== undefined && (numbered.isOpened || !isOfPayment)) throw disputeAlreadyOpen();
  // One that was noted, and whose second person was interrupted, keeps its id.
  const disputeId = numbered?.disputeId ?? newId();
  return keep(deps, { ...input, note, action: 'OPEN', disputeId });
}

/**
 * Says how a dispute ended whose provider cannot be asked, or says what is not understood, or that one that was won is lost after
 * all, for a second person to confirm. No money moves.
 * @throws AppError 400 for a note that says too little; 403 `OPERATOR_NOT_FOUND`; 404 `DISPUTE_NOT_FOUND`; 409
 *   `DISPUTE_NOT_OPEN`, `DISPUTE_ALREADY_PROPOSED`; 422 `DISPUTE_ASKED_OF_PROVIDER`.
 */
export async function proposeDisputeEnd(
  deps: ProposeDeps,
  input: Known & { disputeId: string; outcome: (typeof DISPUTE_ENDS)[number] },
): Promise<ProposedDispute> {
  const note = noteOf(input.note);
  await requireOperator(deps.database, input.personId);
  const row = await requireDispute(deps.database, input.tenant, input.disputeId);
  if (!(await outcomesFor(deps, row)).includes(input.outcome)) {
    throw row.ended_at === null ? disputeAskedOfProvider() : disputeEnded(row.status);
  }
  return keep(deps, {
    ...input,
    note,
    action: input.outcome,
    paymentId: row.payment_id,
    rail: row.rail,
    providerDisputeId: row.provider_dispute_id,
    amountMinor: await wantedInTheEnd(deps, row),
    category: row.category,
    message: row.message,
    dueAt: null,
  });
}

/**
 * What was entered by hand is ended by hand; so is what a provider reported that can be asked no more, or of which it says what is
 * not understood.
 */
export async function isDecidedByPeople(deps: Pick<DisputeDeps, 'rails'>, row: DisputeRow): Promise<boolean> {
  return row.source === 'OPERATOR' || row.operator_reason === 'STATE_NOT_LISTED' || knowsByPeopleOnly(deps, row);
}

/**
 * What two people may say of its end now. Of one that was won: that it is lost after all, where that is the last that its provider
 * said, whatever one person noted about it since, or where its provider cannot be asked. Of one that was lost nothing: what comes back is a manual credit.
 */
export async function outcomesFor(
  deps: Pick<DisputeDeps, 'rails' | 'database'>,
  row: DisputeRow,
): Promise<readonly (typeof DISPUTE_ENDS)[number][]> {
  if (row.ended_at === null) return (await isDecidedByPeople(deps, row)) ? DISPUTE_ENDS : [];
  if (row.status !== 'WON') return [];
  const said = await findLastSaid(deps.database, row);
  return said?.isLost === true || (await isDecidedByPeople(deps, row)) ? ['LOST'] : [];
}

/** Its provider may want less where it says that one that was won is lost. */
async function wantedInTheEnd({ database }: ProposeDeps, row: DisputeRow): Promise<bigint> {
  if (row.ended_at === null) return row.amount_minor;
  const said = await findLastSaid(database, row);
  return said !== undefined && said.amountMinor < row.amount_minor ? said.amountMinor : row.amount_minor;
}

async function keep(
  { database, clock }: ProposeDeps,
  said: Known & {
    action: DisputeAction;
    disputeId: string;
    paymentId: string;
    rail: string;
    providerDisputeId: string;
    amountMinor: bigint;
    category: DisputeCategory;
    message: string | null;
    dueAt: Date | null;
  },
): Promise<ProposedDispute> {
  const { tenant, action, disputeId, paymentId, rail, providerDisputeId, amountMinor, category, message, dueAt } = said;
  const proposalId = newId();
  const key = [tenant.merchantId, tenant.mode, proposalId, action, disputeId, paymentId, rail, providerDisputeId];
  const facts = [amountMinor, category, message, dueAt, said.source, said.note, said.personId, clock.now()];
  try {
    const [proposed] = await database.query(insertDisputeProposal, [...key, ...facts]);
    return { proposalId, digest: proposed?.digest ?? '' };
  } catch (error) {
    if (violatedUnique(error) === 'dispute_proposals_one_open') throw disputeAlreadyProposed();
    throw error;
  }
}
