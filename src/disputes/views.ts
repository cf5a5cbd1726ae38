import { DEFAULT_CURRENCY, decimalText, toNumber, toNumberIfExact } from '../money/index.ts';
import type { Database } from '../platform/db/database.ts';
import { type ExportFile, exportList } from '../platform/exports.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { listView } from '../platform/lists/read-list.ts';
import { readListOf } from '../platform/lists/totals.ts';
import { type CsvColumns, chosenColumns } from '../platform/spreadsheet/write-csv.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { DisputeCapabilities } from '../rails/index.ts';
import { type AnswerRow, type FileRow, listAnswers, listFiles } from './answer-queries.ts';
import { type DisputeDeps, findDisputeRail } from './deps.ts';
import { disputeNotFound } from './errors.ts';
import { type DisputeEvidenceRow, listDisputeEvidence } from './evidence-queries.ts';
import {
  type DisputeFilter,
  type DisputeRow,
  disputeList,
  findDispute,
  isEnded,
  listRepayments,
  type RepaymentRow,
  sumOwed,
} from './queries.ts';

/** A dispute on the wire, in naira. What the operator has to look at is not shown to the merchant. */
export function disputeView(row: DisputeRow) {
  const { disputed_minor, held_minor, taken_minor, loss_minor, repaid_minor } = row;
  return {
    disputeId: row.id,
    paymentId: row.payment_id,
    status: row.status,
    conclusive: isEnded(row.status),
    reason: row.reason,
    category: row.category,
    message: row.message,
    amount: toNumber(row.amount_minor),
    disputed: toNumber(disputed_minor),
    held: toNumber(row.ended_at === null ? held_minor : 0n),
    taken: toNumber(taken_minor),
    loss: toNumber(loss_minor),
    owed: toNumber(loss_minor - repaid_minor),
    currency: row.currency,
    walletId: row.wallet_id,
    answer: row.answer,
    answerStatus: row.answer_status,
    answerReason: row.answer_reason,
    providerDisputeId: row.provider_dispute_id,
    version: row.version,
    mode: row.mode,
    dueAt: row.due_at?.toISOString() ?? null,
    openedAt: row.opened_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
  };
}

/** A dispute at the simulated bank, in naira. */
export function sandboxDisputeView(
  paymentId: string,
  row: { id: string; amount_minor: bigint; scenario: string; due_at: Date },
) {
  return {
    providerDisputeId: row.id,
    paymentId,
    amount: toNumber(row.amount_minor),
    currency: DEFAULT_CURRENCY,
    scenario: row.scenario,
    dueAt: row.due_at.toISOString(),
  };
}

/** What a merchant owes after disputes, in naira. */
export async function readOwed(database: Database, { merchantId, mode }: Tenant) {
  const [sum] = await database.query(sumOwed, [merchantId, mode]);
  return {
    owed: toNumberIfExact(sum?.owed_minor ?? 0n),
    disputes: sum?.disputes ?? 0,
    currency: DEFAULT_CURRENCY,
  };
}

/**
 * A merchant's disputes, newest first. An index leads to those of a payment alone.
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`, 422 `SEARCH_TOO_LONG`, 503 `SEARCHES_BUSY`
 */
export async function readDisputes(database: Database, tenant: Tenant, filter: DisputeFilter, request: ListRequest) {
  const { statuses = [], from, to, paymentId } = filter;
  const isLong = (statuses[0] ?? from ?? to) !== undefined && paymentId === undefined;
  const asked = { list: disputeList(tenant, filter), isLong };
  return listView(await readListOf(database, tenant.merchantId, asked, request), disputeView);
}

/** @throws AppError 404 `DISPUTE_NOT_FOUND` */
export async function requireDispute(database: Database, tenant: Tenant, id: string): Promise<DisputeRow> {
  const [row] = await database.query(findDispute, [tenant.merchantId, tenant.mode, id]);
  if (row === undefined) throw disputeNotFound();
  return row;
}

/** The kinds of answers that a dispute's provider takes; undefined where it takes none. */
export async function findCapabilities(
  rails: DisputeDeps['rails'],
  { source, mode, rail }: DisputeRow,
): Promise<DisputeCapabilities | undefined> {
  return source === 'OPERATOR' ? undefined : (await findDisputeRail(rails, mode, rail))?.disputes.capabilities;
}

/** One dispute, with all that was reported and done about it. */
export interface DisputeParts {
  row: DisputeRow;
  evidence: DisputeEvidenceRow[];
  answers: AnswerRow[];
  files: FileRow[];
  repayments: RepaymentRow[];
}

/** @throws AppError 404 `DISPUTE_NOT_FOUND` */
export async function readDisputeParts(database: Database, tenant: Tenant, id: string): Promise<DisputeParts> {
  const key = [tenant.merchantId, tenant.mode, id];
  const row = await requireDispute(database, tenant, id);
  const [evidence, answers, files, repayments] = await Promise.all([
    database.query(listDisputeEvidence, key),
    database.query(listAnswers, key),
    database.query(listFiles, key),
    database.query(listRepayments, key),
  ]);
  return { row, evidence, answers, files, repayments };
}

/** One dispute, with its whole history. @throws AppError 404 `DISPUTE_NOT_FOUND` */
export async function readDispute(
  { database, rails }: Pick<DisputeDeps, 'database' | 'rails'>,
  tenant: Tenant,
  id: string,
) {
  const { row, evidence, answers, files, repayments } = await readDisputeParts(database, tenant, id);
  const capabilities = await findCapabilities(rails, row);
  return {
    dispute: disputeView(row),
    takes: capabilities === undefined ? null : { files: capabilities.evidenceFiles, needs: [...capabilities.needs] },
    reports: evidence.map(({ source, state, code, received_at }) => ({
      source,
      state: state.toUpperCase(),
      code,
      receivedAt: received_at.toISOString(),
    })),
    answers: answers.map((answer) => answerView(answer, files)),
    repayments: repayments.map(({ id: transactionId, wallet_id, amount_minor, created_at }) => ({
      transactionId,
      walletId: wallet_id,
      amount: toNumber(amount_minor),
      paidAt: created_at.toISOString(),
    })),
  };
}

function answerView(row: AnswerRow, files: readonly FileRow[]) {
  const { message = null } = JSON.parse(row.content) as { message?: string };
  return {
    answerId: row.id,
    action: row.action,
    status: row.status,
    reason: row.reason,
    message,
    files: files
      .filter(({ answer_id }) => answer_id === row.id)
      .map(({ id, file_name, content_type, size_bytes }) => ({
        fileId: id,
        fileName: file_name,
        contentType: content_type,
        sizeBytes: size_bytes,
      })),
    madeBy: row.made_by,
    madeAt: row.made_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
  };
}

export const DISPUTE_COLUMNS: CsvColumns<DisputeRow> = {
  openedAt: ['Opened At (UTC)', ({ opened_at }) => opened_at.toISOString()],
  dueAt: ['Answer Until (UTC)', ({ due_at }) => due_at?.toISOString() ?? ''],
  status: ['Status', ({ status }) => status],
  reason: ['Reason', ({ reason }) => reason ?? ''],
  category: ['Category', ({ category }) => category],
  amount: ['Amount', ({ amount_minor }) => decimalText(amount_minor)],
  disputed: ['Disputed', ({ disputed_minor }) => decimalText(disputed_minor)],
  held: ['Held', ({ held_minor, ended_at }) => decimalText(ended_at === null ? held_minor : 0n)],
  taken: ['Taken', ({ taken_minor }) => decimalText(taken_minor)],
  loss: ['Loss', ({ loss_minor }) => decimalText(loss_minor)],
  owed: ['Owed', ({ loss_minor, repaid_minor }) => decimalText(loss_minor - repaid_minor)],
  currency: ['Currency', ({ currency }) => currency],
  message: ['Payer Says', ({ message }) => message ?? ''],
  answer: ['Answer', ({ answer }) => answer ?? ''],
  answerStatus: ['Answer Status', ({ answer_status }) => answer_status ?? ''],
  paymentId: ['Payment ID', ({ payment_id }) => payment_id],
  endedAt: ['Ended At (UTC)', ({ ended_at }) => ended_at?.toISOString() ?? ''],
  disputeId: ['Dispute ID', ({ id }) => id],
};

/**
 * A merchant's disputes as CSV, amounts in naira.
 * @throws AppError `VALIDATION_FAILED`, 503 `EXPORTS_BUSY`, 422 `EXPORT_TOO_LARGE`
 */
export async function exportDisputes(
  database: Database,
  tenant: Tenant,
  filter: DisputeFilter,
  { columns, gone }: { columns?: string | undefined; gone: AbortSignal },
): Promise<ExportFile> {
  const chosen = chosenColumns(DISPUTE_COLUMNS, columns);
  const list = disputeList(tenant, filter);
  return exportList(database, tenant.merchantId, { list, columns: chosen, shownOf: (rows) => rows }, gone);
}
