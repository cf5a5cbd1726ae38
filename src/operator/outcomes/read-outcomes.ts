import { readMerchantNames } from '../../merchants/index.ts';
import { countUndecided, readOutcomeEvidence, readOutcomeQueue } from '../../payouts/index.ts';
import { offsetOf, type PageRequest, pageView } from '../../platform/http/schemas.ts';
import type { Tenant } from '../../platform/tenant.ts';
import type { OperatorDeps } from '../deps.ts';
import { readEmails } from '../staff/read-emails.ts';
import { openOutcomeView, outcomeEvidenceView } from './views.ts';

/** A page of what people have to decide, what waits longest first, as this person sees it. */
export async function readOutcomes(
  { database }: OperatorDeps,
  { all, personId }: { all: boolean; personId: string },
  page: PageRequest,
) {
  const [total, entries] = await Promise.all([
    countUndecided(database, { all }),
    readOutcomeQueue(database, { all, offset: offsetOf(page), limit: page.size }),
  ]);
  const [names, emails] = await Promise.all([
    readMerchantNames(
      database,
      entries.map(({ payout }) => payout.merchant_id),
    ),
    readEmails(
      database,
      entries.flatMap(({ proposal }) => proposal?.proposed_by ?? []),
    ),
  ]);
  const records = entries.map((entry) => openOutcomeView(entry, { names, emails, personId }));
  return pageView(page, total, records);
}

/** What two people look at before they decide. @throws AppError 404 `PAYOUT_NOT_FOUND`. */
export async function readEvidenceOf({ database }: OperatorDeps, tenant: Tenant, payoutId: string) {
  const evidence = await readOutcomeEvidence(database, tenant, payoutId);
  const people = evidence.proposals.flatMap(({ proposed_by, decided_by }) => [proposed_by, decided_by ?? proposed_by]);
  return outcomeEvidenceView(evidence, await readEmails(database, people));
}
