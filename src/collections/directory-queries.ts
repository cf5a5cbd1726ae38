import {
  type Asked,
  composed,
  type SetStatement,
  setQuestion,
  setStatement,
  statement,
} from '../platform/db/statement.ts';
import { firstIdOf } from '../platform/ids.ts';
import type { List, ListOrder } from '../platform/lists/list.ts';
import type { Mode } from '../platform/tenant.ts';
import type { PaymentChannel } from '../rails/index.ts';
import type { InboundPaymentRow, InboundStatus } from './queries.ts';

/** A confirmed credit whose payment is looked for, with the id that its payment gets if it has none. */
export interface CreditToNote {
  rail: string;
  mode: Mode;
  provider_transaction_id: string;
  session_id: string | null;
  /** The account number that it was paid to; null where the provider names the account by our reference alone. */
  account_number: string | null;
  /** The account with our reference. */
  virtual_account_id: string | null;
  payment_id: string;
  /** When it was paid; null where the provider does not say. */
  paid_at: Date | null;
  noted_at: Date;
}

/**
 * Notes whose payment each credit is: of the wallet whose account has our reference, or else that had the account
 * number when it was paid, or has it now, or had it last. In the sandbox's own bank that is the wallet with the
 * generated number. What is noted already stays, also after the number went to another wallet, and a credit without an
 * owner is not noted.
 */
export const insertNotedCredits = setStatement<CreditToNote>(
  'insert-noted-credits',
  {
    rail: 'text',
    mode: 'text',
    provider_transaction_id: 'text',
    session_id: 'text',
    account_number: 'text',
    virtual_account_id: 'uuid',
    payment_id: 'uuid',
    paid_at: 'timestamptz',
    noted_at: 'timestamptz',
  },
  `insert into credit_directory (rail, provider_transaction_id, session_id, merchant_id, mode, payment_id, wallet_id,
                                 virtual_account_id, account_number, noted_at)
   select rows.rail, rows.provider_transaction_id, rows.session_id, owner.merchant_id, owner.mode, rows.payment_id,
          owner.wallet_id, owner.virtual_account_id, coalesce(rows.account_number, owner.account_number), rows.noted_at
     from :rows
     join lateral (
       (select n.merchant_id, n.mode, n.wallet_id, n.virtual_account_id, n.account_number, 3 as rank
          from receiving_numbers n
         where n.rail = rows.rail and n.account_number = rows.account_number and n.mode = rows.mode and n.closed_at is null)
        union all
       -- Our reference says more than a number that may be given again: it leads to its wallet also when it was closed.
       (select n.merchant_id, n.mode, n.wallet_id, n.virtual_account_id, n.account_number, 1
          from receiving_numbers n
         where n.virtual_account_id = rows.virtual_account_id and n.rail = rows.rail and n.mode = rows.mode)
        union all
       -- Somebody may have the number again by now: it is whose it was when it was paid.
       (select n.merchant_id, n.mode, n.wallet_id, n.virtual_account_id, n.account_number, 2
          from receiving_numbers n
         where n.rail = rows.rail and n.account_number = rows.account_number and n.mode = rows.mode
           and n.opened_at <= rows.paid_at and n.closed_at > rows.paid_at
         order by n.closed_at desc limit 1)
        union all
       (select a.merchant_id, a.mode, a.wallet_id, null, a.account_number, 4
          from account_numbers a
         where rows.rail = 'sandbox' and rows.mode = 'SANDBOX' and a.account_number = rows.account_number
           and a.mode = 'SANDBOX')
        union all
       -- Nobody has the number now: it is still known whose it was last.
       (select n.merchant_id, n.mode, n.wallet_id, n.virtual_account_id, n.account_number, 5
          from receiving_numbers n
         where n.rail = rows.rail and n.account_number = rows.account_number and n.mode = rows.mode
           and n.closed_at is not null
         order by n.closed_at desc limit 1)
        order by rank limit 1
     ) owner on true
   on conflict do nothing
   returning true as is_same_transaction, mode, merchant_id, payment_id, wallet_id, virtual_account_id, account_number`,
) as SetStatement<CreditToNote> & { readonly row?: NewlyNoted };

/** A credit that was noted just now. */
export type NewlyNoted = Omit<DirectoryCredit, 'place'>;

/** The payment that a credit became. */
export interface NotedCredit {
  /** False: another transaction of the provider has the session id, and is the payment. */
  is_same_transaction: boolean;
  mode: Mode;
  /** The merchant who owns it; null: it went back to its payer, and belongs to nobody. */
  merchant_id: string | null;
  payment_id: string | null;
  wallet_id: string | null;
  virtual_account_id: string | null;
  account_number: string | null;
  /** The customer whose account number it was paid to; null: no customer's. */
  customer_id: string | null;
  /** When that account was closed; null: it is open. */
  closed_at: Date | null;
  /** Nothing is left to do: the payment is in the books, or the money went back. */
  is_posted: boolean;
  /** In kobo, as it was booked; null: it was not. */
  amount_minor: bigint | null;
}

type CreditKeyRow = Pick<CreditToNote, 'rail' | 'provider_transaction_id' | 'session_id'>;

/** A credit as the directory has it; the merchant's own tables have the rest. */
export type DirectoryCredit = Omit<NotedCredit, 'customer_id' | 'closed_at' | 'is_posted' | 'amount_minor'> & {
  place: number;
};

/** Each credit in the directory, by the provider's id or else by the session id. */
export const findNotedCredits = setQuestion<CreditKeyRow, DirectoryCredit>(
  'find-noted-credits',
  { rail: 'text', provider_transaction_id: 'text', session_id: 'text' },
  `select rows.place::int as place, d.provider_transaction_id = rows.provider_transaction_id as is_same_transaction,
          d.merchant_id, d.mode, d.payment_id, d.wallet_id, d.virtual_account_id, d.account_number
     from :rows
     join lateral (
       (select * from credit_directory c
         where c.rail = rows.rail and c.provider_transaction_id = rows.provider_transaction_id)
        union all
       (select * from credit_directory c
         where c.rail = rows.rail and c.session_id = rows.session_id
           and c.provider_transaction_id <> rows.provider_transaction_id)
        limit 1
     ) d on true`,
);

type OfCredit = { merchant_id: string; mode: Mode; id: string };
const ofCredit = { merchant_id: 'uuid', mode: 'text', id: 'uuid' } as const;

/** The account at a provider that each credit came to. */
export const findAccountsOfCredits = setQuestion<
  OfCredit,
  { place: number; customer_id: string | null; closed_at: Date | null }
>(
  'find-accounts-of-credits',
  ofCredit,
  `select rows.place::int as place, a.customer_id, a.closed_at
     from :rows join virtual_accounts a on a.merchant_id = rows.merchant_id and a.mode = rows.mode and a.id = rows.id`,
);

/** What each credit was booked as. */
export const findBookedCredits = setQuestion<OfCredit, { place: number; amount_minor: bigint }>(
  'find-booked-credits',
  ofCredit,
  `select rows.place::int as place, i.amount_minor
     from :rows join inbound_payments i on i.merchant_id = rows.merchant_id and i.mode = rows.mode and i.id = rows.id`,
);

/**
 * Notes a transfer that two people attributed to a wallet, or returned: then without one. Where it leads somewhere
 * already it is refused. $1 account, $2 transaction, $3 session id, $4 mode, $5 merchant, $6 payment, $7 wallet, $8 the
 * account number to which it was paid, the wallet's own unless given; $9 now.
 */
export const insertDecidedCredit = statement(
  'insert-decided-credit',
  `with given as materialized (
     select asked.*, w.account_number as own_number
       from (select $1::text, $2::text, $3::text, $4::text, $5::uuid, $6::uuid, $7::uuid, $8::text, $9::timestamptz)
            asked (rail, provider_transaction_id, session_id, mode, merchant_id, payment_id, wallet_id, account_number,
                   noted_at)
       left join wallets w on w.merchant_id = asked.merchant_id and w.mode = asked.mode and w.id = asked.wallet_id
   )
   insert into credit_directory (rail, provider_transaction_id, session_id, mode, merchant_id, payment_id, wallet_id,
                                 account_number, noted_at)
   select given.rail, given.provider_transaction_id, given.session_id, given.mode, given.merchant_id, given.payment_id,
          given.wallet_id, case when given.wallet_id is not null then coalesce(given.account_number, given.own_number) end,
          given.noted_at
     from given`,
);

/** A payment as an operator's list shows it. */
export type FoundCreditRow = InboundPaymentRow;

export interface CreditSearch {
  paymentId?: string | undefined;
  /** The id that the provider gave the transfer. */
  providerTransactionId?: string | undefined;
  sessionId?: string | undefined;
  /** The account number that it was paid to. */
  accountNumber?: string | undefined;
  merchantId?: string | undefined;
  mode?: Mode | undefined;
  status?: InboundStatus | undefined;
  rail?: string | undefined;
  /** How it was paid. */
  channel?: PaymentChannel | undefined;
  amountMinor?: bigint | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/**
 * True of every payment. The index of all payments, newest first, has this condition, so only statements that name it
 * can use that index.
 */
const OF_ALL = `d.payment_id > '00000000-0000-0000-0000-000000000000'`;
const OF_PAYMENTS = 'd.payment_id is not null';
/** What providers gave is unique for each of their accounts, so all of them are asked for. */
const ANY_RAIL = `d.rail = any(array(select name from rail_accounts) || 'sandbox'::text)`;

interface Conditions {
  /** Conditions that the index of the search answers. */
  driving: string[];
  /** Conditions on the rows that this index finds, written so that no other index is taken for them. */
  filters: string[];
  values: unknown[];
  /** The number of values in `driving`. */
  drivingValues: number;
}

/** The first of these filters that is given decides the index: each finds fewer rows than those after it. */
function conditionsOf(search: CreditSearch): Conditions {
  const { mode, status, rail, channel, amountMinor, from, to } = search;
  const given: [column: string, type: string, value: unknown, besides: string][] = [
    ['d.payment_id', 'uuid', search.paymentId, OF_ALL],
    ['d.provider_transaction_id', 'text', search.providerTransactionId, `${ANY_RAIL} and ${OF_PAYMENTS}`],
    ['d.session_id', 'text', search.sessionId, `${ANY_RAIL} and ${OF_PAYMENTS}`],
    ['d.account_number', 'text', search.accountNumber, OF_PAYMENTS],
    ['d.merchant_id', 'uuid', search.merchantId, OF_PAYMENTS],
  ];
  const driver = given.find(([, , value]) => value !== undefined);
  const values: unknown[] = [];
  const place = (value: unknown, type: string) => `$${values.push(value)}::${type}`;
  const driving = driver === undefined ? [OF_ALL] : [`${driver[0]} = ${place(driver[2], driver[1])}`, driver[3]];
  if (from !== undefined) driving.push(`d.payment_id >= ${place(firstIdOf(from), 'uuid')}`);
  if (to !== undefined) driving.push(`d.payment_id < ${place(firstIdOf(to), 'uuid')}`);
  const drivingValues = values.length;
  const others: (readonly [string, string, unknown, ...unknown[]])[] = [
    ...given,
    ['d.mode', 'text', mode],
    ['d.rail', 'text', rail],
    ['p.status', 'text', status],
    ['p.channel', 'text', channel],
    ['p.amount_minor', 'bigint', amountMinor],
  ];
  const filters = others
    .filter(([column, , value]) => value !== undefined && column !== driver?.[0])
    .map(([column, type, value]) => `${column} is not distinct from ${place(value, type)}`);
  return { driving, filters, values, drivingValues };
}

const NEWEST: ListOrder<FoundCreditRow> = {
  direction: 'desc',
  keys: [{ sql: 'd.payment_id', type: 'uuid', of: ({ id }) => id }],
};

/**
 * Payments in of all merchants, newest first; a credit that is noted and not in the books yet is none.
 * @param since how far back a search goes whose filters no index has
 */
export function foundCreditList(search: CreditSearch, since: Date | undefined): List<FoundCreditRow> {
  const { driving, filters, values } = conditionsOf(search);
  const bound = since === undefined ? [] : [`d.payment_id >= $${values.push(firstIdOf(since))}::uuid`];
  return {
    name: 'payments-in-of-all-merchants',
    of: [search],
    order: NEWEST,
    since,
    columns: 'p.*',
    // Each by its key: it never decides in which order payments are read.
    from: `credit_directory d
     join lateral (
       select * from inbound_payments p
        where p.merchant_id = d.merchant_id and p.mode = d.mode and p.id = d.payment_id offset 0
     ) p on true`,
    whereDistributed: `credit_directory d
     join inbound_payments p on p.merchant_id = d.merchant_id and p.mode = d.mode and p.id = d.payment_id`,
    where: [...driving, ...bound, ...filters],
    values,
  };
}

/** The payment that is so many rows behind the newest, by the index of the search; undefined where the search has no filter. */
export function depthOfCredits(search: CreditSearch, rows: number): Asked<{ payment_id: string }> | undefined {
  const { driving, filters, values, drivingValues } = conditionsOf(search);
  if (filters.length === 0) return undefined;
  const text = `select d.payment_id from credit_directory d
    where ${driving.join(' and ')} order by d.payment_id desc offset $${drivingValues + 1} limit 1`;
  return composed('find-depth-of-credits', text, [...values.slice(0, drivingValues), rows]);
}

export const findCreditOwner = statement<{ merchant_id: string; mode: Mode }>(
  'find-owner-of-credit',
  `select d.merchant_id, d.mode from credit_directory d
    where d.payment_id = $1 and ${OF_ALL} and d.merchant_id is not null`,
);
