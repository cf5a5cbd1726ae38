-- Money that came in and has no owner, or may not be credited, is attributed, returned or kept by two people.

alter table inbound_payments drop constraint inbound_payments_status;
alter table inbound_payments add constraint inbound_payments_status
  check (status in ('CREDITED', 'SUSPENSE', 'RETURNED', 'KEPT'));
alter table inbound_payments add column attributed_wallet_id uuid;
alter table inbound_payments add constraint inbound_payments_attributed
  check (attributed_wallet_id is null or status = 'CREDITED');
comment on column inbound_payments.attributed_wallet_id is
  'The wallet to which two people attributed it out of suspense. Null: nobody had to.';

alter table open_credits drop constraint open_credits_status;
alter table open_credits add constraint open_credits_status check (status in ('WAITING', 'UNCONFIRMED', 'NO_OWNER',
  'CONTRADICTED', 'FAILED', 'RETURNED', 'DISMISSED', 'DONE'));
comment on table open_credits is
  'Credits that were reported and not credited: the provider is asked again, or the operator looks into it. WAITING: asked again when due. UNCONFIRMED: nobody confirmed it for days. NO_OWNER: confirmed, and no wallet has the number. CONTRADICTED: what is confirmed cannot be what was reported, or went back after it was credited. RETURNED and DISMISSED: two people ended it.';

alter table credit_directory alter column merchant_id drop not null;
alter table credit_directory alter column payment_id drop not null;
alter table credit_directory alter column wallet_id drop not null;
alter table credit_directory alter column account_number drop not null;
alter table credit_directory add constraint credit_directory_owner
  check (num_nonnulls(merchant_id, payment_id, wallet_id, account_number) in (0, 4));
comment on table credit_directory is
  'Directory: a transfer that arrived at a provider is one payment of one merchant, for ever. Written before the payment, so that whoever finds the transfer again comes to the same payment. Without an owner: it went back to its payer, and is never credited.';

create table suspense_proposals (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  payment_id uuid not null,
  action text not null,
  wallet_id uuid,
  amount_minor bigint not null,
  facts_digest text not null,
  source text not null,
  note text not null,
  digest text not null,
  status text not null,
  reason text,
  proposed_by uuid not null,
  proposed_at timestamptz not null,
  decided_by uuid,
  decided_at timestamptz,
  updated_at timestamptz not null,
  constraint suspense_proposals_pk primary key (merchant_id, mode, id),
  constraint suspense_proposals_payment foreign key (merchant_id, mode, payment_id)
    references inbound_payments (merchant_id, mode, id),
  constraint suspense_proposals_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint suspense_proposals_action check (action in ('ATTRIBUTE', 'RETURN', 'KEEP')),
  constraint suspense_proposals_wallet check ((wallet_id is not null) = (action = 'ATTRIBUTE')),
  constraint suspense_proposals_status check (status in ('PENDING', 'CONFIRMED', 'REJECTED', 'WITHDRAWN', 'STALE')),
  -- Who proposed may withdraw it, and nothing else.
  constraint suspense_proposals_two_people check ((decided_by = proposed_by) = (status = 'WITHDRAWN'))
);
comment on table suspense_proposals is
  'What becomes of a payment in suspense: proposed by one person with evidence, confirmed by another. Every one is kept.';
comment on column suspense_proposals.facts_digest is
  'SHA-256 in hex over the payment as it was: a proposal about one that has changed is stale.';
comment on column suspense_proposals.digest is 'SHA-256 in hex over all that was proposed: what the second person confirms.';
comment on column suspense_proposals.reason is 'Why it was rejected or withdrawn, or is stale.';
create unique index suspense_proposals_one_open on suspense_proposals (merchant_id, mode, payment_id)
  where status = 'PENDING';
create index suspense_proposals_of_payment on suspense_proposals (merchant_id, mode, payment_id, id);

create table open_credit_proposals (
  id uuid not null,
  rail text not null,
  credit_key text not null,
  mode text not null,
  action text not null,
  merchant_id uuid,
  wallet_id uuid,
  provider_transaction_id text,
  amount_minor bigint,
  facts_digest text not null,
  source text not null,
  note text not null,
  digest text not null,
  status text not null,
  reason text,
  proposed_by uuid not null,
  proposed_at timestamptz not null,
  decided_by uuid,
  decided_at timestamptz,
  updated_at timestamptz not null,
  constraint open_credit_proposals_pk primary key (id),
  constraint open_credit_proposals_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint open_credit_proposals_action check (action in ('ATTRIBUTE', 'RETURN', 'DISMISS')),
  constraint open_credit_proposals_wallet check (num_nonnulls(merchant_id, wallet_id)
    = case action when 'ATTRIBUTE' then 2 else 0 end),
  constraint open_credit_proposals_status check (status in ('PENDING', 'CONFIRMED', 'REJECTED', 'WITHDRAWN', 'STALE')),
  constraint open_credit_proposals_two_people check ((decided_by = proposed_by) = (status = 'WITHDRAWN'))
);
comment on table open_credit_proposals is
  'What becomes of a reported credit that is in no merchant''s books: proposed by one person with evidence, confirmed by another. Every one is kept.';
comment on column open_credit_proposals.merchant_id is 'Whose the wallet is to which it is attributed.';
comment on column open_credit_proposals.provider_transaction_id is
  'As the provider confirmed it. Null: nobody confirmed anything.';
comment on column open_credit_proposals.facts_digest is
  'SHA-256 in hex over the credit as it was: a proposal about one of which more became known is stale.';
comment on column open_credit_proposals.digest is
  'SHA-256 in hex over all that was proposed: what the second person confirms.';
create unique index open_credit_proposals_one_open on open_credit_proposals (rail, credit_key) where status = 'PENDING';
create index open_credit_proposals_of_credit on open_credit_proposals (rail, credit_key, id);
