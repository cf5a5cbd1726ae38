import { findInboundPayment, type InboundPaymentRow } from '../collections/index.ts';
import { type DisputeDeps, type DisputeParts, readDisputeParts } from '../disputes/index.ts';
import type { Queries } from '../platform/db/database.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { type FoundList, readList } from '../platform/lists/read-list.ts';
import type { Tenant } from '../platform/tenant.ts';
import { isDecidedByPeople, outcomesFor } from './propose-dispute.ts';
import {
  countDisputeProposals,
  type DisputeProposalRead,
  listDisputeProposals,
  waitingDisputeProposals,
} from './queries.ts';

/** Proposals of all merchants that wait for a second person, longest first. @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID` */
export function readWaitingProposals(queries: Queries, request: ListRequest): Promise<FoundList<DisputeProposalRead>> {
  return readList(queries, waitingDisputeProposals(), request);
}

/** How many of them another person made than who asks. */
export async function countDisputeProposalsFor(queries: Queries, personId: string): Promise<number> {
  const [counted] = await queries.query(countDisputeProposals, [personId]);
  return counted?.of_others ?? 0;
}

export interface DisputeCase extends DisputeParts {
  payment: InboundPaymentRow | undefined;
  /** Newest first, decided ones among them. */
  proposals: DisputeProposalRead[];
  /** True: two people say how it ends, because its provider cannot be asked. */
  isDecidedByPeople: boolean;
  /** What two people may say of its end now. */
  outcomes: Awaited<ReturnType<typeof outcomesFor>>;
}

/** All that is known of one dispute, for the people who look into it. @throws AppError 404 `DISPUTE_NOT_FOUND` */
export async function readDisputeCase(
  deps: Pick<DisputeDeps, 'database' | 'rails'>,
  tenant: Tenant,
  disputeId: string,
): Promise<DisputeCase> {
  const key = [tenant.merchantId, tenant.mode];
  const parts = await readDisputeParts(deps.database, tenant, disputeId);
  const { row } = parts;
  const [[payment], proposals, byPeople, outcomes] = await Promise.all([
    deps.database.query(findInboundPayment, [...key, row.payment_id]),
    deps.database.query(listDisputeProposals, [...key, disputeId]),
    isDecidedByPeople(deps, row),
    outcomesFor(deps, row),
  ]);
  return { ...parts, payment, proposals, isDecidedByPeople: byPeople, outcomes };
}
