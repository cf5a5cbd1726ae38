import { readMerchantNames } from '../../merchants/index.ts';
import { countUndecided, readOutcomeQueue } from '../../payouts/index.ts';
import { offsetOf, type PageRequest, pageView } from '../../platform/http/schemas.ts';
import type { OperatorDeps } from '../deps.ts';
import { readEmails } from '../staff/read-emails.ts';

import { openOutcomeView } from './views.ts';

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
