import type { WrongBooks } from './wrong.ts';

/** Totals by day with something wrong in them. */
export const totalsOf = (): WrongBooks[] => [
  {
    what: 'a day of a wallet that comes to more than its transfers',
    sql: [`update daily_totals set debits_minor = debits_minor + 1`],
    broken: ['daily-totals-are-their-transfers', 'merchant-totals-are-those-of-its-wallets'],
  },
  {
    what: 'what moved in a wallet, under another day, also in the sums of its merchant',
    sql: [`update daily_totals set day = day + 400`, `update merchant_daily_totals set day = day + 400`],
    broken: ['daily-totals-are-their-transfers'],
  },
  {
    what: 'a day of a merchant that comes to less than its wallets',
    sql: [`update merchant_daily_totals set credits_minor = credits_minor - 1`],
    broken: ['merchant-totals-are-those-of-its-wallets'],
  },
  {
    what: 'books that were added up beyond their end',
    sql: [`update daily_total_cursors set event_sequence = event_sequence + 1000000`],
    broken: ['totals-are-not-ahead-of-their-books'],
  },
  {
    what: 'a total within a statement, of transfers that are not there',
    sql: [
      `insert into statement_totals (merchant_id, mode, account_id, sequence, entries, credits_minor, debits_minor)
       select merchant_id, mode, id, 500, 1, 0, 0 from accounts where kind = 'MERCHANT_WALLET' limit 1`,
    ],
    broken: ['statement-totals-are-their-transfers'],
  },
  {
    what: 'a wallet whose statement has no totals, with days that are added up',
    sql: [`delete from statement_totals`],
    broken: ['statement-totals-go-as-far-as-the-days'],
  },
  {
    what: 'a payout that the directory has under another session than it was paid in',
    sql: [`update payout_directory set session_id = 'elsewhere' where session_id is not null and status = 'SUCCESS'`],
    broken: ['payout-directory-has-the-payouts'],
  },
  {
    what: 'payouts in the directory of books of which nothing was read',
    sql: [`delete from event_cursors`],
    broken: ['payout-directory-has-the-payouts'],
  },
  {
    what: 'a search that finds a payout that is not there',
    sql: [
      `insert into search_documents (merchant_id, mode, kind, subject_id, era, created_at, text, tokens)
       select merchant_id, mode, 'PAYOUT', merchant_id, 0, updated_at, '', '{}' from transactions limit 1`,
    ],
    broken: ['what-is-searched-is-what-is-there'],
  },
];
