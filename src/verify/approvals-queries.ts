import { type Check, check, sameTenant } from './queries.ts';

/** What left, or may leave any moment. */
const LET_GO = `x.status not in ('PENDING_APPROVAL', 'CANCELLED')`;

/** Rules that ask for approvals, with the amount from which on they do. */
const ASKING = `select r.merchant_id, r.mode, r.version, min((tier.value ->> 'from')::numeric) as from_minor
         from approval_rules r
        cross join lateral json_array_elements(r.tiers::json) as tier (value)
        where r.is_enabled
        group by r.merchant_id, r.mode, r.version`;

/** What goes by itself, with the rules by which it said that it needs no approval. Items of a batch go with their batch. */
const GONE_ALONE = `select p.merchant_id, p.mode, 'payout ' || p.id as what, x.amount_minor, x.created_at as at, p.rules_version
         from payouts p
         join transactions x on x.merchant_id = p.merchant_id and x.mode = p.mode and x.id = p.id
        where p.batch_id is null and p.approval_id is null and ${LET_GO}
          -- That goes to the account that the operator reviewed: merchant-settlements-queries.ts.
          and p.purpose <> 'SETTLEMENT'
          -- That goes back to its payer by the merchant's rule: refund-rules-queries.ts.
          and not exists (select 1 from refunds r
                           where r.merchant_id = p.merchant_id and r.mode = p.mode and r.payout_id = p.id and r.cause <> 'MERCHANT')
        union all
       select r.merchant_id, r.mode, 'refund ' || r.id, r.amount_minor, r.created_at, r.rules_version
         from refunds r
        -- What a merchant's rule sends back was approved with it: refund-rules-queries.ts.
        where r.way = 'PROVIDER' and r.approval_id is null and r.cause = 'MERCHANT'
        union all
       select b.merchant_id, b.mode, 'batch ' || b.id, b.amount_minor, b.dispatched_at, b.rules_version
         from batches b
        where b.approval_id is null and b.dispatched_at is not null`;

/** What an approver was shown, as an object of fields and values. */
export const SHOWN = `(select json_object_agg(line ->> 'field', line ->> 'value') filter (where line ->> 'field' is not null)
         from json_array_elements(a.shown::json) as line)`;

/** An amount as people read it. */
const naira = (minor: string): string => `'₦' || to_char((${minor}) / 100.0, 'FM999,999,999,999,990.00')`;

/** What a single payout is, by the lines that an approver saw. */
const OF_PAYOUT: readonly [field: string, value: string][] = [
  ['accountName', 'x.beneficiary_account_name'],
  ['bankName', 'x.beneficiary_bank_name'],
  ['accountNumber', 'x.beneficiary_account_number'],
  ['amount', naira('x.amount_minor')],
  ['narration', 'x.narration'],
  ['purpose', 'p.purpose'],
  ['reference', 'x.client_reference'],
  ['phoneNumber', 'p.phone_number'],
];
/** A schedule is priced again on its day. */
const AT_ITS_PRICE: readonly [field: string, value: string][] = [
  ['fee', naira('p.fee_minor')],
  ['vat', naira('p.vat_minor')],
  ['stampDuty', naira('p.stamp_duty_minor')],
  ['total', naira('x.amount_minor + x.charges_minor')],
];
const isShown = (fields: readonly [string, string][]): string =>
  fields.map(([field, value]) => `a.lines ->> '${field}' is not distinct from ${value}`).join(' and ');

/** An approval is for this payout to the letter: its amount, its account and its words; or for the batch that it came with. */
const unapprovedPayouts = check(
  'nothing-leaves-before-its-approval',
  'Every payout and batch that needed an approval went only after it was given, for itself: its amount, its account, its words.',
  `select p.merchant_id, p.mode,
          format('payout %s (%s) of %s to %s needed approval %s, which is %s, for %s of %s, and shows %s', p.id, x.status,
                 x.amount_minor, x.beneficiary_account_number, p.approval_id, coalesce(a.status, 'missing'), a.subject_id,
                 a.amount_minor, coalesce(a.lines ->> 'accountNumber', 'no account')) as detail
     from payouts p
     join transactions x on ${sameTenant('x', 'p')} and x.id = p.id
     left join (select a.*, ${SHOWN} as lines from approvals a) a on ${sameTenant('a', 'p')} and a.id = p.approval_id
    where p.approval_id is not null
      and (a.subject_id = coalesce(p.batch_id, p.id) and a.rules_version = p.rules_version
           and (a.status = 'APPROVED' or not ${LET_GO})
           and (p.batch_id is not null
                or a.amount_minor = x.amount_minor and a.currency = x.currency and a.made_at = x.created_at
                   and a.kind = case when p.scheduled_for is null then 'PAYOUT' else 'SCHEDULE' end
                   and ${isShown(OF_PAYOUT)}
                   and (p.scheduled_for is not null
                        or a.charges_minor = x.charges_minor and ${isShown(AT_ITS_PRICE)}))) is not true
   union all
   select b.merchant_id, b.mode,
          format('batch %s (%s) of %s needed approval %s, which is %s', b.id, b.status, b.amount_minor, b.approval_id,
                 coalesce(a.status, 'missing'))
     from batches b
     left join approvals a on ${sameTenant('a', 'b')} and a.id = b.approval_id
    where b.approval_id is not null
      and (a.subject_id = b.id and a.kind = 'BATCH' and a.rules_version = b.rules_version
           and (b.dispatched_at is null
                or a.status = 'APPROVED' and a.amount_minor = b.amount_minor and a.updated_at = b.dispatched_at
                   and a.charges_minor = b.fee_minor + b.vat_minor + b.stamp_duty_minor
                   and a.payload::json ->> 'digest' = b.dispatched_digest)) is not true
   union all
   select p.merchant_id, p.mode, format('payout %s and its batch %s name different approvals', p.id, b.id)
     from payouts p
     join batches b on ${sameTenant('b', 'p')} and b.id = p.batch_id
    where p.approval_id is distinct from b.approval_id`,
);

/**
 * What said that it needs no approval was right by the rules that it names, and those were in force: a minute is for
 * clocks of different machines.
 */
const unaskedPayouts = check(
  'rules-of-approval-were-followed',
  'Every payout, refund and batch that went without an approval needed none by the rules in force at that time.',
  `select g.merchant_id, g.mode,
          format('%s of %s went without an approval, which version %s of the rules asks for', g.what, g.amount_minor,
                 g.rules_version) as detail
     from (${GONE_ALONE}) g
     join (${ASKING}) asking
       on asking.merchant_id = g.merchant_id and asking.mode = g.mode and asking.version = g.rules_version
    where g.amount_minor >= asking.from_minor
   union all
   select g.merchant_id, g.mode,
          format('%s went by version %s of the rules of approval, when version %s was in force', g.what,
                 coalesce(g.rules_version::text, 'none'), later.version)
     from (${GONE_ALONE}) g
     join approval_rules later on later.merchant_id = g.merchant_id and later.mode = g.mode
    where later.version > coalesce(g.rules_version, 0) and later.made_at < g.at - interval '1 minute'
   union all
   select g.merchant_id, g.mode, format('%s went by version %s of the rules of approval, which there was not', g.what,
                                        coalesce(g.rules_version::text, 'none'))
     from (${GONE_ALONE}) g
     left join approval_rules named on ${sameTenant('named', 'g')} and named.version = g.rules_version
     -- What is older than rules names none.
    cross join (select min(at) as at from (${GONE_ALONE}) numbered where rules_version is not null) since
    where case when g.rules_version is null then g.at >= since.at
               when g.rules_version = 0 then false
               else (named.made_at <= g.at + interval '1 minute') is not true end
   union all
   select g.merchant_id, g.mode, format('%s went without an approval, which the merchant has always asked for', g.what)
     from (${GONE_ALONE}) g
     join merchants m on m.id = g.merchant_id and m.is_maker_checker_enabled
     left join (select distinct merchant_id from approval_rules) ruled on ruled.merchant_id = g.merchant_id
    where g.rules_version = 0 and ruled.merchant_id is null`,
);

const wrongApprovals = check(
  'approvals-are-given-by-others',
  'Every approval was given by as many different people as it needs, none of whom made it.',
  `select a.merchant_id, a.mode,
          format('approval %s (%s) needs %s, says %s: %s approved, %s rejected, by its maker %s, by strangers %s, of '
                 'something else %s', a.id, a.status, a.needed, a.given, coalesce(d.yes, 0), coalesce(d.no, 0),
                 coalesce(d.by_maker, 0), coalesce(d.by_strangers, 0), coalesce(d.of_else, 0)) as detail
     from approvals a
     left join (
       select d.merchant_id, d.mode, d.approval_id, count(*) filter (where d.decision = 'APPROVE') as yes,
              count(*) filter (where d.decision = 'REJECT') as no,
              count(*) filter (where d.person_id = o.made_by) as by_maker,
              count(*) filter (where p.merchant_id is distinct from d.merchant_id) as by_strangers,
              count(*) filter (where d.digest <> o.digest) as of_else
         from approval_decisions d
         join approvals o on o.merchant_id = d.merchant_id and o.mode = d.mode and o.id = d.approval_id
         left join people p on p.id = d.person_id
        group by d.merchant_id, d.mode, d.approval_id
     ) d on d.merchant_id = a.merchant_id and d.mode = a.mode and d.approval_id = a.id
    where a.given <> coalesce(d.yes, 0) or (a.status = 'APPROVED') <> (a.given = a.needed)
       or coalesce(d.no, 0) <> case a.status when 'REJECTED' then 1 else 0 end
       or coalesce(d.by_maker, 0) + coalesce(d.by_strangers, 0) + coalesce(d.of_else, 0) > 0
   union all
   select a.merchant_id, a.mode,
          format('approval %s was asked for by key %s (%s), and made by %s', a.id, coalesce(a.made_by_key::text, 'none'), a.made_via,
                 coalesce(a.made_by::text, 'nobody'))
     from approvals a
     left join api_keys k on k.merchant_id = a.merchant_id and k.id = a.made_by_key
    where (case a.made_via when 'API' then k.mode = a.mode and k.created_by is not distinct from a.made_by
                           else a.made_by_key is null and a.made_by is not null end) is not true`,
);

const WAITING = `select x.merchant_id, x.mode, p.approval_id, 'payout ' || x.id as what, x.id as subject_id
         from transactions x
         left join payouts p on p.merchant_id = x.merchant_id and p.mode = x.mode and p.id = x.id
        where x.status = 'PENDING_APPROVAL'
        union all
       select merchant_id, mode, approval_id, 'batch ' || id, id from batches where status = 'PENDING_APPROVAL'
        union all
       select merchant_id, mode, approval_id, 'beneficiary ' || id, id
         from beneficiaries where status = 'PENDING_APPROVAL'
        union all
       -- By a payout it is the payout that waits.
       select merchant_id, mode, approval_id, 'refund ' || id, id
         from refunds where status = 'PENDING_APPROVAL' and way = 'PROVIDER'`;

const strayApprovals = check(
  'what-waits-has-its-approval',
  'Everything that waits for approval has one that is open, and every open one has what waits for it.',
  `select coalesce(w.merchant_id, a.merchant_id) as merchant_id, coalesce(w.mode, a.mode) as mode,
          format('%s waits for approval %s, and approval %s (%s) is for %s', coalesce(w.what, 'nothing'), w.approval_id,
                 a.id, a.kind, a.subject_id) as detail
     from (${WAITING}) w
     full join (select * from approvals where status = 'PENDING' and kind not in ('LIMIT', 'RULES')) a
       on a.merchant_id = w.merchant_id and a.mode = w.mode and a.id = w.approval_id and a.subject_id = w.subject_id
    where w.merchant_id is null or a.merchant_id is null`,
);

/** What every commit is held against are the last rules, and no others; before the first, the merchant stands for them. */
const otherRules = check(
  'rules-of-approval-are-in-force',
  'The rules of approval that commits are held against are the last that were made.',
  `select coalesce(r.merchant_id, m.merchant_id) as merchant_id, coalesce(r.mode, m.mode) as mode,
          format('version %s of the rules is %s, and %s is in force', coalesce(r.version, 0), coalesce(r.id, m.merchant_id),
                 coalesce(m.subject_id::text, 'nothing')) as detail
     from (
       select distinct on (merchant_id, mode) * from approval_rules order by merchant_id, mode, version desc
     ) r
     full join (select * from reservations where scope = 'APPROVAL_RULES' and value = 'IN_FORCE') m on ${sameTenant('m', 'r')}
    -- When it was noted says nothing: a payment that was asked for before a change, and commits after it, notes the new rules.
    where m.subject_id is distinct from coalesce(r.id, m.merchant_id)`,
);

/**
 * Rules that were free to be made: in the mode where they were made there was nothing before them, or approvals were off.
 * The other mode follows with the same id.
 */
const FREE_RULES = `select r.merchant_id, r.id
         from approval_rules r
         left join approval_rules before
           on before.merchant_id = r.merchant_id and before.mode = r.mode and before.version = r.version - 1
        where before.is_enabled is not true
        group by r.merchant_id, r.id`;

/** Rules that asked for approvals, with the time in which they did; a minute on either side is for clocks. */
const ASKED_THEN = `select merchant_id, mode, version, is_enabled, made_at + interval '1 minute' as since,
              coalesce(lead(made_at) over (partition by merchant_id, mode order by version) - interval '1 minute',
                       'infinity') as until
         from approval_rules`;

/** They begin when they are set, or next behind those before them, which another clock may have dated later. */
const OWN_LIMITS = `select *, lag(effective_from) over (partition by merchant_id, mode order by effective_from, id)
                     + interval '1 millisecond' as behind_the_last
         from payout_limits where owner = 'MERCHANT'`;

/** What lets others go more easily later needed an approval itself: by the one that it names, it is what was approved. */
const unapprovedChanges = check(
  'changes-of-rules-were-approved',
  'Every change of the rules of approval, of a merchant’s own limits and of its beneficiaries was approved where the rules asked for it, and what was reported of own limits was set.',
  `select r.merchant_id, r.mode, format('version %s of the rules came by approval %s, which is %s', r.version,
          coalesce(r.approval_id::text, 'none'), coalesce(a.status, 'none for it')) as detail
     from approval_rules r
     left join approvals a
       on a.merchant_id = r.merchant_id and a.id = r.approval_id and a.kind = 'RULES' and a.subject_id = r.id
      and a.payload::json ->> 'tiers' = r.tiers and (a.payload::json ->> 'isEnabled')::boolean = r.is_enabled
     left join (${FREE_RULES}) free on free.merchant_id = r.merchant_id and free.id = r.id
     left join approval_rules before
       on before.merchant_id = r.merchant_id and before.mode = r.mode and before.version = r.version - 1
    where r.operator is null and a.status is distinct from 'APPROVED'
      and (r.approval_id is not null or free.id is null or before.is_enabled and not r.is_enabled)
   union all
   select l.merchant_id, l.mode, format('limits %s of the merchant were set without an approval for them', l.id)
     from payout_limits l
     left join events e
       on ${sameTenant('e', 'l')} and e.type = 'limit.changed'
      and e.subject_id = case when l.id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then l.id::uuid end
     join (${ASKED_THEN}) asked
       on asked.merchant_id = l.merchant_id and asked.mode = l.mode and asked.is_enabled
      and asked.since < coalesce(e.created_at, l.effective_from) and asked.until > coalesce(e.created_at, l.effective_from)
     left join approvals a
       on a.merchant_id = l.merchant_id and a.mode = l.mode and a.subject_id::text = l.id and a.kind = 'LIMIT'
      and a.status = 'APPROVED' and (a.payload::json ->> 'perPayout')::bigint is not distinct from l.per_payout_minor
      and (a.payload::json ->> 'perDay')::bigint is not distinct from l.per_day_minor
    where l.owner = 'MERCHANT' and a.id is null
   union all
   select e.merchant_id, e.mode, format('event %s reports own limits of %s and %s, and %s and %s were set', e.sequence,
          coalesce(x.own ->> 'perPayout', 'none'), coalesce(x.own ->> 'perDay', 'none'), l.per_payout_minor, l.per_day_minor)
     from events e
    cross join lateral json_to_record(e.data::json) as x (own json)
     left join (${OWN_LIMITS}) l
       on ${sameTenant('l', 'e')} and l.id = e.subject_id::text
      and (l.effective_from = e.created_at or l.effective_from = l.behind_the_last and l.effective_from > e.created_at)
    where e.type = 'limit.changed'
      and (l.id is not null and (x.own ->> 'perPayout')::numeric * 100 is not distinct from l.per_payout_minor
           and (x.own ->> 'perDay')::numeric * 100 is not distinct from l.per_day_minor) is not true
   union all
   select b.merchant_id, b.mode, format('beneficiary %s was added by version %s of the rules and approval %s', b.id,
          b.rules_version, coalesce(b.approval_id::text, 'none'))
     from beneficiaries b
     left join approval_rules r
       on r.merchant_id = b.merchant_id and r.mode = b.mode and r.version = b.rules_version
     left join approvals a on a.merchant_id = b.merchant_id and a.mode = b.mode and a.id = b.approval_id
    where b.status = 'ACTIVE'
      and case when b.approval_id is null then r.is_enabled is not true
               else a.status = 'APPROVED' and a.subject_id = b.id
                    and ${SHOWN} ->> 'accountNumber' = b.account_number
          end is not true`,
);

export const approvalChecks: readonly Check[] = [
  unapprovedPayouts,
  unaskedPayouts,
  wrongApprovals,
  strayApprovals,
  otherRules,
  unapprovedChanges,
];
