import {
  type CreditEvidence,
  type CreditState,
  type ListedCreditRow,
  readCreditEvidence,
  readManualCredits,
} from '../manual-credits/index.ts';
import { toNumber } from '../money/index.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { listView } from '../platform/lists/read-list.ts';
import type { Problem } from '../platform/problem.ts';
import type { Tenant } from '../platform/tenant.ts';
import { type AskedNumber, requireWalletByNumber } from '../wallets/index.ts';
import type { OperatorDeps } from './deps.ts';
import { type Lookups, peopleOf, readLookups, readNamesOf } from './lookups.ts';

function creditView(row: ListedCreditRow, { names, emails, personId }: Lookups) {
  const person = (id: string) => ({ personId: id, email: emails.get(id) ?? null });
  return {
    manualCreditId: row.id,
    merchantId: row.merchant_id,
    businessName: names.get(row.merchant_id) ?? null,
    mode: row.mode,
    status: row.status,
    walletId: row.wallet_id,
    walletAccountNumber: row.wallet_account_number,
    walletAccountName: row.wallet_account_name,
    amount: toNumber(row.amount_minor),
    currency: row.currency,
    bankCode: row.bank_code,
    bankName: row.bank_name,
    bankReference: row.bank_reference,
    receivedOn: row.received_on,
    payerName: row.payer_name,
    note: row.note,
    document: { fileName: row.document_name, contentType: row.document_type, bytes: row.document_bytes },
    proposedBy: person(row.proposed_by),
    proposedAt: row.proposed_at.toISOString(),
    isMine: row.proposed_by === personId,
    decidedBy: row.decided_by === null ? null : person(row.decided_by),
    decidedAt: row.decided_at?.toISOString() ?? null,
    reason: row.reason,
    transactionId: row.status === 'APPROVED' ? row.transaction_id : null,
  };
}

const textsOf = (params: Problem['params']) =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));

export function problemViews(problems: readonly Problem[]) {
  return problems.map(({ code, field, params, message }) => ({ code, field, params: textsOf(params), message }));
}

function evidenceView({ credit, problems, isAltered }: CreditEvidence, known: Lookups) {
  return {
    ...creditView(credit, known),
    digest: credit.digest_now,
    problems: problemViews(problems),
    isAltered,
  };
}

function lookUp({ database }: OperatorDeps, rows: readonly ListedCreditRow[], personId: string): Promise<Lookups> {
  const merchants = rows.map(({ merchant_id }) => merchant_id);
  return readLookups(database, { merchants, people: peopleOf(rows), personId });
}

/**
 * Credits that wait or were decided, as this person sees them.
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`
 */
export async function readCredits(
  deps: OperatorDeps,
  { state, personId }: { state: CreditState; personId: string },
  request: ListRequest,
) {
  const found = await readManualCredits(deps.database, { state }, request);
  const known = await lookUp(deps, found.rows, personId);
  return listView(found, (row) => creditView(row, known));
}

/** What a second person looks at before they decide. @throws AppError 404 `MANUAL_CREDIT_NOT_FOUND`. */
export async function readCreditOf(deps: OperatorDeps, tenant: Tenant, manualCreditId: string, personId: string) {
  const evidence = await readCreditEvidence(deps.database, tenant, manualCreditId);
  return evidenceView(evidence, await lookUp(deps, [evidence.credit], personId));
}

/**
 * Whom money would be credited to, with the number as it was asked for.
 * @throws AppError 404 `WALLET_NOT_FOUND`; 409 `ACCOUNT_NUMBER_AMBIGUOUS`.
 */
export async function readWalletToCredit({ database }: OperatorDeps, asked: AskedNumber) {
  const wallet = await requireWalletByNumber(database, asked);
  const names = await readNamesOf(database, [wallet]);
  return {
    walletId: wallet.id,
    merchantId: wallet.merchant_id,
    businessName: names.get(wallet.merchant_id) ?? null,
    mode: wallet.mode,
    accountNumber: asked.accountNumber,
    accountName: wallet.account_name,
  };
}
