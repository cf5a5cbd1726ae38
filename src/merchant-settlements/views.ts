import { decimalText, toNumber } from '../money/index.ts';
import type { PayoutRecord } from '../payouts/index.ts';
import type { CsvColumns } from '../platform/spreadsheet/write-csv.ts';
import type { Tenant } from '../platform/tenant.ts';
import { referenceOf } from '../transactions/index.ts';
import type { Wallet } from '../wallets/index.ts';
import { NOTHING_WORDS, type NothingCode, wordsOfPause, wordsOfResult } from './errors.ts';
import { COUNTED_KINDS, type KindSums, kindOf, sumsOf, wordsOfKind } from './line-kinds.ts';
import type { SettlementRow } from './queries.ts';
import type { ScheduleRow, SettingsRow, SettlementRule } from './schedule-queries.ts';
import type { WalletSettingsRow, WalletStateRow } from './wallet-queries.ts';

type PaidBy = Pick<
  PayoutRecord,
  'id' | 'fee_minor' | 'vat_minor' | 'stamp_duty_minor' | 'charges_minor' | 'session_id' | 'paid_at'
>;

const summaryView = (sums: KindSums) =>
  [...sums].map(([kind, { entries, minor }]) => ({
    kind,
    label: wordsOfKind(kind),
    lines: entries,
    amount: toNumber(minor),
    settled: COUNTED_KINDS.has(kind),
  }));

/** A settlement on the wire, with the costs and the state of its latest payout. */
export function settlementView(row: SettlementRow, payout: PaidBy) {
  return {
    settlementId: row.id,
    number: row.number,
    walletId: row.wallet_id,
    trigger: row.trigger,
    status: row.status,
    conclusive: row.status === 'PAID',
    reason: row.reason,
    businessDay: row.business_day,
    cutOff: row.cut_off.toISOString(),
    opening: toNumber(row.opening_minor),
    summary: summaryView(sumsOf(row.sums)),
    closing: toNumber(row.closing_minor),
    net: toNumber(row.net_minor),
    carriedIn: toNumber(row.carried_in_minor),
    amount: toNumber(row.amount_minor),
    fee: toNumber(payout.fee_minor),
    vat: toNumber(payout.vat_minor),
    stampDuty: toNumber(payout.stamp_duty_minor),
    total: toNumber(row.amount_minor + payout.charges_minor),
    carriedOut: toNumber(row.carried_out_minor),
    currency: 'NGN' as const,
    bankCode: row.bank_code,
    bankName: row.bank_name,
    accountNumber: row.account_number,
    accountName: row.account_name,
    payoutId: row.payout_id,
    payoutReference: referenceOf(row.payout_id),
    sessionId: payout.session_id,
    attempts: row.attempts,
    mode: row.mode,
    paidAt: row.status === 'PAID' ? (payout.paid_at?.toISOString() ?? null) : null,
    tryAgainAt: row.status === 'FAILED' ? (row.due_at?.toISOString() ?? null) : null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** The same in an event, without when it is due again. */
export const reportedSettlement = (row: SettlementRow, payout: PaidBy) => settlementView(row, payout);

export interface LineEntry {
  id: string;
  transaction_id: string;
  code: string;
  direction: 'DEBIT' | 'CREDIT';
  amount_minor: bigint;
  balance_minor: bigint;
  created_at: Date;
}

export interface ShownLine extends LineEntry {
  kind: string;
  reference: string;
  narration: string;
}

export function shownLine(
  entry: LineEntry,
  purpose: string | undefined,
  note: { reference: string; narration: string },
): ShownLine {
  return { ...entry, kind: kindOf(entry.code, purpose), ...note };
}

/** In kobo; below zero where it left the wallet. */
export const signed = ({ direction, amount_minor }: LineEntry): bigint =>
  direction === 'CREDIT' ? amount_minor : -amount_minor;

export function lineView(line: ShownLine) {
  return {
    lineId: line.id,
    kind: line.kind,
    label: wordsOfKind(line.kind),
    code: line.code,
    transactionId: line.transaction_id,
    reference: line.reference,
    narration: line.narration,
    amount: toNumber(signed(line)),
    balance: toNumber(line.balance_minor),
    settled: COUNTED_KINDS.has(line.kind),
    bookedAt: line.created_at.toISOString(),
  };
}

export const LINE_COLUMNS: CsvColumns<ShownLine> = {
  bookedAt: ['Booked At (UTC)', ({ created_at }) => created_at.toISOString()],
  kind: ['Kind', ({ kind }) => kind],
  label: ['What', ({ kind }) => wordsOfKind(kind)],
  amount: ['Amount', (line) => decimalText(signed(line))],
  balance: ['Balance', ({ balance_minor }) => decimalText(balance_minor)],
  settled: ['Settled', ({ kind }) => (COUNTED_KINDS.has(kind) ? 'yes' : 'no')],
  reference: ['Reference', ({ reference }) => reference, 'DIGITS'],
  narration: ['Narration', ({ narration }) => narration],
  code: ['Code', ({ code }) => code],
  transactionId: ['Transaction ID', ({ transaction_id }) => transaction_id],
};

interface Around {
  rule: Pick<SettlementRule, 'isEnabled' | 'minimumMinor' | 'windowSeconds'>;
  schedule: Pick<ScheduleRow, 'due_at' | 'paused_reason' | 'paused_since' | 'result'> | undefined;
}

/** A merchant's settings, and what follows from them now. */
export function settingsView(row: SettingsRow | undefined, { rule, schedule }: Around) {
  const reason = schedule?.paused_reason ?? null;
  const result = (schedule?.result ?? null) as NothingCode | null;
  return {
    version: row?.version ?? 0,
    schedule: row?.schedule ?? ('OFF' as const),
    minimum: toNumber(row?.minimum_minor ?? 0n),
    keepInWallet: toNumber(row?.keep_minor ?? 0n),
    timeOfDay: row?.time_of_day ?? '08:00',
    operatorMinimum: toNumber(rule.minimumMinor),
    allowed: rule.isEnabled,
    windowSeconds: rule.windowSeconds,
    nextAt: reason === null ? (schedule?.due_at?.toISOString() ?? null) : null,
    pausedReason: reason,
    pausedWords: reason === null ? null : wordsOfPause(reason),
    pausedSince: schedule?.paused_since?.toISOString() ?? null,
    lastResult: result,
    lastResultWords: result === null ? null : (NOTHING_WORDS[result] ?? result),
    changedBy: row?.changed_by ?? null,
    changedAt: row?.changed_at.toISOString() ?? null,
  };
}

export type SettingsView = ReturnType<typeof settingsView>;

/** The last settlement of a wallet; null where there is none. */
interface LastOfWallet {
  last_id: string | null;
  last_number: number | null;
  last_status: string | null;
}

/** The settings of the wallet of a store or subaccount, and the result of its last turn. */
export function walletSettingsView(
  { id: walletId, accountName }: Pick<Wallet, 'id' | 'accountName'>,
  row: Pick<WalletSettingsRow, 'version' | 'is_settled' | 'keep_minor' | 'changed_by' | 'changed_at'> | undefined,
  { result, last_id, last_number, last_status }: Pick<WalletStateRow, 'result'> & LastOfWallet,
) {
  return {
    walletId,
    walletName: accountName,
    version: row?.version ?? 0,
    settled: row?.is_settled ?? false,
    keepInWallet: toNumber(row?.keep_minor ?? 0n),
    lastResult: result,
    lastResultWords: result === null ? null : wordsOfResult(result),
    lastSettlementId: last_id,
    lastSettlementNumber: last_number,
    lastSettlementStatus: last_status,
    changedBy: row?.changed_by ?? null,
    changedAt: row?.changed_at.toISOString() ?? null,
  };
}

export const pauseView = ({ merchantId, mode }: Tenant, reason: string, at: Date) => ({
  merchantId,
  mode,
  reason,
  words: wordsOfPause(reason),
  at: at.toISOString(),
});
