import type { Queries } from '../platform/db/database.ts';
import { NIL_ID, newId } from '../platform/ids.ts';
import { cleanedText } from '../platform/text.ts';
import { type AuditEntry, type AuditRow, insertAuditEntry } from './queries.ts';
import { withheldIfSecret } from './subject-of.ts';

/** The log of what belongs to no merchant: the operator's own actions, and sign-ins of nobody. */
export const NO_MERCHANT = NIL_ID;

/** What a client sends of itself is kept to this many characters. */
const MAX_TEXT_LENGTH = 300;

/**
 * Adds one entry to the log, in the caller's transaction where it has one: then action and entry commit together. It stays
 * for good; the database refuses to change or remove it.
 * @throws AppError 503 `SERVICE_UNAVAILABLE`. Who cannot be recorded is not served.
 */
export async function recordAudit(queries: Queries, entry: AuditEntry): Promise<void> {
  await queries.query(insertAuditEntry, valuesOf(rowOf(entry)));
}

function rowOf({ actor, ...entry }: AuditEntry): AuditRow {
  return {
    merchant_id: entry.merchantId ?? NO_MERCHANT,
    id: newId(),
    mode: entry.mode,
    at: entry.at,
    action: entry.action,
    summary: entry.summary,
    category: entry.category ?? null,
    outcome: entry.outcome,
    code: entry.code,
    // Also of what no request brought: the terminal's options, the reason of a support view.
    subject: JSON.stringify(entry.subject, (_field, value: unknown) =>
      typeof value === 'string' ? withheldIfSecret(value) : value,
    ),
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_name: text(actor.name),
    actor_role: actor.role,
    session_id: actor.sessionId,
    ip: entry.ip,
    user_agent: entry.userAgent === null ? null : text(entry.userAgent),
    request_id: entry.requestId,
  };
}

/** PostgreSQL's text takes no NUL and no half of a character, and nothing that nobody sees may make an entry misread. */
function text(given: string): string {
  return cleanedText(given.slice(0, MAX_TEXT_LENGTH));
}

/** In the order of the statement's parameters. */
function valuesOf(row: AuditRow): unknown[] {
  return [
    row.merchant_id,
    row.id,
    row.mode,
    row.at,
    row.action,
    row.summary,
    row.outcome,
    row.code,
    row.subject,
    row.actor_kind,
    row.actor_id,
    row.actor_name,
    row.actor_role,
    row.session_id,
    row.ip,
    row.user_agent,
    row.request_id,
    row.category,
  ];
}
