import { formatMoney } from '../money/index.ts';
import { findPayout } from '../payouts/index.ts';
import { lagosClock } from '../platform/clock.ts';
import type { Queries } from '../platform/db/database.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { Receipt, ReceiptLine } from '../receipts/index.ts';
import { referenceOf } from '../transactions/index.ts';
import { requireWallet } from '../wallets/index.ts';
import type { SettlementDeps } from './deps.ts';
import { COUNTED_KINDS, sumsOf, wordsOfKind } from './line-kinds.ts';
import type { SettlementRow } from './queries.ts';
import { eachLine, requireSettlement } from './read-settlements.ts';
import { type ShownLine, signed } from './views.ts';

/** A settlement with more lines has them in the CSV only: a page has room for some thirty. */
const MOST_LINES = 300;
const FOOTER =
  'Opening and every line come to closing. What is settled is the net of the lines that were collected, with what the settlement before left, within the available balance.';

const money = (minor: bigint): string => formatMoney(minor, 'NGN');

/**
 * The report of a settlement as a document: from gross to net, what was paid, and each line.
 * @throws AppError 404 `MERCHANT_SETTLEMENT_NOT_FOUND`
 */
export async function readReport(
  { database: queries, wallets }: Pick<SettlementDeps, 'database' | 'wallets'>,
  tenant: Tenant,
  id: string,
): Promise<Receipt> {
  const row = await requireSettlement(queries, tenant, id);
  const { accountName } = await requireWallet(wallets, tenant, row.wallet_id);
  const [payout] = await queries.query(findPayout, [tenant.merchantId, tenant.mode, row.payout_id]);
  if (payout === undefined) throw new Error(`settlement ${id} has no payout ${row.payout_id}`);
  const lines: ReceiptLine[] = [
    { label: 'Paid by', value: payout.originator_account_name },
    { label: 'Settlement', value: `${row.number}, for ${row.business_day}` },
    { label: 'Collected in', value: accountName },
    { label: 'Status', value: row.reason === null ? row.status : `${row.status}: ${row.reason}` },
    { label: 'Opening balance', value: money(row.opening_minor) },
    ...summaryOf(row),
    { label: 'Closing balance', value: money(row.closing_minor) },
    { label: 'Net collected', value: money(row.net_minor) },
    { label: 'Carried in', value: money(row.carried_in_minor) },
    { label: 'Paid to the bank', value: money(row.amount_minor) },
    { label: 'Transfer fee', value: money(payout.fee_minor) },
    { label: 'VAT on it', value: money(payout.vat_minor) },
    { label: 'Stamp duty', value: money(payout.stamp_duty_minor) },
    { label: 'Left the wallet', value: money(row.amount_minor + payout.charges_minor) },
    { label: 'Carried out', value: money(row.carried_out_minor) },
    { label: 'Account', value: `${row.account_name}, ${row.account_number}, ${row.bank_name}` },
    { label: 'Payout', value: referenceOf(row.payout_id) },
    { label: 'Session id', value: payout.session_id ?? 'none yet' },
    ...(await everyLine(queries, tenant, row)),
  ];
  return {
    amount: money(row.amount_minor),
    payee: row.account_name,
    paidAt: row.created_at,
    reference: `${row.number}`,
    isTest: tenant.mode === 'SANDBOX',
    lines,
    heading: 'Settlement',
    footer: FOOTER,
  };
}

const summaryOf = ({ sums }: SettlementRow): ReceiptLine[] =>
  [...sumsOf(sums)].map(([kind, { entries, minor }]) => ({
    label: wordsOfKind(kind),
    value: `${money(minor)} (${entries} ${entries === 1 ? 'line' : 'lines'}${COUNTED_KINDS.has(kind) ? '' : ', not settled'})`,
  }));

async function everyLine(queries: Queries, tenant: Tenant, row: SettlementRow): Promise<ReceiptLine[]> {
  const shown: ShownLine[] = [];
  let left = 0;
  for await (const lines of eachLine(queries, tenant, row)) {
    const room = MOST_LINES - shown.length;
    shown.push(...lines.slice(0, room));
    left += Math.max(lines.length - room, 0);
  }
  const printed = shown.map((line) => ({
    label: lagosClock(line.created_at),
    value: `${money(signed(line))}  ${wordsOfKind(line.kind)}  ${line.reference} ${line.narration}`.trim(),
  }));
  return left === 0 ? printed : [...printed, { label: 'And more', value: `${left} lines are in the CSV file alone` }];
}
