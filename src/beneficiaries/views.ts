import { isFinal } from '../ledger/index.ts';
import { toNumberIfExact } from '../money/index.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { listView } from '../platform/lists/read-list.ts';
import { readListOf } from '../platform/lists/totals.ts';
import type { Tenant } from '../platform/tenant.ts';
import {
  type PaidTotal,
  readLastPaid,
  readPaidTotal,
  readPayoutsTo,
  type TransactionDetails,
} from '../transactions/index.ts';
import { beneficiaryNotFound } from './errors.ts';
import { type BeneficiaryRow, beneficiaryList, beneficiaryStates, findBeneficiary } from './queries.ts';

export function beneficiaryView(row: BeneficiaryRow) {
  return {
    beneficiaryId: row.id,
    nickname: row.nickname,
    bankCode: row.bank_code,
    bankName: row.bank_name,
    accountNumber: row.account_number,
    accountName: row.account_name,
    status: row.status,
    conclusive: isFinal(beneficiaryStates, row.status),
    approvalId: row.approval_id,
    createdAt: row.created_at.toISOString(),
  };
}

/** With what was paid to the account. */
function beneficiaryDetailView(row: BeneficiaryRow, { payouts, amountMinor, isComplete, lastPaidAt }: PaidTotal) {
  return {
    ...beneficiaryView(row),
    paidPayouts: payouts,
    totalPaid: toNumberIfExact(amountMinor),
    totalIsExact: isComplete,
    lastPaidAt: lastPaidAt?.toISOString() ?? null,
  };
}

/**
 * Beneficiaries by name, those that wait for approval among them. A search looks through all of them.
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`, 422 `SEARCH_TOO_LONG`, 503 `SEARCHES_BUSY`
 */
export async function readBeneficiaries(
  database: Database,
  tenant: Tenant,
  search: string | undefined,
  request: ListRequest,
) {
  const wanted = search?.trim().toLowerCase() || undefined;
  const asked = { list: beneficiaryList(tenant, wanted), isLong: wanted !== undefined };
  const found = await readListOf(database, tenant.merchantId, asked, request);
  const lastPaidOf = await readLastPaid(database.reading, tenant, found.rows.map(accountOf));
  return listView(found, (row) => ({
    ...beneficiaryView(row),
    lastPaidAt: lastPaidOf(accountOf(row))?.toISOString() ?? null,
  }));
}

/** One beneficiary with what was paid to its account, also once it was removed. @throws AppError 404 `BENEFICIARY_NOT_FOUND` */
export async function readBeneficiary(queries: Queries, tenant: Tenant, beneficiaryId: string) {
  const row = await requireBeneficiary(queries, tenant, beneficiaryId);
  return beneficiaryDetailView(row, await readPaidTotal(queries, tenant, accountOf(row)));
}

/**
 * Payouts to the account of a beneficiary, newest first, those that were made without it among them.
 * @throws AppError 404 `BENEFICIARY_NOT_FOUND`; 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`; 422 `SEARCH_TOO_LONG`, 503 `SEARCHES_BUSY`
 */
export async function readBeneficiaryPayouts(
  deps: { database: Database; payoutDetails: TransactionDetails },
  tenant: Tenant,
  beneficiaryId: string,
  request: ListRequest,
) {
  const { database, payoutDetails: details } = deps;
  const row = await requireBeneficiary(database, tenant, beneficiaryId);
  return readPayoutsTo({ database, details }, tenant, accountOf(row), request);
}

async function requireBeneficiary(queries: Queries, { merchantId, mode }: Tenant, id: string): Promise<BeneficiaryRow> {
  const [row] = await queries.query(findBeneficiary, [merchantId, mode, id]);
  if (row === undefined) throw beneficiaryNotFound();
  return row;
}

const accountOf = ({ bank_code, account_number }: BeneficiaryRow) => ({
  bankCode: bank_code,
  accountNumber: account_number,
});
