import { DEFAULT_CURRENCY, toNumber, toNumberOrNull } from '../money/index.ts';
import type { Queries } from '../platform/db/database.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { listView } from '../platform/lists/read-list.ts';
import type { Tenant } from '../platform/tenant.ts';
import {
  type ReceivableRow,
  readPaymentToDecide,
  readReceivables,
  readSuspense,
  type ShownProposal,
  type SuspenseEntry,
  type SuspenseFilter,
} from '../suspense/index.ts';
import type { OperatorDeps } from './deps.ts';
import { type Lookups, readLookups, readNamesOf } from './lookups.ts';

function walletView(row: ShownProposal, names: Lookups['names']) {
  const { wallet_id: walletId, wallet_merchant_id: merchantId, wallet_account_number, wallet_account_name } = row;
  if (walletId === null || merchantId === null) return null;
  return {
    walletId,
    merchantId,
    businessName: names.get(merchantId) ?? null,
    accountNumber: wallet_account_number ?? '',
    accountName: wallet_account_name ?? '',
  };
}

function proposalView(row: ShownProposal, { names, emails, personId }: Lookups) {
  return {
    proposalId: row.id,
    action: row.action,
    wallet: walletView(row, names),
    source: row.source,
    note: row.note,
    proposedBy: { personId: row.proposed_by, email: emails.get(row.proposed_by) ?? null },
    proposedAt: row.proposed_at.toISOString(),
    isMine: row.proposed_by === personId,
    digest: row.digest_now,
    isStale: row.isStale,
    isAltered: row.isAltered,
  };
}

function suspenseView({ money, proposal }: SuspenseEntry, known: Lookups) {
  return {
    kind: money.kind,
    merchantId: money.merchant_id,
    businessName: money.merchant_id === null ? null : (known.names.get(money.merchant_id) ?? null),
    paymentId: money.payment_id,
    walletId: money.wallet_id,
    creditKey: money.credit_key,
    rail: money.rail,
    mode: money.mode,
    status: money.status,
    reason: money.reason,
    amount: toNumberOrNull(money.amount_minor),
    isConfirmed: money.is_confirmed,
    currency: DEFAULT_CURRENCY,
    accountNumber: money.account_number,
    payer: { name: money.payer_name, accountNumber: money.payer_account_number, bankName: money.payer_bank_name },
    narration: money.narration,
    sessionId: money.session_id,
    providerReference: money.provider_reference,
    since: money.since.toISOString(),
    proposal: proposal === undefined ? null : proposalView(proposal, known),
  };
}

/** Of one payment what people may decide, as this person sees it; null where nothing is to be decided. */
export async function readToDecideOf(queries: Queries, tenant: Tenant, paymentId: string, personId: string) {
  const entry = await readPaymentToDecide(queries, tenant, paymentId);
  return entry === undefined ? null : suspenseView(entry, await lookupsOf(queries, [entry], personId));
}

function lookupsOf(queries: Queries, entries: readonly SuspenseEntry[], personId: string): Promise<Lookups> {
  const merchants = entries.flatMap(({ money, proposal }) => [
    ...(money.merchant_id === null ? [] : [money.merchant_id]),
    ...(proposal?.wallet_merchant_id == null ? [] : [proposal.wallet_merchant_id]),
  ]);
  const people = entries.flatMap(({ proposal }) => proposal?.proposed_by ?? []);
  return readLookups(queries, { merchants, people, personId });
}

/**
 * Money that waits for two people, what waits longest first, as this person sees it.
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`
 */
export async function readSuspenseOf(
  { database }: OperatorDeps,
  filter: SuspenseFilter,
  request: ListRequest,
  personId: string,
) {
  const found = await readSuspense(database, filter, request);
  const known = await lookupsOf(database, found.rows, personId);
  return listView(found, (entry) => suspenseView(entry, known));
}

function receivableView(row: ReceivableRow, names: Lookups['names']) {
  return {
    merchantId: row.merchant_id,
    businessName: names.get(row.merchant_id) ?? null,
    mode: row.mode,
    rail: row.rail,
    payments: row.payments,
    total: toNumber(row.total_minor),
    toDeduct: toNumber(row.to_deduct_minor),
    underOneDay: toNumber(row.today_minor),
    oneToTwoDays: toNumber(row.two_days_minor),
    threeToSevenDays: toNumber(row.week_minor),
    older: toNumber(row.older_minor),
  };
}

/** What provider accounts owe, by merchant and age. @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID` */
export async function readReceivablesOf(deps: OperatorDeps, request: ListRequest) {
  const found = await readReceivables(deps, request);
  const names = await readNamesOf(deps.database, found.rows);
  return listView(found, (row) => receivableView(row, names));
}
