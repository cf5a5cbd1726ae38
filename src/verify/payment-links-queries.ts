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

/** What an event of a link says of it, in the types of its columns. */
const LINK_FACTS = `"linkId" uuid, url text, status text, title text, description text, amount numeric, "minAmount" numeric,
  "maxAmount" numeric, currency text, "amountRule" text, channels json, "payerName" text, "payerEmail" text,
  "maxPayments" integer, "paidSessions" integer, "walletId" uuid, "returnUrl" text, metadata json, mode text,
  "expiresAt" timestamptz, "createdAt" timestamptz, "updatedAt" timestamptz`;

const otherReports = check(
  'links-and-customers-are-reported-as-they-are',
  'Every payment link was reported as it was made and each time that it was switched, and every customer with each of its versions.',
  `select v.merchant_id, v.mode, format('event %s of %s reports a link otherwise than it is', v.type, v.subject_id) as detail
     from events v
    cross join lateral json_to_record(v.data::json) as d (${LINK_FACTS})
     left join payment_links l on ${sameTenant('l', 'v')} and l.id = v.subject_id
    where v.type like 'payment_link.%'
      and (d."linkId" = l.id and right(d.url, length(l.slug) + 5) = '/pay/' || l.slug and d.mode = l.mode
           and (d.title, d.currency, d."amountRule") = (l.title, l.currency, l.amount_rule)
           and (d."payerName", d."payerEmail", d."walletId") = (l.payer_name, l.payer_email, l.wallet_id)
           and (d.description, d."returnUrl", d."maxPayments", d."expiresAt")
               is not distinct from (l.description, l.return_url, l.max_payments, l.expires_at)
           and (d.amount * 100, d."minAmount" * 100, d."maxAmount" * 100)
               is not distinct from (l.amount_minor::numeric, l.min_amount_minor::numeric, l.max_amount_minor::numeric)
           and d.metadata::text is not distinct from l.metadata
           and (select string_agg(channel, ' ') from json_array_elements_text(d.channels) channel) = l.channels
           and d."createdAt" = l.created_at and d."updatedAt" = v.created_at and d."paidSessions" >= 0
           and case v.type when 'payment_link.created' then v.created_at = l.created_at and d.status = 'ACTIVE'
                           when 'payment_link.activated' then d.status in ('ACTIVE', 'EXPIRED', 'USED_UP')
                           when 'payment_link.deactivated' then d.status = 'INACTIVE' end) is not true
   union all
   select coalesce(l.merchant_id, v.merchant_id), coalesce(l.mode, v.mode),
          format('link %s (%s) was made and switched %s times, and %s are reported', coalesce(l.id, v.subject_id), l.status,
                 1 + coalesce(c.steps, 0), coalesce(v.reports, 0))
     from payment_links l
     left join (select merchant_id, mode, subject_id, count(*) as steps,
                       string_agg(to_state || created_at || coalesce(reason, ''), ' ' order by created_at, id) as story
                  from state_changes where subject = 'payment_link' group by merchant_id, mode, subject_id
               ) c on ${sameTenant('c', 'l')} and c.subject_id = l.id
     full join (select merchant_id, mode, subject_id, count(*) as reports, max(created_at) as last,
                       string_agg(case type when 'payment_link.activated' then 'ACTIVE' else 'INACTIVE' end || created_at, ' '
                                  order by sequence) filter (where type <> 'payment_link.created') as story
                  from events where type like 'payment_link.%' group by merchant_id, mode, subject_id
               ) v on ${sameTenant('v', 'l')} and v.subject_id = l.id
    where (v.reports = 1 + coalesce(c.steps, 0) and v.last = l.updated_at and v.story is not distinct from c.story) is not true
   union all
   select coalesce(c.merchant_id, v.merchant_id), coalesce(c.mode, v.mode),
          format('customer %s has version %s, and %s are reported', coalesce(c.id, v.subject_id), c.version, coalesce(v.reports, 0))
     from customers c
     full join (
       select e.merchant_id, e.mode, e.subject_id, count(distinct d.version) as reports, max(d.version) as last,
              bool_and(d."customerId" = e.subject_id and d."updatedAt" = e.created_at
                       and (d.version = 1) = (e.type = 'customer.created') and (d.version = 1) = (d."createdAt" = e.created_at)) as is_right,
              min(d."createdAt") as made_at, count(distinct d."createdAt") as moments
         from events e
        cross join lateral json_to_record(e.data::json)
                as d ("customerId" uuid, version integer, "createdAt" timestamptz, "updatedAt" timestamptz)
        where e.type like 'customer.%'
        group by e.merchant_id, e.mode, e.subject_id
     ) v on ${sameTenant('v', 'c')} and v.subject_id = c.id
     left join events e on ${sameTenant('e', 'c')} and e.subject_id = c.id and e.type like 'customer.%' and e.created_at = c.updated_at
           and (e.data::json ->> 'version')::integer = c.version
    where (v.reports = c.version and v.last = c.version and v.is_right and v.moments = 1 and v.made_at = c.created_at
           and (e.data::json ->> 'name', e.data::json ->> 'email') = (c.name, c.email)
           and e.data::json ->> 'phoneNumber' is not distinct from c.phone_number
           and coalesce(e.data::json ->> 'metadata', '') = coalesce(c.metadata, '')) is not true`,
);

export const paymentLinkChecks: readonly Check[] = [otherTerms, openedTooLate, otherSlugs, otherReports];
