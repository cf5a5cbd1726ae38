import { requireAsProposed, requireOperator } from '../people/index.ts';
import type { Database } from '../platform/db/database.ts';
import type { Logger, OnAlarm } from '../platform/logger.ts';
import { proposalNotYours, proposalYours, suspenseProposalAltered } from './errors.ts';
import type { Proposal } from './proposal.ts';

/** Who turns it down is another person; who takes it back made it. @throws AppError 403. */
export async function requireCloser(
  { database }: { database: Database },
  { proposed_by: maker }: Pick<Proposal, 'proposed_by'>,
  { personId, status }: { personId: string; status: 'REJECTED' | 'WITHDRAWN' },
): Promise<void> {
  await requireOperator(database, personId);
  if (status === 'REJECTED' && maker === personId) throw proposalYours();
  if (status === 'WITHDRAWN' && maker !== personId) throw proposalNotYours();
}

/** What is put into force is what the one person said and the other saw. @throws AppError 409 `SUSPENSE_PROPOSAL_ALTERED`. */
export function requireUnaltered(
  deps: { logger: Logger; onAlarm?: OnAlarm | undefined },
  proposal: Proposal,
  seen: string,
): void {
  requireAsProposed(deps, proposal, {
    seen,
    about: { proposalId: proposal.id },
    message: 'a proposal about money in suspense is not what was proposed',
    altered: suspenseProposalAltered,
  });
}
