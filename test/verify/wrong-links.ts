import { moved } from '../support/moved.ts';
import type { WrongBooks } from './wrong.ts';

const ofLink = `(select id from payment_sessions where link_id is not null order by id limit 1)`;
const singleLink = `(select id from payment_links where max_payments = 1 limit 1)`;
const otherTenant = `(select id from merchants where id <> l.merchant_id limit 1)`;

/** Payment links and customers with something wrong in them. */
export const linksOf = (): WrongBooks[] => [
  {
    what: 'a session of a link of another merchant',
    sql: [`update payment_links l set merchant_id = ${otherTenant} where id = ${singleLink}`],
    broken: ['sessions-are-within-their-links', 'addresses-lead-to-their-links'],
  },
  {
    what: 'a session of a link in the other mode',
    sql: [`update payment_links set mode = 'LIVE' where id = ${singleLink}`],
    broken: ['sessions-are-within-their-links', 'addresses-lead-to-their-links'],
  },
  {
    what: 'a session of a link that is not there',
    sql: [`update payment_sessions set link_id = '${crypto.randomUUID()}' where id = ${ofLink}`],
    broken: ['sessions-are-within-their-links', 'sessions-are-reported-as-they-are'],
  },
  {
    what: 'a session under a link for more than the link allows',
    sql: [`update payment_links set max_amount_minor = min_amount_minor where amount_minor is null`],
    broken: ['sessions-are-within-their-links'],
  },
  {
    what: 'a session that was opened under a link after its last payment',
    sql: [
      `update event_rows set sequence = -sequence
        where type = 'payment_session.paid'
          and subject_id in (select id from payment_sessions where link_id = ${singleLink})`,
    ],
    broken: ['closed-links-open-no-sessions'],
  },
  {
    what: 'a session that was opened under a link that was switched off',
    sql: [
      `update event_rows set sequence = -sequence
        where id = (select id from events where type = 'payment_link.deactivated' order by sequence limit 1)`,
    ],
    broken: ['closed-links-open-no-sessions'],
  },
  {
    what: 'an address that leads to no link',
    sql: [`insert into payment_link_slugs select 'zzzzzzzzzzzzzzzz', merchant_id, mode, id from payment_links limit 1`],
    broken: ['addresses-lead-to-their-links'],
  },
  {
    what: 'a session of a customer who is not there',
    sql: [`delete from customers`],
    broken: ['sessions-are-within-their-links'],
  },
  {
    what: 'a link that was reported under another title',
    sql: [
      `update event_rows set data = replace(data::text, '"title"', '"title":"Another","was"')
        where id = (select id from events where type = 'payment_link.created' limit 1)`,
    ],
    broken: ['links-and-customers-are-reported-as-they-are'],
  },
  {
    what: 'a link that was switched off at another moment than was reported',
    sql: [
      `update state_changes set created_at = ${moved('created_at', '-1 hour')}
        where id = (select id from state_changes where subject = 'payment_link' limit 1)`,
    ],
    broken: ['links-and-customers-are-reported-as-they-are'],
  },
  {
    what: 'a customer whose name was changed and not reported',
    sql: [`update customers set name = 'Somebody else'`],
    broken: ['links-and-customers-are-reported-as-they-are'],
  },
];
