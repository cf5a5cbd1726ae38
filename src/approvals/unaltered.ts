import type { OnAlarm } from '../platform/alarm.ts';
import type { Queries } from '../platform/db/database.ts';
import { NIL_ID } from '../platform/ids.ts';
import type { Logger } from '../platform/logger.ts';
import type { Mode } from '../platform/tenant.ts';
import { subjectAltered } from './errors.ts';
import { type ApprovalRow, listApprovalsOfAll } from './queries.ts';
import type { ApprovalRequest } from './request-approval.ts';
import { digestOf, type ShownLine, showsTheSame } from './shown-lines.ts';

/** A record as text, column by column, as it was when its approval was requested. */
export type Content = Readonly<Record<string, string | null>>;

type Value = string | number | boolean | bigint | Date | null | undefined;

/**
 * The content of a record in the program; it is the same after it was stored and read back. `free` columns may change
 * while it waits.
 */
export function contentOf(record: object, free: ReadonlySet<string>): Content {
  const bound = Object.entries(record as Record<string, Value>).filter(([name]) => !free.has(name));
  return Object.fromEntries(bound.map(([name, value]) => [name, textOf(value)]));
}

function textOf(value: Value): string | null {
  if (value === null || value === undefined) return null;
  return value instanceof Date ? value.toISOString() : String(value);
}

export interface AlarmDeps {
  logger: Logger;
  onAlarm?: OnAlarm | undefined;
}

/** A record that waits for an approval, and what would be requested for it now. */
export interface Waiting {
  record: { approval_id: string | null; rules_version: number | null };
  asked: Pick<ApprovalRequest, 'title' | 'amountMinor' | 'chargesMinor' | 'shown'>;
  /** Columns that others may have changed since, as it no longer waits. */
  changed?: ReadonlySet<string>;
}

/**
 * Compares a record with what its approval was requested for, by the content in the approval's payload, which its
 * digest covers; an approval of an older release, without content, by what it showed. A record that was altered past
 * the service is neither put into force nor released: people have to correct it.
 * @throws AppError 409 `APPROVAL_SUBJECT_ALTERED`, after an alarm.
 */
export function requireUnaltered(deps: AlarmDeps, approval: ApprovalRow, waiting: Waiting): void {
  const { content } = JSON.parse(approval.payload) as { content?: Content };
  const { record } = waiting;
  const altered = content === undefined ? alteredShown(approval, waiting) : alteredContent(content, waiting);
  if (record.approval_id !== approval.id) altered.push('approval_id');
  if (record.rules_version !== approval.rules_version) altered.push('rules_version');
  if (altered.length > 0) throw alarmAltered(deps, approval, altered);
}

/** Raises an alarm and makes the refusal. */
export function alarmAltered({ logger, onAlarm }: AlarmDeps, approval: ApprovalRow, altered: readonly string[]) {
  const { id: approvalId, kind, subject_id: subjectId, mode } = approval;
  logger.error(
    { approvalId, kind, subjectId, mode, altered },
    'what waits for approval is not what was put before people',
  );
  const refusal = subjectAltered();
  onAlarm?.({ alarm: refusal.code, mode });
  return refusal;
}

function alteredContent(content: Content, { record, changed = new Set() }: Waiting): string[] {
  const now = contentOf(record, changed);
  return Object.keys(content).filter((name) => !changed.has(name) && (now[name] ?? null) !== content[name]);
}

function alteredShown(approval: ApprovalRow, { asked, changed }: Waiting): string[] {
  // The shown lines have charges in them, which differ by then.
  if (changed !== undefined) return [];
  const { title, amountMinor, chargesMinor, shown } = asked;
  const same = {
    title: title === approval.title,
    amount_minor: amountMinor === approval.amount_minor,
    charges_minor: chargesMinor === approval.charges_minor,
    shown: showsTheSame(shown, JSON.parse(approval.shown) as ShownLine[]),
  };
  return Object.entries(same).flatMap(([name, isSame]) => (isSame ? [] : [name]));
}

/** One approval that is not what was shown. */
export interface ApprovalFault {
  merchantId: string;
  mode: Mode;
  detail: string;
}

/** Approvals read at once. */
const PIECE = 2_000;

/**
 * Computes the digest of every approval again, and yields each whose text, amounts, effect, maker or number of people
 * was altered after it was shown.
 */
export async function* checkApprovals(queries: Queries): AsyncGenerator<ApprovalFault> {
  let last: [merchantId: string, mode: string, id: string] = [NIL_ID, '', NIL_ID];
  for (;;) {
    const rows = await queries.query(listApprovalsOfAll, [...last, PIECE]);
    for (const row of rows) {
      const { merchant_id: merchantId, mode, id, status } = row;
      if (digestOf(row) !== row.digest) {
        yield { merchantId, mode, detail: `approval ${id} (${status}) is not what has the digest that was shown` };
      }
      last = [merchantId, mode, id];
    }
    if (rows.length < PIECE) return;
  }
}
