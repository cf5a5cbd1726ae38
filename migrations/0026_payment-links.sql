-- Payment links, under which payers open payment sessions themselves, and the customers that a merchant keeps.

create table customers (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  name text not null,
  email text not null,
  phone_number text,
  metadata text,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint customers_pk primary key (merchant_id, mode, id),
  constraint customers_mode check (mode in ('SANDBOX', 'LIVE'))
);
comment on table customers is
  'Who pays a merchant, as the merchant wrote it down. Two rows may have the same name or e-mail: only the id says who is who.';
comment on column customers.metadata is 'JSON text.';
comment on column customers.version is 'Taken by every change as a unique key, so that no change writes over another.';
create index customers_by_name on customers (merchant_id, mode, lower(name) text_pattern_ops);
create index customers_by_email on customers (merchant_id, mode, lower(email) text_pattern_ops);

create table payment_links (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  slug text not null,
  status text not null,
  reason text,
  title text not null,
  description text,
  amount_minor bigint,
  min_amount_minor bigint,
  max_amount_minor bigint,
  currency text not null,
  amount_rule text not null,
  channels text not null,
  payer_name text not null,
  payer_email text not null,
  max_payments integer,
  wallet_id uuid not null,
  return_url text,
  metadata text,
  expires_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint payment_links_pk primary key (merchant_id, mode, id),
  constraint payment_links_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint payment_links_status check (status in ('ACTIVE', 'INACTIVE')),
  constraint payment_links_slug check (slug ~ '^[0-9a-hjkmnp-tv-z]{16}$'),
  constraint payment_links_amount_rule check (amount_rule in ('EXACT', 'AT_LEAST', 'ANY')),
  constraint payment_links_amounts check (case when amount_minor is null
    then min_amount_minor > 0 and max_amount_minor >= min_amount_minor
    else amount_minor > 0 and num_nonnulls(min_amount_minor, max_amount_minor) = 0 end),
  constraint payment_links_payer check (payer_name in ('REQUIRED', 'OPTIONAL', 'NOT_ASKED')
    and payer_email in ('REQUIRED', 'OPTIONAL', 'NOT_ASKED')),
  constraint payment_links_max_payments check (max_payments > 0)
);
comment on table payment_links is
  'A page under which whoever has its address opens a payment session. What it asks for never changes; it can be switched off and on.';
comment on column payment_links.slug is 'The last part of its address. Whoever knows it can pay, and see nothing else.';
comment on column payment_links.reason is 'Always null: whoever switches it off says no reason.';
comment on column payment_links.amount_minor is 'Null: the payer names an amount from min_amount_minor to max_amount_minor.';
comment on column payment_links.channels is 'Separated by spaces, as of sessions.';
comment on column payment_links.max_payments is 'After so many paid sessions it opens no more. Null: any number.';
comment on column payment_links.metadata is 'JSON text, passed on to every session.';

create table payment_link_slugs (
  slug text not null,
  merchant_id uuid not null,
  mode text not null,
  link_id uuid not null,
  constraint payment_link_slugs_pk primary key (slug),
  constraint payment_link_slugs_mode check (mode in ('SANDBOX', 'LIVE'))
);
comment on table payment_link_slugs is 'Directory: the address of a payment link leads to the link, before any merchant is known.';

alter table payment_sessions add column link_id uuid;
alter table payment_sessions add column customer_id uuid;
alter table payment_sessions drop constraint payment_sessions_opened_by;
-- The rows that are there are looked at in 0028, without a lock that payments wait for.
alter table payment_sessions add constraint payment_sessions_opened_by
  check (opened_by in ('SECRET_KEY', 'PUBLIC_KEY', 'PERSON', 'LINK') and (opened_by = 'LINK') = (link_id is not null))
  not valid;
comment on column payment_sessions.opened_by is
  'PUBLIC_KEY: the amount came from a browser, and no server of the merchant has confirmed it. LINK: a payer, within what the payment link allows.';
comment on column payment_sessions.link_id is 'The payment link under which a payer opened it.';
comment on column payment_sessions.customer_id is 'The customer that the merchant named. The name and address beside it are as of that moment.';
create index payment_sessions_of_link on payment_sessions (merchant_id, mode, link_id, id) where link_id is not null;
create index payment_sessions_paid_of_link on payment_sessions (merchant_id, mode, link_id)
  where link_id is not null and status = 'PAID';
create index payment_sessions_of_customer on payment_sessions (merchant_id, mode, customer_id, id)
  where customer_id is not null;

-- The last condition is true of every row, and only the list of one opener names it: a session that is looked for by its id
-- is never found through this index.
create index payment_sessions_by_opener on payment_sessions (merchant_id, mode, opened_by, id) where opened_by > '';
