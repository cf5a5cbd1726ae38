import { statement } from '../platform/db/statement.ts';
import type { List } from '../platform/lists/list.ts';
import type { Mode } from '../platform/tenant.ts';

/** What may be frozen. */
export const FREEZE_SUBJECTS = ['ACCOUNT', 'PAYER', 'REFERENCE', 'MERCHANT'] as const;
export type FreezeSubject = (typeof FREEZE_SUBJECTS)[number];

export interface FreezeRow {
  id: string;
  mode: Mode;
  subject: FreezeSubject;
  bank_code: string | null;
  bank_name: string | null;
  account_number: string | null;
  payer_name: string | null;
  reference: string | null;
  merchant_id: string | null;
  reason: string;
  legal_basis: string;
  owner: string;
  starts_at: Date;
  /** From then on every process knows it. */
  in_force_at: Date;
  ends_at: Date | null;
  made_by: string;
  made_at: Date;
  lifted_at: Date | null;
  lift_id: string | null;
  digest: string;
}

/** SHA-256, hex, over a freeze `f` as it was made. */
export const freezeDigest = (f: string): string =>
  `encode(sha256(convert_to(json_build_array(${f}.id, ${f}.mode, ${f}.subject, ${f}.bank_code, ${f}.bank_name,
     ${f}.account_number, ${f}.payer_name, ${f}.reference, ${f}.merchant_id, ${f}.reason, ${f}.legal_basis, ${f}.owner,
     extract(epoch from ${f}.starts_at), extract(epoch from ${f}.in_force_at), extract(epoch from ${f}.ends_at),
     ${f}.made_by, extract(epoch from ${f}.made_at))::text, 'UTF8')), 'hex')`;

export const insertFreeze = statement<FreezeRow>(
  'insert-freeze',
  `insert into freezes (id, mode, subject, bank_code, bank_name, account_number, payer_name, reference, merchant_id, reason,
                        legal_basis, owner, starts_at, in_force_at, ends_at, made_by, made_at, digest)
   select f.*, ${freezeDigest('f')}
     from (values ($1::uuid, $2::text, $3::text, $4::text, $5::text, $6::text, $7::text, $8::text, $9::uuid, $10::text,
                   $11::text, $12::text, $13::timestamptz, $14::timestamptz, $15::timestamptz, $16::uuid, $17::timestamptz))
          as f (id, mode, subject, bank_code, bank_name, account_number, payer_name, reference, merchant_id, reason,
                legal_basis, owner, starts_at, in_force_at, ends_at, made_by, made_at)
   returning *`,
);

export const findFreeze = statement<FreezeRow>('find-freeze', 'select * from freezes where id = $1');

/** Those that are in force at $1, or begin later. */
export const listFreezesInForce = statement<FreezeRow>(
  'list-freezes-in-force',
  'select * from freezes where lifted_at is null and (ends_at is null or ends_at > $1) order by made_at, id',
);

/** Two people lifted it. $2 when, $3 the proposal. */
export const updateFreezeLifted = statement<{ id: string }>(
  'update-freeze-lifted',
  'update freezes set lifted_at = $2, lift_id = $3 where id = $1 and lifted_at is null returning id',
);

/** A freeze with who made it, and how much was held for it. */
export interface ShownFreezeRow extends FreezeRow {
  made_by_email: string | null;
  open_cases: number;
  cases: number;
}

export interface FreezeFilter {
  mode?: Mode | undefined;
  /** True: those that are not over at `at`. */
  isInForce?: boolean | undefined;
  at: Date;
}

/** Across merchants, newest first. */
export function freezeList({ mode, isInForce, at }: FreezeFilter): List<ShownFreezeRow> {
  const values: unknown[] = [];
  const where = ['true'];
  if (mode !== undefined) where.push(`q.mode = $${values.push(mode)}`);
  if (isInForce !== undefined) {
    const holds = `(q.lifted_at is null and (q.ends_at is null or q.ends_at > $${values.push(at)}))`;
    where.push(isInForce ? holds : `not ${holds}`);
  }
  return {
    name: 'freezes',
    of: [{ mode, isInForce }],
    order: { direction: 'desc', keys: [{ sql: 'q.id', type: 'uuid', of: ({ id }) => id }] },
    columns: 'q.*',
    from: SHOWN_FREEZES,
    whereDistributed: COUNTED_FREEZES,
    where,
    values,
  };
}

const SHOWN_FREEZES = `(
     select f.*, p.email as made_by_email, c.open_cases::int as open_cases, c.cases::int as cases
       from freezes f
       left join people p on p.id = f.made_by
      cross join lateral (select count(*) as cases, count(*) filter (where status = 'OPEN') as open_cases
                            from compliance_cases where freeze_id = f.id) c
   ) q`;

/** The same with the cases of all freezes counted first: freezes are at the coordinator, and cases on every shard. */
const COUNTED_FREEZES = `(
     select f.*, p.email as made_by_email, coalesce(c.open_cases, 0)::int as open_cases, coalesce(c.cases, 0)::int as cases
       from freezes f
       left join people p on p.id = f.made_by
       left join (select freeze_id, count(*) as cases, count(*) filter (where status = 'OPEN') as open_cases
                    from compliance_cases where freeze_id is not null group by freeze_id) c on c.freeze_id = f.id
   ) q`;

export const findShownFreeze = statement<ShownFreezeRow>(
  'find-shown-freeze',
  `with held as materialized (
     select count(*)::int as cases, count(*) filter (where status = 'OPEN')::int as open_cases
       from compliance_cases where freeze_id = $1
   )
   select f.*, p.email as made_by_email, held.open_cases, held.cases
     from freezes f
    cross join held
     left join people p on p.id = f.made_by
    where f.id = $1`,
);

/** One line of what happened with a freeze. */
export interface TrailRow {
  at: Date;
  what: string;
  who: string | null;
  detail: string;
}

/** Of what happened at one moment: first what made the rest happen. */
const TRAIL_ORDER = `case when t.what = 'FROZEN' then 1 when t.what like '%HELD' then 2 when t.what = 'LIFT_PROPOSED' then 3
                when t.what like 'LIFT%' then 4 else 5 end`;

/** All that happened with one freeze, in its order: who made it, what was held, who lifted it. */
export const listFreezeTrail = statement<TrailRow>(
  'list-freeze-trail',
  `select t.at, t.what, p.email as who, t.detail
     from (
       select made_at as at, 'FROZEN' as what, made_by as person_id,
              reason || '. Legal basis: ' || legal_basis || '. Owner: ' || owner as detail
         from freezes where id = $1
        union all
       select c.opened_at, c.subject_type || '_HELD', null, c.merchant_id || ' ' || c.subject_id
         from compliance_cases c where c.freeze_id = $1
        union all
       select c.decided_at, c.subject_type || '_' || c.status, null, c.merchant_id || ' ' || c.subject_id
         from compliance_cases c where c.freeze_id = $1 and c.decided_at is not null
        union all
       select o.proposed_at, 'LIFT_PROPOSED', o.proposed_by, o.note from compliance_proposals o where o.freeze_id = $1
        union all
       select o.decided_at, 'LIFT_' || o.status, o.decided_by, coalesce(o.reason, o.note)
         from compliance_proposals o where o.freeze_id = $1 and o.decided_at is not null
        union all
       select ends_at, 'ENDED', null, 'Its time was over' from freezes
        where id = $1 and ends_at <= $2 and (lifted_at is null or lifted_at > ends_at)
     ) t
     left join people p on p.id = t.person_id
    order by t.at, ${TRAIL_ORDER}, t.what
    limit 10000`,
);
