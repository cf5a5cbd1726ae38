import { newId } from '../../src/platform/ids.ts';
import { moved } from '../support/moved.ts';
import { onAnyShard, type WrongBooks } from './wrong.ts';
import { batchesOf } from './wrong-batches.ts';
import { collectionsOf } from './wrong-collections.ts';
import { creditsOf } from './wrong-credits.ts';
import { disputesOf } from './wrong-disputes.ts';
import { linksOf } from './wrong-links.ts';
import { refundsOf } from './wrong-refunds.ts';
import { reportsOf } from './wrong-reports.ts';
import { reservesOf } from './wrong-reserves.ts';
import { sessionsOf } from './wrong-sessions.ts';
import { totalsOf } from './wrong-totals.ts';

/** Something for every check: values that disagree, and some that agree with each other and are wrong all the same. */
export function wrongBooksOf({ merchantId }: { merchantId: string }): WrongBooks[] {
  const m = `merchant_id = '${merchantId}' and mode = 'SANDBOX'`;
  const account = (kind: string) => `(select id from accounts where ${m} and kind = '${kind}' order by id limit 1)`;
  const wallet = account('MERCHANT_WALLET');
  const store = account('STORE_WALLET');
  const move = `(select id from transactions where ${m} and category = 'STORE_TO_MERCHANT' order by id desc limit 1)`;
  const payout = (status: string, more = '') =>
    `(select t.id from transactions t join payouts p on p.merchant_id = t.merchant_id and p.id = t.id
       where t.merchant_id = '${merchantId}' and t.mode = 'SANDBOX' and t.status = '${status}' and p.batch_id is null ${more}
       order by t.id limit 1)`;
  const paid = payout('SUCCESS');
  const stepOf = (id: string, state: string) => `${m} and subject_id = ${id} and to_state = '${state}'`;
  return [
    ...booksOf(m, { wallet, store, move, account }),
    ...payoutsOf(m, { payout, paid, stepOf }),
    ...guardsOf(m, { paid, payout }),
    ...batchesOf(m),
    ...evidenceOf(m, { payout, paid }),
    ...recordsOf(m, { move, paid }),
    ...creditsOf(m),
    ...refundsOf(m),
    ...collectionsOf(m),
    ...reservesOf(),
    ...sessionsOf(),
    ...linksOf(),
    ...disputesOf(),
    ...totalsOf(),
    ...reportsOf(),
  ];
}

type Of = (name: string, more?: string) => string;

const booksOf = (
  m: string,
  { wallet, store, move, account }: { wallet: string; store: string; move: string; account: Of },
): WrongBooks[] => [
  {
    what: 'money that came from nowhere',
    sql: [`update accounts set credits_posted_minor = credits_posted_minor + 1 where id = ${wallet}`],
    broken: ['debits-equal-credits', 'accounts-equal-transfers'],
  },
  {
    what: 'money on the wrong accounts, balanced',
    sql: [
      `update accounts set credits_posted_minor = credits_posted_minor + 1 where id = ${wallet}`,
      `update accounts set debits_posted_minor = debits_posted_minor + 1 where id = ${account('PROVIDER_FLOAT')}`,
    ],
    broken: ['accounts-equal-transfers'],
  },
  {
    what: 'a hold on the account’s row that no transfer made',
    sql: [
      `update accounts set debits_pending_minor = debits_pending_minor + 1 where id = ${wallet}`,
      `update accounts set credits_pending_minor = credits_pending_minor + 1 where id = ${account('PAYOUT_CLEARING')}`,
    ],
    broken: ['accounts-equal-transfers'],
  },
  {
    what: 'a balance in history that was touched up',
    sql: [`update transfers set credit_balance_minor = credit_balance_minor + 1 where transaction_id = ${move}`],
    broken: ['transfers-follow-each-other'],
  },
  {
    what: 'a customer who spent more than was there',
    sql: [
      'alter table accounts drop constraint accounts_customer_not_overdrawn',
      `update accounts set kind = 'STORE_WALLET', owner_id = id where id = ${account('PROVIDER_FLOAT')}`,
    ],
    broken: ['no-customer-overdrawn', 'every-tenant-has-its-accounts'],
  },
  {
    what: 'an account that changed its mode',
    sql: [`update accounts set mode = 'LIVE' where id = ${store}`],
    broken: ['debits-equal-credits', 'transfers-stay-within-their-tenant'],
  },
  {
    what: 'a transfer of no transaction',
    sql: [`delete from transactions where ${m} and id = ${move}`],
    broken: ['transfers-belong-to-transactions', 'wallet-transfers-are-reported-as-they-are'],
  },
  {
    what: 'two stores that share a wallet',
    sql: [
      `update stores set wallet_id = (select wallet_id from stores where ${m} order by id limit 1)
        where id = (select id from stores where ${m} order by id offset 1 limit 1)`,
    ],
    broken: ['wallets-are-the-accounts-of-their-owners', 'children-are-reported-as-they-are'],
  },
  {
    what: 'an account number that leads to somebody else’s wallet',
    sql: [
      `update account_numbers set wallet_id = ${onAnyShard(store)} where ${m} and wallet_id = ${onAnyShard(wallet)}`,
    ],
    broken: ['account-numbers-lead-to-their-wallets'],
  },
  {
    what: 'a fee that went to the taxes',
    sql: [
      'drop index transfers_credit_sequence',
      `update transfers set credit_account_id = ${account('TAX_PAYABLE')} where ${m} and kind = 'POST' and code = 'PAYOUT_FEE'`,
    ],
    broken: ['transfers-move-what-their-code-says', 'holds-end-once-as-they-were-held'],
  },
  {
    what: 'play money in live books',
    sql: [`update transfers set mode = 'LIVE' where ${m} and code = 'SANDBOX_FUNDING'`],
    broken: ['live-books-have-no-play-money', 'transfers-stay-within-their-tenant'],
  },
];

const payoutsOf = (
  m: string,
  { payout, paid, stepOf }: { payout: Of; paid: string; stepOf: (id: string, state: string) => string },
): WrongBooks[] => [
  {
    what: 'a payout to another account than was accepted',
    sql: [`update transactions set beneficiary_account_number = '9876543210' where id = ${payout('QUEUED')}`],
    broken: ['payouts-are-reported-as-they-are', 'dedupe-keys-are-of-payouts'],
  },
  {
    what: 'an event that tells of another amount',
    sql: [
      // Of an event with a template the charges are the fourth value.
      `update event_rows
          set data = case when template_id is null then replace(data, '"charges":', '"charges":1')
                          else regexp_replace(data, E'^(([^\\x1f]*\\x1f){3})', E'\\\\11') end
        where ${m} and type = 'payout.succeeded' and subject_id = ${paid}`,
    ],
    broken: ['payouts-are-reported-as-they-are'],
  },
  {
    what: 'a payout on its way that is worth more than it holds',
    sql: [`update transactions set amount_minor = amount_minor + 1 where id = ${payout('QUEUED')}`],
    broken: ['payouts-hold-what-they-cost'],
  },
  {
    what: 'a hold that outlived its payout',
    sql: [`update transactions set status = 'CANCELLED' where id = ${payout('QUEUED')}`],
    broken: ['holds-end-as-their-payouts-did', 'history-leads-to-the-status', 'open-payouts-are-due'],
  },
  {
    what: 'a failed payout that was called a success, in its history too',
    sql: [
      `update state_changes set to_state = 'SUCCESS', reason = null where ${stepOf(payout('FAILED'), 'FAILED')}`,
      `update transactions set status = 'SUCCESS', reason = null, paid_at = updated_at where id = ${payout('FAILED')}`,
    ],
    broken: [
      'holds-end-as-their-payouts-did',
      'payouts-are-reported-as-they-are',
      'payouts-end-by-a-provider-response',
    ],
  },
  {
    what: 'a paid payout that was called reversed, with nothing returned',
    sql: [
      `insert into state_changes (merchant_id, mode, id, subject, subject_id, from_state, to_state, created_at)
       select merchant_id, mode, '${newId()}', subject, subject_id, 'SUCCESS', 'REVERSED', created_at + interval '1 second'
         from state_changes where ${stepOf(paid, 'SUCCESS')}`,
      `update transactions set status = 'REVERSED' where id = ${paid}`,
    ],
    broken: ['reversed-payouts-returned-once'],
  },
  {
    what: 'a payout without its history',
    sql: [`delete from state_changes where ${m} and subject_id = ${paid}`],
    broken: ['history-leads-to-the-status', 'payouts-are-reported-as-they-are'],
  },
  {
    what: 'a step that is not allowed',
    sql: [`update state_changes set from_state = 'FAILED' where ${stepOf(paid, 'SUCCESS')}`],
    broken: ['steps-are-allowed', 'history-leads-to-the-status'],
  },
  {
    what: 'a status that is younger than its last step',
    sql: [`update transactions set updated_at = ${moved('updated_at', '1 hour')} where id = ${paid}`],
    broken: ['the-last-step-says-when-and-why'],
  },
  {
    what: 'a success of no attempt',
    sql: [`delete from payout_attempts where ${m} and payout_id = ${paid}`],
    broken: ['payouts-end-by-a-provider-response', 'payouts-are-what-their-calls-made-them'],
  },
  {
    what: 'a payout in another currency than its transfers',
    sql: [`update transactions set currency = 'USD' where id = ${paid}`],
    broken: ['payouts-are-reported-as-they-are', 'the-sandbox-rail-has-the-same-book'],
  },
  {
    what: 'a payout that is queued for nobody',
    sql: [`update payouts set due_at = null where id = ${payout('QUEUED')}`],
    broken: ['open-payouts-are-due'],
  },
  {
    what: 'a schedule that nobody will act on',
    sql: [`update payouts set due_at = null where id = ${payout('SCHEDULED')}`],
    broken: ['open-payouts-are-due'],
  },
  {
    what: 'a finished payout that is asked of the operator as unknown',
    sql: [
      `update payouts set operator_reason = 'UNKNOWN_TOO_LONG', operator_since = now() + interval '1 day' where id = ${paid}`,
    ],
    broken: ['the-operator-is-asked-about-what-is-open'],
  },
  {
    what: 'a payout of no transaction',
    sql: [`update transactions set category = 'STORE_TO_MERCHANT' where id = ${paid}`],
    broken: ['payouts-are-their-transactions'],
  },
];

const guardsOf = (m: string, { paid, payout }: { paid: string; payout: Of }): WrongBooks[] => [
  {
    what: 'a client’s reference that may be used again',
    sql: [
      `delete from unique_keys where ${m} and scope = 'TRANSACTION_REFERENCE'
          and value = (select min(client_reference) from transactions where ${m})`,
    ],
    broken: ['names-are-taken-by-what-has-them'],
  },
  {
    what: 'a payout that counts on another day’s limit',
    sql: [`update payouts set counted_on = counted_on - 1 where id = ${paid}`],
    broken: ['payouts-are-counted-on-their-day', 'day-limits-count-what-is-paid'],
  },
  {
    what: 'a change that waits and may be asked for again',
    sql: [`delete from reservations where scope = 'APPROVAL_WAITS'`],
    broken: ['reservations-are-of-what-made-them'],
  },
  {
    what: 'a payment that may be made again',
    sql: [`delete from dedupe_keys where ${m} and subject_id = ${payout('QUEUED')}`],
    broken: ['dedupe-keys-are-of-payouts'],
  },
  {
    what: 'a payout that may be sent again though it may have left',
    sql: [
      `update payouts set next_step = 'SEND'
        where id = (select payout_id from payout_attempts where ${m} and kind = 'SEND' and outcome = 'unknown' and reason = 'RAIL_TIMEOUT'
                     order by id limit 1)`,
      `update transactions set status = 'PROCESSING'
        where id = (select payout_id from payout_attempts where ${m} and kind = 'SEND' and outcome = 'unknown' and reason = 'RAIL_TIMEOUT'
                     order by id limit 1)`,
      `delete from payout_attempts where ${m} and outcome = 'not_found'`,
    ],
    broken: ['what-may-have-left-is-asked-about'],
  },
  {
    what: 'a payout that was charged nothing',
    sql: [`update payouts set fee_minor = 0 where id = ${payout('SUCCESS', 'and p.fee_minor > 0')}`],
    broken: ['charges-follow-the-rules', 'payouts-hold-what-they-cost'],
  },
  {
    what: 'amounts without a fee',
    sql: [
      `delete from fee_rules where kind = 'TRANSFER_FEE' and min_amount_minor = (select max(min_amount_minor) from fee_rules)`,
    ],
    broken: ['fee-rules-give-one-price'],
  },
];

const evidenceOf = (m: string, { payout, paid }: { payout: Of; paid: string }): WrongBooks[] => [
  {
    what: 'a word of the bank that was altered',
    sql: [
      `update payout_attempts set message = 'Approved'
        where id = (select max(id::text)::uuid from payout_attempts where ${m} and payout_id = ${payout('FAILED')})`,
    ],
    broken: ['evidence-is-what-was-said'],
  },
  {
    what: 'a word of the bank that had no effect',
    sql: [
      `update payout_attempts set outcome = 'reversed'
        where id = (select max(id::text)::uuid from payout_attempts where ${m} and payout_id = ${paid})`,
    ],
    broken: ['every-provider-response-had-its-effect', 'evidence-is-what-was-said'],
  },
  {
    what: 'a call by a rail that the payout never had',
    sql: [`update payout_attempts set rail = 'another' where ${m} and payout_id = ${paid}`],
    broken: ['calls-are-of-the-rail-of-their-payout'],
  },
  {
    what: 'a reference of a rail that leads to another payout',
    sql: [`update rail_references set payout_id = ${onAnyShard(paid)} where ${m}`],
    broken: ['rail-references-lead-to-their-payouts'],
  },
  {
    what: 'a bank that paid another amount',
    sql: [
      `update sandbox_rail_transfers set amount_minor = amount_minor - 1
        where ${m} and rail_reference = (select rail_reference from payouts where id = ${paid})`,
    ],
    broken: ['the-sandbox-rail-has-the-same-book'],
  },
  {
    what: 'a settlement that was never reported',
    sql: [`update event_rows set type = 'settlement.other' where ${m} and type = 'settlement.recorded'`],
    broken: ['settlements-are-reported-as-they-are'],
  },
  {
    what: 'a line of the rail that settled nothing',
    sql: [`update settlement_lines set settles = false, settled_at = null where settles and kind = 'PAID'`],
    broken: ['settlements-follow-from-lines', 'lines-are-compared-with-their-payouts'],
  },
  {
    what: 'a line of the rail over another sum than was read',
    sql: [`update settlement_lines set amount_minor = amount_minor + 1 where result = 'MATCHED'`],
    broken: ['lines-are-compared-with-their-payouts'],
  },
];

const recordsOf = (m: string, { move, paid }: { move: string; paid: string }): WrongBooks[] => [
  {
    what: 'a transaction that names another wallet than was debited',
    sql: [
      `update transactions set from_wallet_id = (select wallet_id from subaccounts where ${m} order by id limit 1) where id = ${move}`,
    ],
    broken: ['transactions-name-their-wallets', 'wallet-transfers-moved-once'],
  },
  {
    what: 'a transfer at another time than its transaction',
    sql: [`update transfers set created_at = ${moved('created_at', '1 hour')} where transaction_id = ${move}`],
    broken: ['wallet-transfers-moved-once'],
  },
  {
    what: 'a payout’s transfers at another time than its end',
    sql: [
      `update transfers set created_at = ${moved('created_at', '1 hour')} where transaction_id = ${paid} and kind = 'POST'`,
    ],
    broken: ['holds-end-as-their-payouts-did'],
  },
  {
    what: 'a refusal that names an effect',
    sql: [`update idempotency_keys set answer_status = 422 where transaction_id = ${move}`],
    broken: ['idempotency-keys-lead-to-their-effects'],
  },
  {
    what: 'a key that would move the money again',
    sql: [`delete from idempotency_keys where ${m} and transaction_id = ${move}`],
    broken: ['idempotency-keys-lead-to-their-effects'],
  },
  {
    what: 'an event with the number of another, as of one in an archive',
    sql: [
      'alter table event_rows drop constraint events_pk',
      `update event_rows set sequence = 2 where ${m} and sequence = 3`,
    ],
    broken: ['events-without-gaps'],
  },
  {
    what: 'an event that is gone',
    sql: [`delete from event_rows where ${m} and sequence = 2`],
    broken: ['events-without-gaps'],
  },
  {
    what: 'a template that is gone',
    sql: [`delete from event_templates where merchant_id in (select merchant_id from event_rows where ${m})`],
    broken: ['event-texts-are-whole', 'wallet-transfers-are-reported-as-they-are'],
  },
  {
    what: 'a template with other words',
    sql: [`update event_templates set text = replace(text, 'SUCCESS', 'SUCCES')`],
    broken: ['event-texts-are-whole', 'wallet-transfers-are-reported-as-they-are'],
  },
  {
    what: 'an event without one of its values',
    sql: [
      `update event_rows set data = split_part(data, E'\\x1f', 1)
        where ${m} and sequence = (select max(sequence) from event_rows where ${m} and template_id is not null and type = 'transaction.succeeded')`,
    ],
    broken: ['event-texts-are-whole', 'wallet-transfers-are-reported-as-they-are'],
  },
  {
    what: 'an event that is read with another amount',
    sql: [
      `update event_rows set data = '1' || data
        where ${m} and sequence = (select max(sequence) from event_rows where ${m} and template_id is not null and type = 'transaction.succeeded')`,
    ],
    broken: ['wallet-transfers-are-reported-as-they-are'],
  },
  {
    what: 'an approval that was reported otherwise',
    sql: [`update approvals set title = 'x' where status = 'APPROVED'`],
    broken: ['approvals-are-reported-as-they-are'],
  },
  {
    what: 'rules of approval that were reported otherwise',
    sql: [
      `update event_rows set data = replace(data::text, '"approvals":1', '"approvals":2')::json where type = 'approval.rules_changed'`,
    ],
    broken: ['rules-of-approval-are-reported-as-they-are'],
  },
  {
    what: 'a beneficiary with another account than was approved',
    sql: [`update beneficiaries set account_number = '9876543210' where status = 'ACTIVE'`],
    broken: ['beneficiaries-are-reported-as-they-are'],
  },
  {
    what: 'an entry of the audit log that nobody has sealed',
    sql: [
      `insert into audit_entries (merchant_id, id, mode, at, action, summary, outcome, subject, actor_kind, actor_name)
       select merchant_id, '${newId()}', 'SANDBOX', now() - interval '1 hour', 'POST /x', 'x', 'DONE', '{}', 'SYSTEM', 'nobody'
         from books where ${m}`,
    ],
    broken: ['audit-entries-are-sealed'],
  },
  {
    what: 'an entry of the audit log that was taken out before it was sealed',
    sql: [`insert into audit_unsealed (merchant_id, entry_id) select merchant_id, '${newId()}' from books where ${m}`],
    broken: ['audit-entries-are-not-gone'],
  },
];
