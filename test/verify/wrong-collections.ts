import { moved } from '../support/moved.ts';
import { onAnyShard, type WrongBooks } from './wrong.ts';

const LIVE_WALLET = `(select wallet_id from inbound_payments where rail = 'live-bank' order by id limit 1)`;

/** Money that came in, with something wrong in it. @param m the condition of the tenant whose payers are simulated. */
export const collectionsOf = (m: string): WrongBooks[] => [
  ...paymentsOf(m),
  ...customersOf(),
  ...chargesOf(m),
  ...accountsOf(),
  ...reportsOf(m),
];

const paymentsOf = (m: string): WrongBooks[] => {
  const paid = `(select id from inbound_payments where ${m} and status = 'CREDITED' and narration is not null order by id limit 1)`;
  const held = `(select id from inbound_payments where status = 'SUSPENSE' order by id limit 1)`;
  const others = `(select min(n.account_number) from account_numbers n where n.wallet_id <> inbound_payments.wallet_id)`;
  const change = (set: string, id = paid) => [`update inbound_payments set ${set} where id = ${id}`];
  return [
    {
      what: 'a payment in of another amount than was posted and confirmed',
      sql: change('amount_minor = amount_minor + 1'),
      broken: [
        'inbound-payments-are-posted-once',
        'inbound-payments-are-confirmed',
        'receivables-are-what-providers-owe',
        'credited-payments-are-transactions',
        'payments-in-are-reported-as-they-are',
        'the-sandbox-bank-has-the-same-payments',
      ],
    },
    {
      what: 'a payment in whose payer is somebody else',
      sql: change(`payer_name = 'SOMEBODY ELSE'`),
      broken: ['inbound-payments-are-confirmed', 'credited-payments-are-transactions'],
    },
    {
      what: 'a payment in that waits, and reads as credited',
      sql: change(`status = 'CREDITED', reason = null`, held),
      broken: ['suspense-is-what-waits', 'credited-payments-are-transactions', 'history-leads-to-the-status'],
    },
    {
      what: 'a payment in that was credited, and reads as one that waits',
      sql: change(`status = 'SUSPENSE', reason = 'x'`),
      broken: ['suspense-is-what-waits', 'history-leads-to-the-status', 'credited-payments-are-transactions'],
    },
    {
      what: 'a payment in that nobody confirmed',
      sql: [`delete from inbound_evidence where payment_id = ${paid}`],
      broken: ['inbound-payments-are-confirmed'],
    },
    {
      what: 'an answer of the provider that was written again, and is of no payment',
      sql: [`update inbound_evidence set payment_id = '${crypto.randomUUID()}' where payment_id = ${paid}`],
      broken: ['inbound-payments-are-confirmed'],
    },
    {
      what: 'a transfer at the provider that leads to nobody',
      sql: [`delete from credit_directory where payment_id = ${onAnyShard(paid)}`],
      broken: ['transfers-lead-to-their-payments'],
    },
    {
      what: 'a transfer that was noted long ago and is in no books',
      sql: [
        `insert into credit_directory (rail, provider_transaction_id, merchant_id, mode, payment_id, wallet_id, account_number, noted_at)
         select rail, 'lost', merchant_id, mode, gen_random_uuid(), wallet_id, account_number, now() - interval '5 days'
           from credit_directory where payment_id = ${paid}`,
      ],
      broken: ['transfers-lead-to-their-payments'],
    },
    {
      what: 'a payment in that was never held and says that two people attributed it',
      sql: change('attributed_wallet_id = wallet_id'),
      broken: ['suspense-ends-as-two-people-decided'],
    },
    {
      what: 'a payment in to a wallet that has another number',
      sql: [
        ...change(`account_number = ${others}`),
        `update credit_directory set account_number = (select account_number from inbound_payments where id = ${paid}) where payment_id = ${paid}`,
      ],
      broken: ['payments-are-to-numbers-of-their-wallets'],
    },
    {
      what: 'a provider account that has become another',
      sql: [`update rail_accounts set id = '${crypto.randomUUID()}' where name = 'live-bank'`],
      broken: ['payments-keep-to-their-mode'],
    },
  ];
};

/** Payments in to account numbers of customers. */
const customersOf = (): WrongBooks[] => {
  const named = `(select id from inbound_payments where customer_id is not null and rail = 'live-bank' and status = 'CREDITED' limit 1)`;
  const late = `(select id from inbound_payments where reason = 'ACCOUNT_CLOSED' limit 1)`;
  return [
    {
      what: 'a payment in of another customer than its number',
      sql: [`update inbound_payments set customer_id = '${crypto.randomUUID()}' where id = ${named}`],
      broken: ['payments-are-of-the-customers-of-their-numbers', 'payments-in-are-reported-as-they-are'],
    },
    {
      what: 'a payment in that names nobody, to the number of a customer',
      sql: [`update inbound_payments set customer_id = null where id = ${named}`],
      broken: ['payments-are-of-the-customers-of-their-numbers', 'payments-in-are-reported-as-they-are'],
    },
    {
      what: 'a payment in to a closed number that a wallet has',
      sql: [`update inbound_payments set status = 'CREDITED', reason = null where id = ${late}`],
      broken: ['payments-are-of-the-customers-of-their-numbers', 'suspense-is-what-waits'],
    },
    {
      what: 'an account that reads as open, and was closed',
      sql: [
        `update virtual_accounts set status = 'OPEN', closed_at = null, due_at = null, reason = null, message = null
          where closed_at is not null and rail = 'live-bank'`,
      ],
      broken: ['history-leads-to-the-status', 'numbers-at-providers-lead-to-their-wallets'],
    },
  ];
};

const chargesOf = (m: string): WrongBooks[] => {
  const charged = `(select id from inbound_payments where ${m} and fee_minor > 0 and vat_minor > 0 order by id limit 1)`;
  const uncharged = `(select id from inbound_payments where status = 'RETURNED' order by id limit 1)`;
  const taken = (code: string) => `transaction_id = ${charged} and code = '${code}'`;
  return [
    {
      what: 'a payment in that says less of a fee than was taken',
      sql: [`update inbound_payments set fee_minor = fee_minor - 1 where id = ${charged}`],
      broken: [
        'charges-on-payments-in-were-taken-once',
        'charges-on-payments-in-follow-the-rules',
        'income-and-tax-are-what-was-charged',
        'payments-in-are-reported-as-they-are',
      ],
    },
    {
      what: 'a fee on a payment in that was taken, and is in no row',
      sql: [`update inbound_payments set fee_minor = 0, vat_minor = 0 where id = ${charged}`],
      broken: ['charges-on-payments-in-were-taken-once', 'charges-on-payments-in-follow-the-rules'],
    },
    {
      what: 'a fee on a payment in that never left the wallet',
      sql: [`delete from transfers where ${taken('COLLECTION_FEE')}`],
      broken: ['charges-on-payments-in-were-taken-once', 'accounts-equal-transfers'],
    },
    {
      what: 'VAT on a payment in that went to the operator',
      sql: [
        `update transfers v set code = 'COLLECTION_FEE', credit_account_id = f.credit_account_id
           from transfers f
          where f.merchant_id = v.merchant_id and f.mode = v.mode and f.transaction_id = v.transaction_id
            and f.code = 'COLLECTION_FEE' and v.transaction_id = ${charged} and v.code = 'COLLECTION_VAT'`,
      ],
      broken: ['charges-on-payments-in-were-taken-once', 'accounts-equal-transfers'],
    },
    {
      what: 'a fee on a payment that went back to its payer',
      sql: [`update transfers set transaction_id = ${uncharged} where ${taken('COLLECTION_FEE')}`],
      broken: ['charges-on-payments-in-were-taken-once'],
    },
    {
      what: 'a rule of a fee on payments in that has another rate than it charged by',
      sql: [
        `update fee_rules set rate_basis_points = rate_basis_points + 50 where kind = 'COLLECTION_FEE' and effective_to is null`,
      ],
      broken: ['charges-on-payments-in-follow-the-rules', 'fee-rules-give-one-price'],
    },
    {
      what: 'a rule of a fee on payments in without its cap',
      sql: [`update fee_rules set cap_minor = null where kind = 'COLLECTION_FEE' and cap_minor is not null`],
      broken: ['charges-on-payments-in-follow-the-rules', 'fee-rules-give-one-price'],
    },
    {
      what: 'tax that nobody was charged',
      sql: [`update accounts set credits_posted_minor = credits_posted_minor + 1 where ${m} and kind = 'TAX_PAYABLE'`],
      broken: ['income-and-tax-are-what-was-charged', 'accounts-equal-transfers', 'debits-equal-credits'],
    },
  ];
};

const accountsOf = (): WrongBooks[] => [
  {
    what: 'an account at a provider of a wallet that there is not',
    sql: [`update virtual_accounts set wallet_id = '${crypto.randomUUID()}' where wallet_id = ${LIVE_WALLET}`],
    broken: [
      'accounts-at-providers-are-of-wallets',
      'numbers-at-providers-lead-to-their-wallets',
      'accounts-at-providers-are-reported-as-they-are',
    ],
  },
  {
    what: 'an account at a provider that reads as refused',
    sql: [`update virtual_accounts set status = 'FAILED' where wallet_id = ${LIVE_WALLET} and customer_id is null`],
    broken: ['accounts-at-providers-are-of-wallets', 'history-leads-to-the-status'],
  },
  {
    what: 'a number that leads to another wallet than shows it',
    sql: [`update receiving_numbers set wallet_id = '${crypto.randomUUID()}' where wallet_id = ${LIVE_WALLET}`],
    broken: ['numbers-at-providers-lead-to-their-wallets'],
  },
  {
    what: 'a number that nobody was given',
    sql: [
      `insert into receiving_numbers select rail, '9999999999', virtual_account_id, merchant_id, mode, wallet_id, opened_at
         from receiving_numbers where wallet_id = ${LIVE_WALLET} limit 1`,
    ],
    broken: ['numbers-at-providers-lead-to-their-wallets'],
  },
  {
    what: 'a number under another name than was reported',
    sql: [`update virtual_account_numbers set account_name = 'x' where wallet_id = ${LIVE_WALLET}`],
    broken: ['accounts-at-providers-are-reported-as-they-are'],
  },
  {
    what: 'wallets that get their numbers in the other mode',
    sql: [`update default_wallet_providers set mode = 'SANDBOX'`],
    broken: ['providers-are-of-their-mode'],
  },
];

const reportsOf = (m: string): WrongBooks[] => [
  {
    what: 'a reported credit that reads as credited',
    sql: [`update open_credits set status = 'DONE', reason = null where status = 'NO_OWNER'`],
    broken: ['reported-credits-are-kept-until-they-end'],
  },
  {
    what: 'a credit of nobody over another amount than was confirmed',
    sql: [`update open_credits set confirmed = replace(confirmed, '600', '60000') where status = 'NO_OWNER'`],
    broken: ['reported-credits-are-kept-until-they-end'],
  },
  {
    what: 'a list of credits that counts as read in the future',
    sql: [`update credit_polls set polled_to = ${moved('polled_to', '1 day')} where rail = 'sandbox'`],
    broken: ['lists-of-credits-are-read-to-their-end'],
  },
  {
    what: 'money at the sandbox’s bank that never came to its wallet',
    sql: [
      `update sandbox_credits set id = left(id, 38) || '${crypto.randomUUID().replaceAll('-', '')}'
        where ${m} and id = (select max(provider_transaction_id) from inbound_payments where ${m} and rail = 'sandbox')`,
    ],
    broken: ['the-sandbox-bank-has-the-same-payments', 'simulated-payers-are-reported-as-they-paid'],
  },
  {
    what: 'a simulated payer who paid to another account',
    sql: [`update sandbox_credits set account_number = '1234567890' where ${m} and status = 'FAILED'`],
    broken: ['simulated-payers-are-reported-as-they-paid', 'the-sandbox-bank-has-the-same-payments'],
  },
];
