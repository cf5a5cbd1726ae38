import { moved } from '../support/moved.ts';
import type { WrongBooks } from './wrong.ts';

const KEPT = `(select payment_id from reserves where released_at is null order by payment_id limit 1)`;
const RELEASED = `(select payment_id from reserves where released_at is not null order by payment_id limit 1)`;
const change = (set: string, id = KEPT) => [`update reserves set ${set} where payment_id = ${id}`];

/** What is kept of payments, with something wrong in it. */
export const reservesOf = (): WrongBooks[] => [
  {
    what: 'a reserve of another amount than was kept',
    sql: change('amount_minor = amount_minor + 1'),
    broken: ['reserves-are-kept-with-their-payments', 'reserves-follow-the-rules', 'reserve-accounts-are-what-is-kept'],
  },
  {
    what: 'a reserve that is gone',
    sql: [`delete from reserves where payment_id = ${KEPT}`],
    broken: ['reserves-are-kept-with-their-payments', 'reserves-follow-the-rules', 'reserve-accounts-are-what-is-kept'],
  },
  {
    what: 'a reserve of a wallet that the payment never came to',
    sql: change(`wallet_id = '${crypto.randomUUID()}'`),
    broken: ['reserves-are-kept-with-their-payments'],
  },
  {
    what: 'a reserve by another rule than was in force',
    sql: change(`rule_id = '${crypto.randomUUID()}'`),
    broken: ['reserves-follow-the-rules'],
  },
  {
    what: 'a reserve that is kept for longer than its rule says',
    sql: change(`release_on = release_on + 1, due_at = ${moved('due_at', '1 day')}`),
    broken: ['reserves-follow-the-rules'],
  },
  {
    what: 'a reserve that is due before its day',
    sql: change(`due_at = ${moved('due_at', '-20 days')}`),
    broken: ['reserves-follow-the-rules'],
  },
  {
    what: 'a reserve that reads as kept, and is back in its wallet',
    sql: change(`released_at = null, release_id = null, due_at = now()`, RELEASED),
    broken: ['reserves-come-back-once', 'reserve-accounts-are-what-is-kept'],
  },
  {
    what: 'a payment in that says of itself that less of it was kept',
    sql: [`update inbound_payments set reserve_minor = reserve_minor - 1 where id = ${KEPT}`],
    broken: ['reserves-are-kept-with-their-payments', 'payments-in-are-reported-as-they-are'],
  },
  {
    what: 'a payment in that came by another channel than its provider said',
    sql: [`update inbound_payments set channel = 'USSD' where id = ${KEPT}`],
    broken: ['inbound-payments-are-confirmed', 'payments-in-are-reported-as-they-are'],
  },
  {
    what: 'a rule of a reserve that keeps more than it was made to',
    sql: [`update reserve_rules set rate_basis_points = rate_basis_points + 100 where rate_basis_points > 0`],
    broken: ['reserves-follow-the-rules'],
  },
  {
    what: 'a reserve account that has more than is kept',
    sql: [
      `update accounts set credits_posted_minor = credits_posted_minor + 1 where kind = 'RESERVE' and sequence > 0`,
    ],
    broken: ['reserve-accounts-are-what-is-kept', 'accounts-equal-transfers'],
  },
];
