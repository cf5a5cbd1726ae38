import { stringify } from 'csv-stringify/sync';
import type { Database, Queries } from '../platform/db/database.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { everyRow, type FoundList, readList } from '../platform/lists/read-list.ts';
import { lookThrough } from '../platform/lists/totals.ts';
import { INERT } from '../platform/spreadsheet/write-csv.ts';
import { BYTE_ORDER_MARK } from '../platform/text.ts';
import { actionWords } from './action-words.ts';
import { type Disclosures, disclosedSubject } from './disclosure.ts';
import { type AuditFilter, type AuditRow, auditList, SUPPORT_ROLE } from './queries.ts';
import { NO_MERCHANT } from './record-audit.ts';

/** Entries written at once into a download. */
const PIECE = 1_000;

/** Entries that match, newest first. @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID` */
export function readAudit(queries: Queries, filter: AuditFilter, request: ListRequest): Promise<FoundList<AuditRow>> {
  return readList(queries, auditList(filter), request);
}

/** Whether no index answers a part of the filter, so that the entries of a log are looked through. */
const looksThrough = ({ action, category, outcome, from, to }: AuditFilter): boolean =>
  [action, category, outcome, from, to].some((one) => one !== undefined);

/**
 * The same of one merchant's log, for its own people.
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`, 422 `SEARCH_TOO_LONG`, 503 `SEARCHES_BUSY`
 */
export function readAuditOfMerchant(
  database: Pick<Database, 'reading'>,
  filter: AuditFilter & { merchantId: string },
  request: ListRequest,
): Promise<FoundList<AuditRow>> {
  if (!looksThrough(filter)) return readAudit(database.reading, filter, request);
  return lookThrough(database, { owner: filter.merchantId, gone: request.gone }, (queries) =>
    readAudit(queries, filter, request),
  );
}

/** All entries that match, newest first, in pieces. */
function everyEntry(queries: Queries, filter: AuditFilter): AsyncGenerator<AuditRow[]> {
  return everyRow(queries, auditList(filter), PIECE);
}

/**
 * A merchant sees the operator's staff as one actor: which person it was, and from where, is for the operator alone.
 * Only a person who looked at the merchant's pages in a support view appears by name.
 */
const OPERATOR = { kind: 'OPERATOR', personId: null, name: 'The operator', role: null } as const;

/**
 * An entry as the merchant sees it whose log it is in. What the operator's staff write to each other stays with them, and
 * so does why one of them was refused: that a payment is frozen, for one.
 */
export function auditView(row: AuditRow, disclosures: Disclosures) {
  const view = plainView(row);
  if (row.actor_kind !== 'OPERATOR' && row.actor_kind !== 'SYSTEM') return view;
  const subject = disclosedSubject(row, view.subject, disclosures);
  const isByName = row.actor_role === SUPPORT_ROLE;
  const byName = isByName ? { name: row.actor_name, role: SUPPORT_ROLE } : {};
  const actor = { ...OPERATOR, ...byName, kind: row.actor_kind };
  return { ...view, code: isByName ? view.code : null, subject, actor, ip: null, userAgent: null };
}

/** An entry as the operator's staff see it. */
export function operatorAuditView(row: AuditRow, names: ReadonlyMap<string, string>) {
  const merchantId = row.merchant_id === NO_MERCHANT ? null : row.merchant_id;
  return {
    ...plainView(row),
    merchantId,
    businessName: merchantId === null ? null : (names.get(merchantId) ?? null),
  };
}

function plainView(row: AuditRow) {
  return {
    entryId: row.id,
    at: row.at.toISOString(),
    actor: { kind: row.actor_kind, personId: row.actor_id, name: row.actor_name, role: row.actor_role },
    action: row.action,
    summary: actionWords(row.action, row.summary),
    category: row.category,
    outcome: row.outcome,
    code: row.code,
    subject: JSON.parse(row.subject) as Record<string, unknown>,
    mode: row.mode,
    ip: row.ip,
    userAgent: row.user_agent,
    requestId: row.request_id,
  };
}

type AuditView = ReturnType<typeof plainView> & { businessName?: string | null };

const COLUMNS = [
  ...['at', 'who', 'role', 'merchant', 'summary', 'outcome', 'code', 'subject', 'mode', 'ip', 'user_agent', 'action'],
  ...['request', 'entry', 'category'],
];

/** Entries as lines of CSV; the first piece of a file begins with the header. */
function auditCsv(views: readonly AuditView[], { header }: { header: boolean }): string {
  const records = views.map((view) => ({
    at: view.at,
    who: view.actor.name,
    role: view.actor.role ?? view.actor.kind,
    merchant: view.businessName ?? '',
    summary: view.summary,
    outcome: view.outcome,
    code: view.code ?? '',
    subject: Object.entries(view.subject)
      .map(([field, value]) => `${field}: ${String(value)}`)
      .join('; '),
    mode: view.mode ?? '',
    ip: view.ip ?? '',
    user_agent: view.userAgent ?? '',
    action: view.action,
    request: view.requestId ?? '',
    entry: view.entryId,
    category: view.category ?? '',
  }));
  // What a spreadsheet would run as a formula is made inert.
  return stringify(records, { header, columns: COLUMNS, ...INERT, record_delimiter: '\r\n' });
}

/**
 * A log as CSV in pieces, the header first, also where nothing matches. `see` shows each row as the reader may see it.
 */
export async function* csvOfLog(
  queries: Queries,
  filter: AuditFilter,
  see: (rows: AuditRow[]) => Promise<Parameters<typeof auditCsv>[0]>,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + auditCsv([], { header: true });
  for await (const rows of everyEntry(queries, filter)) yield auditCsv(await see(rows), { header: false });
}
