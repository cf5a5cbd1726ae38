import { requireMerchant } from '../merchants/index.ts';
import type { Queries } from '../platform/db/database.ts';
import type { Problem } from '../platform/problem.ts';
import type { Tenant } from '../platform/tenant.ts';
import { manualCreditProblem, shownProblem } from './problems.ts';
import { listAlikeCredits, listReferencesElsewhere } from './queries.ts';

interface Credit {
  id: string;
  tenant: Tenant;
  walletId: string;
  amountMinor: bigint;
  receivedOn: string;
  bankCode: string;
  referenceKey: string;
  /** Of its document, under every pepper that is known. */
  hashes: readonly string[];
}

/** What people should know before they approve a credit; it refuses nothing. */
export async function readProblems(queries: Queries, credit: Credit): Promise<Problem[]> {
  const { id, tenant, walletId, amountMinor, receivedOn, hashes, bankCode, referenceKey } = credit;
  const [merchant, alike, elsewhere] = await Promise.all([
    requireMerchant(queries, tenant.merchantId),
    queries.query(listAlikeCredits, [tenant.merchantId, tenant.mode, walletId, receivedOn, amountMinor, hashes, id]),
    queries.query(listReferencesElsewhere, [tenant.mode, referenceKey, bankCode]),
  ]);
  const noticed = alike.map((other) =>
    manualCreditProblem(other.is_same_document ? 'SAME_DOCUMENT' : 'SAME_AMOUNT_SAME_DAY', {
      manualCreditId: other.id,
      status: other.status,
      bankReference: other.bank_reference,
    }),
  );
  for (const other of elsewhere) {
    const params = { manualCreditId: other.manual_credit_id, bankCode: other.bank_code };
    noticed.push(manualCreditProblem('SAME_REFERENCE', params));
  }
  if (merchant.status === 'SUSPENDED') noticed.push(manualCreditProblem('MERCHANT_SUSPENDED', {}));
  return noticed.map(shownProblem);
}
