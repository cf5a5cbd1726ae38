import { fingerprintSql } from '../ledger/index.ts';
import { REQUEST_ID } from '../platform/ids.ts';
import { type Check, check, sameTenant } from './queries.ts';

/** From 1 to n, n of them, which come to what those come to: one is in the place of another where some are in an archive. */
const gaps = check(
  'events-without-gaps',
  'The events of every tenant are numbered from 1 without a gap, each with an id of its own, and those of one request with one key and a request id of ours.',
  `select coalesce(b.merchant_id, e.merchant_id) as merchant_id, coalesce(b.mode, e.mode) as mode,
          format('%s events numbered from %s to %s, the books say %s%s', coalesce(e.events, 0), coalesce(e.first, 0),
                 coalesce(e.last, 0), coalesce(b.event_sequence::text, 'nothing'),
                 case when (e.events, e.first, e.last) = (b.event_sequence, 1, b.event_sequence) then ': one number is there twice, and one is not' end) as detail
     from books b
     full join (
       select merchant_id, mode, count(*) as events, min(sequence) as first, max(sequence) as last, sum(sequence) as sum
         from events
        group by merchant_id, mode
     ) e on ${sameTenant('e', 'b')}
    where b.merchant_id is null or coalesce(e.events, 0) <> b.event_sequence
       or coalesce(e.last, 0) <> b.event_sequence or coalesce(e.first, 1) <> 1
       or coalesce(e.sum, 0) * 2 <> b.event_sequence::numeric * (b.event_sequence + 1)
   union all
   select merchant_id, min(mode), format('%s events have the id %s: who is sent one takes the others for repeats', count(*), id)
     from events
    group by merchant_id, id
   having count(*) > 1
   union all
   select merchant_id, mode, format('events of the request %s name the keys %s and %s', request_id, min(coalesce(idempotency_key, 'none')),
                                    max(coalesce(idempotency_key, 'none')))
     from events
    where request_id is not null
    group by merchant_id, mode, request_id
   having min(coalesce(idempotency_key, 'none')) <> max(coalesce(idempotency_key, 'none')) or request_id !~ '${REQUEST_ID}'`,
);

const VALUES_OF = `cardinality(string_to_array(e.data, E'\\x1f'))`;

/** Those in files have whole texts. */
const unreadable = check(
  'event-texts-are-whole',
  'Every event that is stored without what it has in common with others has its template, as it was written, and a value for each of its places.',
  `select e.merchant_id, e.mode, format('event %s has %s', e.sequence, case when t.id is null then 'no template: its text is gone'
                                      else format('%s values, and its template %s', ${VALUES_OF}, t.value_count) end) as detail
     from event_rows e
     left join event_templates t on t.merchant_id = e.merchant_id and t.id = e.template_id
    where e.template_id is not null and (t.id is null or ${VALUES_OF} <> t.value_count)
   union all
   select merchant_id, null, format('template %s is not the text that its id was made of', id)
     from event_templates
    where id <> ${fingerprintSql('text')}`,
);

/** A field of what is reported, and what of the books it has to be: `t` is a transaction, `p` its payout. */
interface Field {
  key: string;
  type: 'text' | 'uuid' | 'boolean' | 'numeric' | 'timestamptz' | 'jsonb';
  of: string;
}

const field = (key: string, type: Field['type'], of: string): Field => ({ key, type, of });

/** Naira in what is reported, kobo in the books. */
const money = (key: string, of: string): Field => field(key, 'numeric', `(${of}) / 100.0`);

const REFERENCE = `coalesce(t.client_reference, 'MNL' || replace(t.id::text, '-', ''))`;

/** Parts of a transaction, kept apart so that a finding says which of them differs. */
const PARTS: Readonly<Record<string, readonly Field[]>> = {
  wallets: [
    field('walletId', 'uuid', 't.wallet_id'),
    field('fromWalletId', 'uuid', 't.from_wallet_id'),
    field('toWalletId', 'uuid', 't.to_wallet_id'),
    field('providerWalletId', 'uuid', 't.provider_wallet_id'),
    field('storeId', 'uuid', `case when t.category = 'STORE_TO_MERCHANT' then t.subject_id end`),
    field('storeName', 'text', `case when t.category = 'STORE_TO_MERCHANT' then t.subject_name end`),
    field('subaccountId', 'uuid', `case when t.category like 'SUBACCOUNT%' then t.subject_id end`),
  ],
  payee: [
    field('beneficiaryBankName', 'text', 't.beneficiary_bank_name'),
    field('beneficiaryBankCode', 'text', 't.beneficiary_bank_code'),
    field('beneficiaryAccountNumber', 'text', 't.beneficiary_account_number'),
    field('beneficiaryAccountName', 'text', 't.beneficiary_account_name'),
  ],
  payer: [
    field('originatorBankName', 'text', 't.originator_bank_name'),
    field('originatorBankCode', 'text', 't.originator_bank_code'),
    field('originatorAccountNumber', 'text', 't.originator_account_number'),
    field('originatorAccountName', 'text', 't.originator_account_name'),
  ],
  words: [
    field('transactionId', 'uuid', 't.id'),
    field('reference', 'text', REFERENCE),
    field('category', 'text', 't.category'),
    field('narration', 'text', 't.narration'),
    field('description', 'text', 't.description'),
    field('merchantId', 'uuid', 't.merchant_id'),
    field('mode', 'text', 't.mode'),
    field('batchReference', 'text', `'MNB' || replace(t.batch_id::text, '-', '')`),
    field('metadata', 'jsonb', 't.metadata::jsonb'),
    field('createdAt', 'timestamptz', 't.created_at'),
  ],
  amount: [money('amount', 't.amount_minor'), field('currency', 'text', 't.currency')],
};

const CHARGES = [money('charges', 't.charges_minor'), money('totalAmount', 't.amount_minor + t.charges_minor')];

/** What a transfer between wallets is from its first moment on. */
const AT_ONCE: readonly Field[] = [
  field('status', 'text', 't.status'),
  field('conclusive', 'boolean', 'true'),
  field('reason', 'text', 't.reason'),
  field('updatedAt', 'timestamptz', 't.updated_at'),
  field('paidAt', 'timestamptz', 't.paid_at'),
];

const PAYOUT_PARTS: Readonly<Record<string, readonly Field[]>> = {
  ...PARTS,
  words: [
    ...(PARTS['words'] ?? []),
    field('purpose', 'text', 'p.purpose'),
    field('phoneNumber', 'text', 'p.phone_number'),
    field('scheduleId', 'uuid', 'case when p.scheduled_for is not null then p.id end'),
    field('scheduledFor', 'timestamptz', 'p.scheduled_for'),
  ],
  charges: [
    ...CHARGES,
    money('fee', 'p.fee_minor'),
    money('vat', 'p.vat_minor'),
    money('stampDuty', 'p.stamp_duty_minor'),
  ],
};

/** 64 bits of all of them: equal where they are equal, and narrow enough to be joined by the million. */
const hashOf = (columns: readonly string[]): string => `hash_record_extended(row(${columns.join(', ')}), 0)`;
const inBooks = (fields: readonly Field[]): string => hashOf(fields.map(({ type, of }) => `(${of})::${type}`));
const reported = (fields: readonly Field[]): string => hashOf(fields.map(({ key }) => `x."${key}"`));
const recordOf = (fields: readonly Field[]): string =>
  `json_to_record(v.data::json) as x (${fields.map(({ key, type }) => `"${key}" ${type}`).join(', ')})`;

const TRANSFER_FIELDS = [...Object.values(PARTS).flat(), ...CHARGES, ...AT_ONCE];

const transfersReportedOtherwise = check(
  'wallet-transfers-are-reported-as-they-are',
  'Every transfer between wallets was reported once, at its moment, with the amount, the wallets and the words that it has.',
  `select coalesce(t.merchant_id, e.merchant_id) as merchant_id, coalesce(t.mode, e.mode) as mode,
          format('transaction %s: %s', coalesce(t.id, e.subject_id),
                 case when t.id is null then 'event ' || e.sequence || ' reports it, and it is not there'
                      when e.subject_id is null then 'no event reports it'
                      else 'event ' || e.sequence || ' reports it differently' end) as detail
     from (
       select merchant_id, mode, id, created_at, ${inBooks(TRANSFER_FIELDS)} as facts
         from transactions t
        where category <> 'PAYOUT'
       -- Its own step: what is reported is read, and made narrow, before it is joined.
       offset 0
     ) t
     full join (
       select v.merchant_id, v.mode, v.subject_id, v.sequence, v.created_at, ${reported(TRANSFER_FIELDS)} as facts
         from events v
        cross join lateral ${recordOf(TRANSFER_FIELDS)}
        where v.type = 'transaction.succeeded'
       offset 0
     ) e on ${sameTenant('e', 't')} and e.subject_id = t.id
    where (e.facts = t.facts and e.created_at = t.created_at) is not true`,
);

/** The state that each event of a payout reports. */
const REPORTED_STATE = `case v.type when 'payout.pending_approval' then 'PENDING_APPROVAL' when 'payout.scheduled' then 'SCHEDULED'
              when 'payout.queued' then 'QUEUED' when 'payout.processing' then 'PROCESSING'
              when 'payout.succeeded' then 'SUCCESS' when 'payout.failed' then 'FAILED'
              when 'payout.reversed' then 'REVERSED' when 'payout.cancelled' then 'CANCELLED' end`;

/** The state in which a payout was made: what has to be approved waits, and so does what is for later. */
export const BORN = `case when p.batch_id is null and p.approval_id is not null then 'PENDING_APPROVAL'
              when p.scheduled_for is not null then 'SCHEDULED' else 'QUEUED' end`;

const STATE: readonly Field[] = [
  field('status', 'text', ''),
  field('conclusive', 'boolean', ''),
  field('reason', 'text', ''),
  field('updatedAt', 'timestamptz', ''),
  field('paidAt', 'timestamptz', ''),
  field('sessionId', 'text', ''),
  field('railCode', 'text', ''),
  field('approvalId', 'uuid', ''),
];
const PAYOUT_FIELDS = [...Object.values(PAYOUT_PARTS).flat(), ...STATE];
const PART_NAMES = Object.keys(PAYOUT_PARTS);

/** Priced anew on its day, a schedule was reported with the charges of the day on which it was made. */
const REPORTED_BEFORE_ITS_DAY = `p.is_fired and s.state in ('PENDING_APPROVAL', 'SCHEDULED')`;

const DIFFERS: readonly [part: string, when: string][] = [
  ...PART_NAMES.map((part): [string, string] => [
    `its ${part}`,
    `e.${part} <> p.${part}${part === 'charges' ? ` and not (${REPORTED_BEFORE_ITS_DAY})` : ''}`,
  ]),
  ['its moment', 'e.created_at <> s.at or e.updated_at is distinct from s.at'],
  [
    'its status',
    // An item that was paid otherwise meanwhile is queued to fail for that.
    `e.status is distinct from s.state
          or (e.reason is distinct from s.reason and not (s.state = 'QUEUED' and e.reason = 'PAYOUT_DUPLICATE'))
          or e.conclusive is distinct from (s.state in ('SUCCESS', 'FAILED', 'REVERSED', 'CANCELLED'))`,
  ],
  ['its approval', 'e.approval_id is distinct from p.approval_id'],
  ['its sum', 'not e.adds_up'],
  [
    'its end',
    `case when s.state = p.status
          then (e.paid_at, e.session_id, e.rail_code) is distinct from (p.paid_at, p.session_id, p.rail_code)
          when s.state = 'SUCCESS' then e.paid_at is distinct from p.paid_at
          else num_nonnulls(e.paid_at, e.session_id, e.rail_code) > 0 end`,
  ],
];

const payoutsReportedOtherwise = check(
  'payouts-are-reported-as-they-are',
  'Every state of every payout was reported once, at the moment of its step, with the amounts, the account and the words that the payout has.',
  `with paid as materialized (
     select t.merchant_id, t.mode, t.id, t.status, t.created_at, t.paid_at, p.session_id, p.rail_code, p.approval_id,
            ${BORN} as born, p.scheduled_for is not null and p.amount_hold_id is not null as is_fired,
            ${PART_NAMES.map((part) => `${inBooks(PAYOUT_PARTS[part] ?? [])} as ${part}`).join(', ')}
       from transactions t
       join payouts p on ${sameTenant('p', 't')} and p.id = t.id
   ), states as (
     select merchant_id, mode, id as subject_id, born as state, created_at as at, null as reason from paid
      union all
     select merchant_id, mode, subject_id, to_state, created_at, reason
       from state_changes
      where subject = 'transaction' and from_state <> to_state
   ), reported as materialized (
     select v.merchant_id, v.mode, v.subject_id, v.sequence, v.created_at, ${REPORTED_STATE} as state, x.status, x.conclusive, x.reason,
            x."updatedAt" as updated_at, x."paidAt" as paid_at, x."sessionId" as session_id, x."railCode" as rail_code,
            x."approvalId" as approval_id,
            x.charges = x.fee + x.vat + x."stampDuty" and x."totalAmount" = x.amount + x.charges as adds_up,
            ${PART_NAMES.map((part) => `${reported(PAYOUT_PARTS[part] ?? [])} as ${part}`).join(', ')}
       from events v
      cross join lateral ${recordOf(PAYOUT_FIELDS)}
      where v.type like 'payout.%'
   )
   select coalesce(s.merchant_id, e.merchant_id) as merchant_id, coalesce(s.mode, e.mode) as mode,
          case when s.subject_id is null then format('payout %s: event %s reports that it is %s, and it never was',
                                                     e.subject_id, e.sequence, coalesce(e.state, 'nothing known'))
               when e.subject_id is null then format('payout %s: no event reports that it became %s', s.subject_id, s.state)
               when p.id is null then format('payout %s: there is none', s.subject_id)
               else format('payout %s: event %s (%s) reports differently: %s', p.id, e.sequence, s.state, concat_ws(', ', ${DIFFERS.map(
                 ([what, when]) => `case when ${when} then '${what}' end`,
               ).join(', ')})) end as detail
     from states s
     left join paid p on ${sameTenant('p', 's')} and p.id = s.subject_id
     full join reported e on ${sameTenant('e', 's')} and e.subject_id = s.subject_id and e.state = s.state
    where s.subject_id is null or e.subject_id is null or p.id is null or not coalesce(e.adds_up, false)
       or ${DIFFERS.map(([, when]) => `(${when})`).join('\n       or ')}`,
);

export const eventChecks: readonly Check[] = [gaps, unreadable, transfersReportedOtherwise, payoutsReportedOtherwise];
