import { readMerchantNames } from '../merchants/index.ts';
import { DEFAULT_CURRENCY, decimalText } from '../money/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { type ExportFile, exportList } from '../platform/exports.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { type FoundList, readList } from '../platform/lists/read-list.ts';
import type { CsvColumn } from '../platform/spreadsheet/write-csv.ts';
import type { Tenant } from '../platform/tenant.ts';
import {
  countSuspense,
  findPaymentToDecide,
  listOpenCreditProposals,
  listOpenPaymentProposals,
  type OpenProposalRow,
  planReceivables,
  type ReceivableRow,
  receivableList,
  type SuspenseFilter,
  type SuspenseRow,
  suspenseList,
} from './queue-queries.ts';

/** A proposal that waits, with why a confirmation would be refused. */
export type ShownProposal = OpenProposalRow & {
  /** More became known of the money since it was proposed. */
  isStale: boolean;
  /** It is not what was proposed. */
  isAltered: boolean;
};

export interface SuspenseEntry {
  money: SuspenseRow;
  /** What one person proposed and another has not confirmed yet. */
  proposal: ShownProposal | undefined;
}

/**
 * Money of all merchants that waits for two people, longest waiting first: payments in suspense, and credits that are
 * in no books. With a merchant: its payments alone.
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`
 */
export function readSuspense(
  database: Database,
  filter: SuspenseFilter,
  request: ListRequest,
): Promise<FoundList<SuspenseEntry>> {
  return database.snapshot(async (queries) => {
    const { rows, wrapper } = await readList(queries, suspenseList(filter), request);
    const payments = rows.filter(({ kind }) => kind === 'PAYMENT');
    const credits = rows.filter(({ kind }) => kind === 'CREDIT');
    const [ofPayments, ofCredits] = await Promise.all([
      queries.query(listOpenPaymentProposals, [
        payments.map(({ merchant_id }) => merchant_id),
        payments.map(({ mode }) => mode),
        payments.map(({ payment_id }) => payment_id),
      ]),
      queries.query(listOpenCreditProposals, [
        credits.map(({ rail }) => rail),
        credits.map(({ credit_key }) => credit_key),
      ]),
    ]);
    const proposals = new Map([...ofPayments, ...ofCredits].map((proposal) => [proposal.subject, shown(proposal)]));
    return { rows: rows.map((money) => ({ money, proposal: proposals.get(money.subject) })), wrapper };
  });
}

/** One payment as people may decide about it; undefined where nothing is to be decided. */
export async function readPaymentToDecide(
  queries: Queries,
  { merchantId, mode }: Tenant,
  paymentId: string,
): Promise<SuspenseEntry | undefined> {
  const [[money], [proposal]] = await Promise.all([
    queries.query(findPaymentToDecide, [merchantId, mode, paymentId]),
    queries.query(listOpenPaymentProposals, [[merchantId], [mode], [paymentId]]),
  ]);
  return money === undefined ? undefined : { money, proposal: proposal === undefined ? undefined : shown(proposal) };
}

const shown = (proposal: OpenProposalRow): ShownProposal => ({
  ...proposal,
  isStale: proposal.facts_digest !== proposal.facts_digest_now,
  isAltered: proposal.digest !== proposal.digest_now,
});

/** How much money waits, and how many proposals wait for this person's decision. */
export async function countSuspenseToDecide(
  queries: Queries,
  personId: string,
): Promise<{ waiting: number; proposals: number }> {
  const [row] = await queries.query(countSuspense, [personId]);
  return row ?? { waiting: 0, proposals: 0 };
}

/**
 * What each provider account owes for each merchant, by age: payments that nothing has settled and nobody returned,
 * less refunds and disputes that no settlement has deducted, as the ledger has it.
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`
 */
export function readReceivables(
  { database, clock }: { database: Database; clock: Clock },
  request: ListRequest,
): Promise<FoundList<ReceivableRow>> {
  const at = clock.now();
  return database.snapshot(async (queries) => {
    await queries.query(planReceivables);
    return readList(queries, receivableList(at), request);
  });
}

type NamedRow = SuspenseRow & { business_name: string };

const COLUMNS: readonly CsvColumn<NamedRow>[] = [
  ['Since (UTC)', ({ since }) => since.toISOString()],
  ['Kind', ({ kind }) => kind],
  ['Status', ({ status }) => status],
  ['Reason', ({ reason }) => reason ?? ''],
  ['Mode', ({ mode }) => mode],
  ['Merchant', ({ business_name }) => business_name],
  ['Merchant ID', ({ merchant_id }) => merchant_id ?? ''],
  ['Amount', ({ amount_minor }) => (amount_minor === null ? '' : decimalText(amount_minor))],
  ['Currency', () => DEFAULT_CURRENCY],
  ['Amount Is', ({ is_confirmed }) => (is_confirmed ? 'CONFIRMED' : 'REPORTED')],
  ['Payer', ({ payer_name }) => payer_name ?? ''],
  ['Payer Account Number', ({ payer_account_number }) => payer_account_number ?? '', 'DIGITS'],
  ['Payer Bank', ({ payer_bank_name }) => payer_bank_name ?? ''],
  ['Narration', ({ narration }) => narration ?? ''],
  ['To Account Number', ({ account_number }) => account_number ?? '', 'DIGITS'],
  ['Provider Account', ({ rail }) => rail],
  ['Provider Reference', ({ provider_reference }) => provider_reference ?? '', 'DIGITS'],
  ['Session ID', ({ session_id }) => session_id ?? '', 'DIGITS'],
  ['Payment ID', ({ payment_id }) => payment_id ?? ''],
  ['Credit Key', ({ credit_key }) => credit_key ?? ''],
];

/**
 * Money of all merchants that waits for two people as CSV, longest waiting first, amounts in naira.
 * @param by `owner`: whose other downloads it waits for; `gone`: aborted where the client has gone away
 * @throws AppError 503 `EXPORTS_BUSY`, 422 `EXPORT_TOO_LARGE`
 */
export function exportSuspense(
  database: Database,
  filter: SuspenseFilter,
  { owner, gone }: { owner: string; gone: AbortSignal },
): Promise<ExportFile> {
  return exportList(database, owner, { list: suspenseList(filter), columns: COLUMNS, shownOf: withNames }, gone);
}

async function withNames(rows: SuspenseRow[], queries: Queries): Promise<NamedRow[]> {
  const names = await readMerchantNames(
    queries,
    rows.flatMap(({ merchant_id }) => merchant_id ?? []),
  );
  return rows.map((row) => ({ ...row, business_name: names.get(row.merchant_id ?? '') ?? '' }));
}
