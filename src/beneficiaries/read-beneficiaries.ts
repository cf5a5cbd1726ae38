import type { Queries } from '../platform/db/database.ts';
import { offsetOf, type PageRequest, pageView } from '../platform/http/schemas.ts';
import type { Tenant } from '../platform/tenant.ts';
import { countBeneficiaries, listBeneficiaries } from './queries.ts';
import { beneficiaryView } from './views.ts';

/** A page of beneficiaries by name, those that wait for approval among them. */
export async function readBeneficiaries(
  queries: Queries,
  { merchantId, mode }: Tenant,
  search: string | undefined,
  page: PageRequest,
) {
  const asked = [merchantId, mode, search?.trim().toLowerCase() || null];
  const [[count], rows] = await Promise.all([
    queries.query(countBeneficiaries, asked),
    queries.query(listBeneficiaries, [...asked, offsetOf(page), page.size]),
  ]);
  return pageView(page, count?.total ?? 0, rows.map(beneficiaryView));
}
