import { setInsert, setStatement, statement } from '../platform/db/statement.ts';
import { queue } from '../platform/jobs/queries.ts';
import type { PepperCount } from '../platform/keyed-hash.ts';
import type { List, ListOrder } from '../platform/lists/list.ts';
import type { Mode } from '../platform/tenant.ts';
import { ACTIONS_WITH_WORDS, actionsNamed } from './action-words.ts';

/** `ASKED` before anything happens; then `DONE`, or `REFUSED` with the error's code. */
export const AUDIT_OUTCOMES = ['ASKED', 'DONE', 'REFUSED'] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/**
 * Kinds of actions that somebody looks for among all others: keys, PIN and signing secrets; who belongs to an organization; who is
 * signed in; whose details were looked at; rules, limits and addresses. Everything else has none.
 */
export const AUDIT_CATEGORIES = ['KEYS', 'PEOPLE', 'SIGN_IN', 'PERSONAL_DATA', 'SETTINGS'] as const;
export type AuditCategory = (typeof AUDIT_CATEGORIES)[number];

export const ACTOR_KINDS = ['PERSON', 'OPERATOR', 'KEY', 'SYSTEM'] as const;

/**
 * The role of somebody of the operator's staff who opened a support view or reads in one. The merchant sees their name
 * then; of everything else it sees that it was the operator.
 */
export const SUPPORT_ROLE = 'SUPPORT';

export interface AuditActor {
  /** Somebody of a merchant, of the operator, an API key, or the service and its terminal. */
  kind: (typeof ACTOR_KINDS)[number];
  id: string | null;
  name: string;
  role: string | null;
  sessionId: string | null;
}

/** One action, as it is kept for good. It never carries a PIN, a password, a code, a token, a BVN or a file. */
export interface AuditEntry {
  /** Whose log it belongs to; null for the operator's own, and for what belongs to no merchant. */
  merchantId: string | null;
  mode: Mode | null;
  at: Date;
  /** Stable, for programs: `POST /payout/single`, `sign-in`. */
  action: string;
  /** What the operation is for, in words: its readers see `actionWords`. */
  summary: string;
  category?: AuditCategory | null;
  outcome: AuditOutcome;
  code: string | null;
  /** What it was about: ids, amounts in naira, names. */
  subject: Record<string, string | number | boolean | null>;
  actor: AuditActor;
  ip: string | null;
  userAgent: string | null;
  requestId: string | null;
}

export interface AuditRow {
  merchant_id: string;
  id: string;
  mode: Mode | null;
  at: Date;
  action: string;
  summary: string;
  /** Null also for what was recorded before there were any. */
  category: AuditCategory | null;
  outcome: AuditOutcome;
  code: string | null;
  subject: string;
  actor_kind: AuditActor['kind'];
  actor_id: string | null;
  actor_name: string;
  actor_role: string | null;
  session_id: string | null;
  ip: string | null;
  user_agent: string | null;
  request_id: string | null;
}

/** The entry and its place in the queue for a seal, or neither. */
export const insertAuditEntry = statement(
  'insert-audit-entry',
  `with unsealed as (insert into audit_unsealed (merchant_id, entry_id) values ($1, $2) returning entry_id)
   insert into audit_entries (merchant_id, id, mode, at, action, summary, outcome, code, subject, actor_kind, actor_id,
                              actor_name, actor_role, session_id, ip, user_agent, request_id, category)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`,
);

/**
 * Chains with entries that wait for a seal, but for those in $1. An entry that is gone waits for none: it stays in the
 * queue, where the proof finds it.
 */
export const listUnsealedChains = statement<{ chain: string }>(
  'list-unsealed-audit-chains',
  `select distinct u.merchant_id as chain
     from audit_unsealed u join audit_entries e on e.merchant_id = u.merchant_id and e.id = u.entry_id
    where u.merchant_id <> all ($1::uuid[])
    limit $2`,
);

export const UNSEALED_CHAINS = queue(listUnsealedChains, 'audit_unsealed', 'true', { hasNoMode: true });

/**
 * Entries of the chain $1 that have no seal yet, at most $2. Another process that seals at the same moment takes
 * others.
 */
export const lockUnsealedEntries = statement<AuditRow & { entry_id: string; chain: string }>(
  'lock-unsealed-audit-entries',
  `select u.merchant_id as chain, u.entry_id, e.*
     from audit_unsealed u
    cross join lateral (select * from audit_entries where merchant_id = $1 and id = u.entry_id offset 0) e
    where u.merchant_id = $1
    order by u.entry_id limit $2
      for update of u skip locked`,
);

export const findLastSeal = statement<{ merchant_id: string; sequence: bigint; seal: string }>(
  'find-last-audit-seal',
  'select merchant_id, sequence, seal from audit_seals where merchant_id = $1 order by sequence desc limit 1',
);

export interface SealRow {
  merchant_id: string;
  sequence: bigint;
  entry_id: string;
  seal: string;
  sealed_at: string;
  /** What it is made under; null in seals of earlier releases. */
  pepper_id: string | null;
}

export const insertAuditSeals = setInsert<SealRow>('audit_seals', {
  merchant_id: 'uuid',
  sequence: 'bigint',
  entry_id: 'uuid',
  seal: 'text',
  sealed_at: 'timestamptz',
  pepper_id: 'text',
});

export const deleteUnsealed = setStatement<{ merchant_id: string; entry_id: string }>(
  'delete-unsealed-audit-entries',
  { merchant_id: 'uuid', entry_id: 'uuid' },
  'delete from audit_unsealed u using :rows where u.merchant_id = rows.merchant_id and u.entry_id = rows.entry_id',
);

/** An entry beside its seal; null where the entry is gone. */
type SealedEntry = (AuditRow & { found: true }) | (Record<keyof AuditRow, null> & { found: false });

/** Seals with their entries in the order of the chains, from after one on. */
export const listSealedEntries = statement<
  Pick<SealRow, 'sequence' | 'seal' | 'pepper_id' | 'entry_id'> & { chain: string } & SealedEntry
>(
  'list-sealed-audit-entries',
  `select s.merchant_id as chain, s.sequence, s.seal, s.pepper_id, s.entry_id, e.id is not null as found, e.*
     from audit_seals s
     left join audit_entries e on e.merchant_id = s.merchant_id and e.id = s.entry_id
    where (s.merchant_id, s.sequence) > ($1::uuid, $2::bigint)
    order by s.merchant_id, s.sequence limit $3`,
);

/** Seals of earlier releases are under the first pepper of this database. */
export const countSealsByPepper = statement<PepperCount>(
  'count-audit-seals-by-pepper',
  `select coalesce(pepper_id, (select id from peppers order by first_used_at, id limit 1)) as pepper_id,
     count(*)::int as rows, count(*)::int as alone
   from audit_seals group by 1`,
);

export interface AuditFilter {
  /** Undefined: the logs of all. */
  merchantId?: string | undefined;
  personId?: string | undefined;
  action?: string | undefined;
  category?: AuditCategory | undefined;
  outcome?: AuditOutcome | undefined;
  /** Each action once: without what was asked for and has its end written down. */
  once?: boolean | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  /** Actions of the operator's that a merchant's reader is not shown. */
  hidden?: readonly string[] | undefined;
}

/** True of every row. Only who names it may use the index over all merchants, which would mislead the others. */
const LISTED = `at > '-infinity'`;

const ENDS = `select true as yes from audit_entries other
       where other.merchant_id = entry.merchant_id and other.request_id = entry.request_id and other.outcome <> 'ASKED'`;
/**
 * The end of what was asked for, looked up entry by entry: its limit keeps the whole log from being read for a page. Where
 * only what has no end is wanted, nearly all of the log has to be read, and is joined at once.
 */
const ENDED = `left join lateral (${ENDS} and entry.outcome = 'ASKED' limit 1) ended on true`;

/** Only the conditions that are asked for: one that is there for all cases hides the index that would answer this one. */
function whereOf({ merchantId, personId, action, category, outcome, once, from, to, hidden }: AuditFilter): {
  where: string[];
  values: unknown[];
} {
  const values: unknown[] = [];
  const where = [merchantId === undefined ? LISTED : `merchant_id = $${values.push(merchantId)}`];
  if (personId !== undefined) where.push(`actor_id = $${values.push(personId)}`);
  if (action !== undefined) {
    const place = `$${values.push(`%${action.replaceAll(/[\\%_]/g, '\\$&')}%`)}`;
    const named = `$${values.push(actionsNamed(action))}::text[]`;
    const known = `$${values.push(ACTIONS_WITH_WORDS)}::text[]`;
    // What an entry keeps as its words counts only where it is what its reader sees.
    where.push(
      `(action ilike ${place} or action = any (${named}) or summary ilike ${place} and action <> all (${known}))`,
    );
  }
  // Words of ours, so they stand in the text, where the planner sees them.
  if (category !== undefined) where.push(`category = '${category}'`);
  if (outcome !== undefined) where.push(`outcome = '${outcome}'`);
  if (once === true) where.push(outcome === 'ASKED' ? `not exists (${ENDS})` : 'ended.yes is null');
  if (from !== undefined) where.push(`at >= $${values.push(from)}`);
  if (to !== undefined) where.push(`at < $${values.push(to)}`);
  if (hidden !== undefined)
    where.push(`not (action = any ($${values.push(hidden)}::text[]) and actor_kind in ('OPERATOR', 'SYSTEM'))`);
  return { where, values };
}

const NEWEST: ListOrder<AuditRow> = { direction: 'desc', keys: [{ sql: 'id', type: 'uuid', of: ({ id }) => id }] };

/** Actions are looked up one by one: so many are counted as fast as all the entries of a long log. */
const MOST_ACTIONS_COUNTED = 10_000;

/** Newest first. */
export function auditList(filter: AuditFilter): List<AuditRow> {
  const { where, values } = whereOf(filter);
  // What is hidden may be more after an upgrade, and a walk that began before goes on.
  const { hidden: _hidden, ...named } = filter;
  const { once, outcome } = named;
  return {
    name: 'audit-entries',
    of: [named],
    order: NEWEST,
    columns: 'entry.*',
    from: `audit_entries entry ${once === true && outcome !== 'ASKED' ? ENDED : ''}`,
    where,
    values,
    ...(once === true ? { mostCounted: MOST_ACTIONS_COUNTED } : {}),
  };
}
