import type { WrongBooks } from './wrong.ts';

const session = (status: string) => `(select id from payment_sessions where status = '${status}' order by id limit 1)`;
const change = (set: string, status: string) => [`update payment_sessions set ${set} where id = ${session(status)}`];

/** Payment sessions with something wrong in them. */
export const sessionsOf = (): WrongBooks[] => [
  {
    what: 'a payment session that asks its customer for another fee than was quoted',
    sql: [
      `update payment_sessions set fee_minor = fee_minor + 1, payable_minor = payable_minor + 1
        where id = (select id from payment_sessions where fee_bearer = 'CUSTOMER' order by id limit 1)`,
    ],
    broken: ['quotes-on-top-leave-the-amount', 'sessions-are-reported-as-they-are'],
  },
  {
    what: 'a payment session that received more than came',
    sql: change('received_minor = received_minor + 1', 'PARTIALLY_PAID'),
    broken: ['sessions-received-their-payments', 'sessions-are-reported-as-they-are'],
  },
  {
    what: 'a payment for a session that counts as another amount, as the session does',
    sql: [
      `update payment_session_payments set amount_minor = amount_minor + 1 where session_id = ${session('PARTIALLY_PAID')}`,
      ...change('received_minor = received_minor + 1', 'PARTIALLY_PAID'),
    ],
    broken: ['sessions-received-their-payments', 'sessions-are-reported-as-they-are'],
  },
  {
    what: 'a payment for a session that is not counted',
    sql: [`delete from payment_session_payments where session_id = ${session('PARTIALLY_PAID')}`],
    broken: ['sessions-received-their-payments', 'sessions-are-paid-by-their-payments'],
  },
  {
    what: 'a payment session that is paid by nothing',
    sql: change(`status = 'PAID', paid_at = now()`, 'OPEN'),
    broken: ['sessions-are-paid-by-their-payments', 'sessions-are-reported-as-they-are', 'history-leads-to-the-status'],
  },
  {
    what: 'a paid session that may be paid again',
    sql: change(`status = 'OPEN', paid_at = null`, 'PAID'),
    broken: ['sessions-are-paid-by-their-payments', 'sessions-are-reported-as-they-are'],
  },
  {
    what: 'a number of a session that leads to another wallet',
    sql: [
      `update receiving_numbers set wallet_id = '${crypto.randomUUID()}' where virtual_account_id = ${session('OPEN')}`,
    ],
    broken: ['numbers-of-sessions-lead-to-them'],
  },
  {
    what: 'a session that shows another number than its own',
    sql: [
      `update payment_session_accounts set account_number = '1111111111' where session_id = ${session('PARTIALLY_PAID')}`,
    ],
    broken: ['numbers-of-sessions-lead-to-them'],
  },
  {
    what: 'a session for another amount than was asked for',
    sql: change('amount_minor = amount_minor - 1', 'OPEN'),
    broken: ['sessions-are-reported-as-they-are'],
  },
];
