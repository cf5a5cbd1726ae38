import { readMerchantNames } from '../../merchants/index.ts';
import { readOutcomeEvidence, readOutcomeQueue } from '../../outcomes/index.ts';
import type { ListRequest } from '../../platform/lists/list.ts';
import { listView } from '../../platform/lists/read-list.ts';
import type { Tenant } from '../../platform/tenant.ts';
import type { OperatorDeps } from '../deps.ts';
import { readEmails } from '../staff/read-emails.ts';
import { openOutcomeView, outcomeEvidenceView } from './views.ts';

/**
 * What people have to decide, what waits longest first, as this person sees it.
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`
 */
export async function readOutcomes(
  { database }: OperatorDeps,
  { all, personId }: { all: boolean; personId: string },
  request: ListRequest,
) {
  const found = await readOutcomeQueue(database, { all }, request);
  const [names, emails] = await Promise.all([
    readMerchantNames(
      database,
      found.rows.map(({ payout }) => payout.merchant_id),
    ),
    readEmails(
      database,
      found.rows.flatMap(({ proposal }) => proposal?.proposed_by ?? []),
    ),
  ]);
  return listView(found, (entry) => openOutcomeView(entry, { names, emails, personId }));
}

/** What two people look at before they decide. @throws AppError 404 `PAYOUT_NOT_FOUND`. */
export async function readEvidenceOf({ database }: OperatorDeps, tenant: Tenant, payoutId: string) {
  const evidence = await readOutcomeEvidence(database, tenant, payoutId);
  const people = evidence.proposals.flatMap(({ proposed_by, decided_by }) => [proposed_by, decided_by ?? proposed_by]);
  return outcomeEvidenceView(evidence, await readEmails(database, people));
}
