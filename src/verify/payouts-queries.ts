import { ITEM_FINGERPRINT } from '../batches/index.ts';
import { PROPOSAL_FINGERPRINT } from '../outcomes/index.ts';
import { type Check, check, SEALED_SINCE, sameTenant } from './queries.ts';

const unlikeTransactions = check(
  'payouts-are-their-transactions',
  'Every payout is one transaction, of the same batch, and costs its fee, VAT and duty together.',
  `select coalesce(t.merchant_id, p.merchant_id) as merchant_id, coalesce(t.mode, p.mode) as mode,
          format('payout %s: transaction %s, charges %s of %s, %s and %s, batch %s and %s', coalesce(p.id::text, 'none'),
                 coalesce(t.id::text, 'none'), t.charges_minor, p.fee_minor, p.vat_minor, p.stamp_duty_minor,
                 coalesce(t.batch_id::text, 'none'), coalesce(p.batch_id::text, 'none')) as detail
     from (select * from transactions where category = 'PAYOUT') t
     full join payouts p on ${sameTenant('p', 't')} and p.id = t.id
    where (t.charges_minor = p.fee_minor + p.vat_minor + p.stamp_duty_minor and t.batch_id is not distinct from p.batch_id)
          is not true
       or (t.batch_id is not null and t.client_reference is not null)`,
);

/** The parts of what is held: the reason, the column that names the hold, and what it comes to. */
const PARTS: readonly [code: string, hold: string, minor: string][] = [
  ['PAYOUT', 'amount_hold_id', 'amount_minor'],
  ['PAYOUT_FEE', 'fee_hold_id', 'fee_minor'],
  ['PAYOUT_VAT', 'vat_hold_id', 'vat_minor'],
  ['PAYOUT_STAMP_DUTY', 'stamp_duty_hold_id', 'stamp_duty_minor'],
];

const arrayOf = (entries: readonly string[]): string => `unnest(array[${entries.join(', ')}])`;

/** One row for each part of what an owner of holds says: `o` has the four ids and the four amounts. */
const partsOf = (owners: string): string =>
  `select o.merchant_id, o.mode, o.id, o.what, o.payer, o.held_at, o.ends, o.ended_at, o.currency,
              ${arrayOf(PARTS.map(([code]) => `'${code}'`))} as code, ${arrayOf(PARTS.map(([, hold]) => `o.${hold}`))} as hold_id,
              ${arrayOf(PARTS.map(([, , minor]) => `o.${minor}`))} as amount_minor
         from (${owners}) o`;

/**
 * Payouts whose money was held, and chunks of batches: who pays, since when it is held, and how and when the holds ended.
 * What succeeded is posted, also where it came back later; what failed or was not approved is released.
 */
const OWNERS = `select t.merchant_id, t.mode, t.id, 'payout (' || t.status || ')' as what, t.from_wallet_id as payer, t.currency,
              coalesce(q.created_at, t.created_at) as held_at,
              case when t.status in ('SUCCESS', 'REVERSED') then 'POST' when t.status in ('FAILED', 'CANCELLED') then 'VOID' end
                as ends,
              e.created_at as ended_at, p.amount_hold_id, p.fee_hold_id, p.vat_hold_id, p.stamp_duty_hold_id,
              t.amount_minor, p.fee_minor, p.vat_minor, p.stamp_duty_minor
         from payouts p
         join transactions t on ${sameTenant('t', 'p')} and t.id = p.id
         left join state_changes q
           on ${sameTenant('q', 'p')} and q.subject_id = p.id and q.to_state = 'QUEUED' and p.scheduled_for is not null
         left join state_changes e
           on ${sameTenant('e', 'p')} and e.subject_id = p.id and e.to_state in ('SUCCESS', 'FAILED', 'CANCELLED')
        where num_nonnulls(p.amount_hold_id, p.fee_hold_id, p.vat_hold_id, p.stamp_duty_hold_id) > 0
           or t.status not in ('SCHEDULED', 'PENDING_APPROVAL', 'FAILED', 'CANCELLED') or p.scheduled_for is null
        union all
       select c.merchant_id, c.mode, c.id, 'chunk ' || c.chunk || ' of batch ' || c.batch_id, w.id, w.currency,
              b.dispatched_at, case when c.due_at is null then 'VOID' end, v.created_at, c.amount_hold_id, c.fee_hold_id,
              c.vat_hold_id, c.stamp_duty_hold_id, c.amount_minor, c.fee_minor, c.vat_minor, c.stamp_duty_minor
         from batch_chunks c
         left join batches b on ${sameTenant('b', 'c')} and b.id = c.batch_id
         left join accounts w on ${sameTenant('w', 'c')} and w.kind = 'MERCHANT_WALLET' and w.owner_id = c.merchant_id
         -- All that a chunk held is released in one moment.
         left join transfers v on v.merchant_id = c.merchant_id and v.pending_id = c.amount_hold_id and c.due_at is null`;

const otherHolds = check(
  'payouts-hold-what-they-cost',
  'Every payout held its amount, its fee, its VAT and its duty, each by one hold, when it was accepted; a chunk does so for its items, and nothing else is held.',
  `select coalesce(p.merchant_id, h.merchant_id) as merchant_id, coalesce(p.mode, h.mode) as mode,
          format('%s %s: %s of %s by hold %s, made at %s; there is hold %s of %s, for %s, made at %s', coalesce(p.what, 'nothing'),
                 p.id, coalesce(p.code, h.code), p.amount_minor, coalesce(p.hold_id::text, 'none'), p.held_at,
                 coalesce(h.id::text, 'none'), h.amount_minor, h.transaction_id, h.created_at) as detail
     from (select * from (${partsOf(OWNERS)}) every_part where amount_minor > 0 or hold_id is not null) p
     full join (select * from transfers where kind = 'PENDING' and code not in ('REFUND', 'DISPUTE')) h
       on ${sameTenant('h', 'p')} and h.id = p.hold_id and h.code = p.code
    where (h.transaction_id = p.id and h.amount_minor = p.amount_minor and h.debit_account_id = p.payer
           and h.currency = p.currency and h.created_at = p.held_at) is not true`,
);

const otherEnds = check(
  'holds-end-as-their-payouts-did',
  'What is held for a payout is held while it is open, was debited once when it succeeded, and released when it failed or was not approved; a chunk releases when it is expanded.',
  `select p.merchant_id, p.mode,
          format('%s %s: hold %s of %s ended as %s by transfer %s for %s at %s, and should as %s at %s', p.what, p.id, p.hold_id,
                 p.amount_minor, coalesce(r.kind, 'nothing'), coalesce(r.id::text, 'none'), r.transaction_id, r.created_at,
                 coalesce(p.ends, 'nothing'), p.ended_at) as detail
     from (${partsOf(OWNERS)}) p
     left join (select * from transfers where kind in ('POST', 'VOID')) r
       on ${sameTenant('r', 'p')} and r.pending_id = p.hold_id
    where p.hold_id is not null
      and (r.kind is distinct from p.ends or r.transaction_id <> p.id or r.created_at <> p.ended_at)`,
);

/** What came back of a payout, and what else was posted in its name: nothing may be. */
const RETURNED = `select t.merchant_id, t.mode, t.transaction_id, count(*) as returns,
              count(*) filter (where t.code <> 'PAYOUT_REVERSAL') as strays, count(distinct t.created_at) as moments,
              min(t.created_at) as returned_at, min(t.credit_account_id::text) as payer, max(t.credit_account_id::text) as last_payer,
              coalesce(sum(t.amount_minor) filter (where a.kind = 'PAYOUT_CLEARING'), 0) as amount_minor,
              coalesce(sum(t.amount_minor) filter (where a.kind = 'FEE_INCOME'), 0) as fee_minor,
              coalesce(sum(t.amount_minor) filter (where a.kind = 'TAX_PAYABLE'), 0) as tax_minor
         from transfers t
         left join accounts a on a.merchant_id = t.merchant_id and a.id = t.debit_account_id
        where t.kind = 'POSTED' and t.code in ('PAYOUT', 'PAYOUT_FEE', 'PAYOUT_VAT', 'PAYOUT_STAMP_DUTY', 'PAYOUT_REVERSAL')
        group by t.merchant_id, t.mode, t.transaction_id`;

const otherReturns = check(
  'reversed-payouts-returned-once',
  'Every reversed payout came back once, whole, each charge from where it went, to the account that paid; and no other came back.',
  `select coalesce(t.merchant_id, r.merchant_id) as merchant_id, coalesce(t.mode, r.mode) as mode,
          format('payout %s (%s) of %s, fee %s and taxes %s: returned were %s, %s and %s by %s transfers', coalesce(t.id, r.transaction_id),
                 coalesce(t.status, 'not reversed'), t.amount_minor, t.fee_minor, t.tax_minor, coalesce(r.amount_minor, 0),
                 coalesce(r.fee_minor, 0), coalesce(r.tax_minor, 0), coalesce(r.returns, 0)) as detail
     from (
       select t.merchant_id, t.mode, t.id, t.status, t.amount_minor, p.fee_minor, p.vat_minor + p.stamp_duty_minor as tax_minor,
              t.from_wallet_id::text as payer, t.updated_at
         from transactions t
         join payouts p on ${sameTenant('p', 't')} and p.id = t.id
        where t.status = 'REVERSED'
     ) t
     full join (${RETURNED}) r on ${sameTenant('r', 't')} and r.transaction_id = t.id
    where (r.strays = 0 and r.moments = 1 and r.returned_at = t.updated_at and r.payer = t.payer and r.last_payer = t.payer
           and r.amount_minor = t.amount_minor and r.fee_minor = t.fee_minor and r.tax_minor = t.tax_minor
           and r.returns = 1 + (t.fee_minor > 0)::int + (t.tax_minor > 0)::int) is not true`,
);

export const payoutChecks: readonly Check[] = [unlikeTransactions, otherHolds, otherEnds, otherReturns];

/** Columns that hold times: as text they depend on who writes it. */
const TIMES = `('created_at', 'scheduled_for', 'first_sent_at', 'sent_at')`;

/** Columns that change once a payout no longer waits for approval. Other checks cover them. */
const CHANGES_LATER = `('rail', 'refused_by', 'next_step', 'attempts', 'first_sent_at', 'sent_at', 'session_id', 'rail_code',
        'charges_minor', 'fee_minor', 'vat_minor', 'stamp_duty_minor', 'amount_hold_id', 'fee_hold_id', 'vat_hold_id',
        'stamp_duty_hold_id', 'counted_on')`;

/**
 * Compares each record that people approved with the copy in its approval, column by column; the digest covers the copy.
 * An approval from before copies were kept is compared by its amount and account alone.
 */
const alteredSubjects = check(
  'what-was-approved-is-what-is-there',
  'Every payout, schedule and beneficiary that an approval was asked for is, column by column, what was asked.',
  `select r.merchant_id, r.mode,
          format('%s %s is not what approval %s (%s) was asked for: %s', lower(r.kind), r.subject_id, r.id, r.status,
                 string_agg(c.key, ', ' order by c.key)) as detail
     from (
       select a.merchant_id, a.mode, a.id, a.kind, a.status, a.subject_id, a.payload::jsonb -> 'content' as content,
              to_jsonb(p) || to_jsonb(t) as record, t.status in ('PENDING_APPROVAL', 'SCHEDULED') as waits
         from approvals a
         join transactions t on t.merchant_id = a.merchant_id and t.mode = a.mode and t.id = a.subject_id
         join payouts p on p.merchant_id = a.merchant_id and p.mode = a.mode and p.id = a.subject_id
        where a.kind in ('PAYOUT', 'SCHEDULE')
       union all
       select a.merchant_id, a.mode, a.id, a.kind, a.status, a.subject_id, a.payload::jsonb -> 'content', to_jsonb(b), true
         from approvals a
         join beneficiaries b on b.merchant_id = a.merchant_id and b.mode = a.mode and b.id = a.subject_id
        where a.kind = 'BENEFICIARY'
       offset 0
     ) r
    cross join lateral jsonb_each_text(r.content) c
    where (r.waits or c.key not in ${CHANGES_LATER})
      and case when c.key in ${TIMES} then (r.record ->> c.key)::timestamptz is distinct from c.value::timestamptz
               else (r.record ->> c.key) is distinct from c.value end
    group by r.merchant_id, r.mode, r.id, r.kind, r.status, r.subject_id`,
);

/** Items of batches that are not all expanded, each with the chunk that it falls into: the last that begins at or before it. */
const WAITING_ITEMS = `select merchant_id, mode, batch_id, position, item,
              max(chunk) over (partition by merchant_id, mode, batch_id order by position, chunk nulls last
                               rows unbounded preceding) as chunk
         from (
           select i.merchant_id, i.mode, i.batch_id, i.position, ${ITEM_FINGERPRINT} as item, null::int as chunk
             from batch_items i
             join (select distinct merchant_id, mode, batch_id from batch_chunks where due_at is not null) w
               on w.merchant_id = i.merchant_id and w.mode = i.mode and w.batch_id = i.batch_id
            where i.is_valid
            union all
           select merchant_id, mode, batch_id, first_position, null, chunk from batch_chunks
         ) both_kinds`;

/** Chunks that wait to be opened, beside what their items were when they were dispatched. */
const alteredChunks = check(
  'chunks-are-what-was-dispatched',
  'Every chunk that waits to be expanded has the items with which it was dispatched.',
  `select c.merchant_id, c.mode, format('chunk %s of batch %s has other items than were dispatched', c.chunk, c.batch_id)
            as detail
     from batch_chunks c
     left join (
       select merchant_id, mode, batch_id, chunk,
              encode(sha256(string_agg(item, ''::bytea order by position)), 'hex') as digest
         from (${WAITING_ITEMS}) placed
        where item is not null
        group by merchant_id, mode, batch_id, chunk
     ) now on now.merchant_id = c.merchant_id and now.mode = c.mode and now.batch_id = c.batch_id and now.chunk = c.chunk
    where c.due_at is not null and c.items_digest is not null and c.items_digest is distinct from now.digest`,
);

/** Outcomes that an operator proposed, beside what was proposed then. */
const alteredProposals = check(
  'proposals-are-what-was-proposed',
  'Every outcome that the operator proposed is what was proposed then.',
  `select o.merchant_id, o.mode,
          format('proposal %s (%s of payout %s, %s) is not what was proposed', o.id, o.outcome, o.payout_id, o.status)
            as detail
     from outcome_proposals o
    where o.digest <> ${PROPOSAL_FINGERPRINT} or (o.digest is null and o.proposed_at > ${SEALED_SINCE})`,
);

export const alteredChecks: readonly Check[] = [alteredSubjects, alteredChunks, alteredProposals];
