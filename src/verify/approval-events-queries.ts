import { SHOWN } from './approvals-queries.ts';
import { type Check, check, sameTenant } from './queries.ts';

/** Every event of an approval, with how many seconds the sandbox's clock was moved forward after it. */
const REPORTED = `select v.merchant_id, v.mode, v.subject_id, v.sequence, v.type, v.created_at, v.advanced, x."approvalId" as id, x.kind,
              x."subjectType" as subject_type, x."subjectId" as reported_subject_id, x.title, x.amount, x.charges, x.total, x.currency, x.digest, x.shown, x.status, x.conclusive,
              x.reason, x.needed, x.given, x."madeBy" as made_by, x."madeAt" as made_at, x."expiresAt" as expires_at, x.decisions,
              row_number() over (partition by v.merchant_id, v.mode, v.subject_id order by v.sequence desc) as from_last
         from (
           select *, coalesce(sum(case type when 'sandbox.clock_advanced' then (data::json ->> 'seconds')::bigint end)
                              over (partition by merchant_id, mode order by sequence desc
                                    rows between unbounded preceding and 1 preceding), 0) as advanced
             from events
            where type in ('approval.requested', 'approval.decided', 'sandbox.clock_advanced')
         ) v
        cross join lateral json_to_record(v.data::json)
                as x ("approvalId" uuid, kind text, "subjectType" text, "subjectId" uuid, title text, amount numeric, charges numeric,
                      total numeric, currency text, digest text, shown jsonb, status text, conclusive boolean, reason text, needed integer, given integer,
                      "madeBy" jsonb, "madeAt" timestamptz, "expiresAt" timestamptz, decisions jsonb)
        where v.type <> 'sandbox.clock_advanced'`;

/** What was decided, as it is reported. */
const DECIDED = `select merchant_id, mode, approval_id,
              jsonb_agg(jsonb_build_object('decision', decision, 'by', jsonb_build_object('personId', person_id, 'name', person_name),
                                           'note', note,
                                           'at', to_char(decided_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
                        order by decided_at, person_id) as decisions,
              count(*) as decided
         from approval_decisions
        group by merchant_id, mode, approval_id`;

/** Everything that may be decided is reported with each step, and what was decided with the last. */
const reportedOtherwise = check(
  'approvals-are-reported-as-they-are',
  'Every approval was reported when it was asked for and with each decision, as it was, and the last time as it is.',
  `select coalesce(a.merchant_id, e.merchant_id) as merchant_id, coalesce(a.mode, e.mode) as mode,
          format('approval %s (%s): %s', coalesce(a.id, e.subject_id), coalesce(a.status, 'not there'),
                 case when e.subject_id is null then 'no event reports it'
                      else 'event ' || e.sequence || ' (' || e.type || ') reports it differently' end) as detail
     from approvals a
     left join (${DECIDED}) d on ${sameTenant('d', 'a')} and d.approval_id = a.id
     full join (${REPORTED}) e on ${sameTenant('e', 'a')} and e.subject_id = a.id
    where ((e.id, e.kind, e.reported_subject_id, e.title, e.currency, e.digest, e.needed, e.made_at, e.shown)
              = (a.id, a.kind, a.subject_id, a.title, a.currency, a.digest, a.needed, a.made_at, a.shown::jsonb)
           -- Earlier releases did not say these.
           and (e.subject_type = case a.kind when 'SCHEDULE' then 'PAYOUT' else a.kind end) is not false
           and (e.conclusive = (e.status <> 'PENDING')) is not false
           and (e.amount * 100, e.charges * 100, e.total * 100)
               is not distinct from (a.amount_minor, a.charges_minor, a.amount_minor + coalesce(a.charges_minor, 0))
           and e.made_by = jsonb_build_object('personId', a.made_by, 'name', a.made_by_name, 'via', a.made_via)
           and (e.type = 'approval.decided' or e.status = 'PENDING' and e.given = 0 and e.created_at = a.made_at
                                               and e.reason is null and e.decisions = '[]')
           and coalesce(d.decisions, '[]') @> e.decisions
           and (e.from_last > 1
                or (e.status, e.given) = (a.status, a.given) and e.reason is not distinct from a.reason
                   -- The same decisions: two of one millisecond have no order.
                   and e.decisions @> coalesce(d.decisions, '[]')
                   -- Not before it was made, except where an earlier release moved the clock.
                   and (case a.status when 'PENDING'
                             then a.expires_at in (e.expires_at - make_interval(secs => e.advanced),
                                                   greatest(e.expires_at - make_interval(secs => e.advanced), a.made_at))
                             else a.expires_at = e.expires_at end
                        -- A sandbox whose clock moved at the moment of the decision: it ran out earlier than was reported.
                        or a.status <> 'PENDING' and a.mode = 'SANDBOX' and a.expires_at < e.expires_at))) is not true
   union all
   select s.merchant_id, s.mode, format('approval %s became %s at %s, and no event reports it', s.subject_id, s.to_state, s.created_at)
     from state_changes s
     left join (${REPORTED}) e
       on ${sameTenant('e', 's')} and e.subject_id = s.subject_id and e.type = 'approval.decided' and e.status = s.to_state
      and e.created_at = s.created_at and e.reason is not distinct from s.reason
    where s.subject = 'approval' and e.subject_id is null
   union all
   select a.merchant_id, a.mode, format('approval %s was reported %s times, and took %s steps', a.id, e.reported, coalesce(s.steps, 0))
     from approvals a
     left join (select merchant_id, mode, subject_id, count(*) as reported from (${REPORTED}) every_event group by 1, 2, 3) e
       on ${sameTenant('e', 'a')} and e.subject_id = a.id
     left join (
       select merchant_id, mode, subject_id, count(*) as steps from state_changes where subject = 'approval' group by 1, 2, 3
     ) s on ${sameTenant('s', 'a')} and s.subject_id = a.id
    where e.reported is distinct from coalesce(s.steps, 0) + 1
   union all
   select d.merchant_id, d.mode, format('the decision of %s about approval %s at %s is no step of it', d.person_name, d.approval_id,
                                        d.decided_at)
     from approval_decisions d
     left join state_changes s
       on ${sameTenant('s', 'd')} and s.subject = 'approval' and s.subject_id = d.approval_id and s.created_at = d.decided_at
    where s.subject_id is null`,
);

/** In naira as they were reported, in kobo as they are kept. */
const TIERS = `(select jsonb_agg(jsonb_build_object('fromAmount', (tier ->> 'from')::numeric / 100, 'approvals', (tier ->> 'approvals')::integer)
                              order by place)
                from json_array_elements(r.tiers::json) with ordinality as tiers (tier, place))`;

const rulesReportedOtherwise = check(
  'rules-of-approval-are-reported-as-they-are',
  'Every version of the rules of approval follows the one before, was reported when it was made, as it is, and is the same wherever both modes have it.',
  `select coalesce(r.merchant_id, e.merchant_id) as merchant_id, coalesce(r.mode, e.mode) as mode,
          format('version %s of the rules, the %sth, made at %s: %s', coalesce(r.version, e.version), r.place, r.made_at,
                 case when e.version is null then 'no event reports it'
                      when r.version is null then 'event ' || e.sequence || ' reports it, and it is not there'
                      else 'event ' || e.sequence || ' reports it differently' end) as detail
     from (
       select *, row_number() over (partition by merchant_id, mode order by version) as place from approval_rules
     ) r
     left join approvals a on a.merchant_id = r.merchant_id and a.id = r.approval_id
     left join approval_rules o on o.merchant_id = r.merchant_id and o.id = r.id and o.mode <> r.mode
     full join (
       select v.merchant_id, v.mode, v.sequence, v.created_at, v.subject_id, x."isMakerCheckerEnabled" as is_enabled, x.version,
              x.rules, x.reason
         from events v
        cross join lateral json_to_record(v.data::json)
                as x ("isMakerCheckerEnabled" boolean, version integer, rules jsonb, reason text)
        where v.type = 'approval.rules_changed'
     ) e on ${sameTenant('e', 'r')} and e.version = r.version
    where (r.version = r.place and e.subject_id = r.merchant_id and e.created_at = r.made_at and e.is_enabled = r.is_enabled
           and e.rules = coalesce(${TIERS}, '[]') and e.reason is not distinct from r.reason
           and (a.id is null or a.made_by is not distinct from r.made_by)
           and (o.id is null or (o.made_by, o.approval_id, o.operator, o.reason, o.is_enabled, o.tiers)
                                is not distinct from (r.made_by, r.approval_id, r.operator, r.reason, r.is_enabled, r.tiers))
           and (r.operator is not null or r.made_by is not null)) is not true`,
);

/** The words and the account of a beneficiary never change; its state is reported with every step. */
const otherBeneficiaries = check(
  'beneficiaries-are-reported-as-they-are',
  'Every state of every beneficiary was reported once, at its moment, with the account and the name that it has.',
  `select coalesce(b.merchant_id, e.merchant_id) as merchant_id, coalesce(b.mode, e.mode) as mode,
          format('beneficiary %s (%s %s): %s', coalesce(b.id, e.subject_id), b.bank_code, b.account_number,
                 case when b.id is null then 'event ' || e.sequence || ' reports what it never was'
                      when e.subject_id is null then 'no event reports that it became ' || b.state
                      else 'event ' || e.sequence || ' reports it differently' end) as detail
     from (
       select k.*, case when k.approval_id is null then 'ACTIVE' else 'PENDING_APPROVAL' end as state, k.created_at as at
         from beneficiaries k
        union all
       select k.*, s.to_state, s.created_at
         from beneficiaries k
         join state_changes s on ${sameTenant('s', 'k')} and s.subject = 'beneficiary' and s.subject_id = k.id
     ) b
     left join (select a.*, ${SHOWN} as lines from approvals a) a on ${sameTenant('a', 'b')} and a.id = b.approval_id
     full join (
       select v.merchant_id, v.mode, v.subject_id, v.sequence, v.created_at, x."beneficiaryId" as id, x.nickname, x.status, x.conclusive,
              x."bankCode" as bank_code, x."bankName" as bank_name, x."accountNumber" as account_number,
              x."accountName" as account_name, x."approvalId" as approval_id, x."createdAt" as made_at,
              case v.type when 'beneficiary.pending_approval' then 'PENDING_APPROVAL' when 'beneficiary.added' then 'ACTIVE'
                          when 'beneficiary.removed' then 'REMOVED' end as state
         from events v
        cross join lateral json_to_record(v.data::json)
                as x ("beneficiaryId" uuid, nickname text, status text, conclusive boolean, "bankCode" text, "bankName" text, "accountNumber" text,
                      "accountName" text, "approvalId" uuid, "createdAt" timestamptz)
        where v.type like 'beneficiary.%'
     ) e on ${sameTenant('e', 'b')} and e.subject_id = b.id and e.state = b.state
    where ((e.id, e.status, e.bank_code, e.bank_name, e.account_number, e.account_name, e.made_at, e.created_at)
              = (b.id, b.state, b.bank_code, b.bank_name, b.account_number, b.account_name, b.created_at, b.at)
           -- An earlier release did not say it.
           and (e.conclusive = (b.state = 'REMOVED')) is not false
           and (e.nickname, e.approval_id) is not distinct from (b.nickname, b.approval_id)
           and (b.approval_id is null
                or a.subject_id = b.id and a.made_at = b.created_at and a.rules_version = b.rules_version
                   and (a.lines ->> 'accountName', a.lines ->> 'bankName', a.lines ->> 'accountNumber')
                       = (b.account_name, b.bank_name, b.account_number)
                   and a.lines ->> 'nickname' is not distinct from b.nickname)) is not true`,
);

export const approvalEventChecks: readonly Check[] = [reportedOtherwise, rulesReportedOtherwise, otherBeneficiaries];
