import { type Check, CLOCKS, check, sameTenant } from './queries.ts';

const otherTerms = check(
  'sessions-are-within-their-links',
  'Every payment session that a payer opened is of a link of the same merchant and mode and asks for what the link does, and names a customer of theirs or none.',
  `select s.merchant_id, s.mode, format('session %s of link %s asks for %s (%s) for %s, and the link for %s', s.id, s.link_id,
                                        s.amount_minor, s.amount_rule, s.wallet_id,
                                        coalesce(l.amount_minor::text, l.min_amount_minor || ' to ' || l.max_amount_minor,
                                                 'nothing: it is not there')) as detail
     from payment_sessions s
     left join payment_links l on ${sameTenant('l', 's')} and l.id = s.link_id
    where s.link_id is not null
      and (s.opened_by = 'LINK' and s.fee_bearer = 'MERCHANT' and s.wallet_id = l.wallet_id and s.amount_rule = l.amount_rule and s.channels = l.channels
           and s.currency = l.currency and s.description = l.title and s.created_at >= l.created_at - ${CLOCKS}
           and s.return_url is not distinct from l.return_url and s.metadata is not distinct from l.metadata
           and s.amount_minor between coalesce(l.amount_minor, l.min_amount_minor)
                                  and coalesce(l.amount_minor, l.max_amount_minor)) is not true
   union all
   select s.merchant_id, s.mode, format('session %s names the customer %s, who is not there', s.id, s.customer_id)
     from payment_sessions s
     left join customers c on ${sameTenant('c', 's')} and c.id = s.customer_id
    where s.customer_id is not null and (c.created_at - ${CLOCKS} <= s.created_at) is not true`,
);

const openedTooLate = check(
  'closed-links-open-no-sessions',
  'No payment session was opened under a link that was switched off, expired, or had as many paid sessions as it takes.',
  `select o.merchant_id, o.mode,
          format('session %s was opened under link %s, which had %s of %s payments and was switched off %s times more than on',
                 o.subject_id, o.link_id, o.paid, coalesce(l.max_payments::text, 'any number'), o.is_off) as detail
     from (
       select e.*, count(*) filter (where e.type = 'payment_session.paid') over before_it as paid,
              count(*) filter (where e.type = 'payment_link.deactivated') over before_it
                - count(*) filter (where e.type = 'payment_link.activated') over before_it as is_off
         from (
           select v.merchant_id, v.mode, v.sequence, v.type, v.subject_id, coalesce(s.link_id, v.subject_id) as link_id, v.created_at
             from events v
             left join payment_sessions s on ${sameTenant('s', 'v')} and s.id = v.subject_id
            where v.type in ('payment_link.activated', 'payment_link.deactivated', 'payment_session.created', 'payment_session.paid')
              and (s.id is null or s.link_id is not null)
         ) e
       window before_it as (partition by e.merchant_id, e.mode, e.link_id order by e.sequence)
     ) o
     join payment_links l on ${sameTenant('l', 'o')} and l.id = o.link_id
    where o.type = 'payment_session.created'
      and (o.is_off <> 0 or o.paid >= l.max_payments or o.created_at >= l.expires_at + ${CLOCKS})`,
);

const otherSlugs = check(
  'addresses-lead-to-their-links',
  'Every address of a payment link leads to it, and to nothing else.',
  `select coalesce(l.merchant_id, d.merchant_id) as merchant_id, coalesce(l.mode, d.mode) as mode,
          format('the address of link %s leads to %s', coalesce(l.id::text, 'nobody'), coalesce(d.link_id::text, 'nothing')) as detail
     from payment_links l
     full join payment_link_slugs d on d.slug = l.slug
    where (${sameTenant('d', 'l')} and d.link_id = l.id) is not true`,
);

export const paymentLinkChecks: readonly Check[] = [otherTerms, openedTooLate, otherSlugs];
