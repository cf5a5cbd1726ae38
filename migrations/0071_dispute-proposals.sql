-- Disputes of providers that cannot be asked: one person enters what a provider wrote, and how it ended, and another confirms it.

create table dispute_proposals (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  action text not null,
  dispute_id uuid not null,
  payment_id uuid not null,
  rail text not null,
  provider_dispute_id text not null,
  amount_minor bigint not null,
  category text not null,
  message text,
  due_at timestamptz,
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
  constraint dispute_proposals_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint dispute_proposals_action check (action in ('OPEN', 'WON', 'LOST')),
  constraint dispute_proposals_amount check (amount_minor > 0),
  constraint dispute_proposals_category check (category in ('CHARGEBACK', 'FRAUD', 'GENERAL')),
  constraint dispute_proposals_source check (source in ('BANK_LETTER', 'RAIL_DASHBOARD', 'SETTLEMENT_FILE', 'RAIL_SUPPORT', 'OTHER')),
  constraint dispute_proposals_status check (status in ('PENDING', 'CONFIRMED', 'REJECTED')),
  constraint dispute_proposals_two_people check (decided_by <> proposed_by or status <> 'CONFIRMED')
);
comment on table dispute_proposals is
  'What one of the operator''s people says of a dispute whose provider cannot be asked, for another to confirm: that there is one, or how it ended. Every one is kept.';
comment on column dispute_proposals.dispute_id is 'Of an OPEN: the id that the dispute gets.';
comment on column dispute_proposals.digest is 'SHA-256 in hex over what is proposed: the second person confirms this.';
create unique index dispute_proposals_one_open on dispute_proposals (merchant_id, mode, rail, provider_dispute_id)
  where status = 'PENDING';
create index dispute_proposals_of_dispute on dispute_proposals (merchant_id, mode, dispute_id, id);
alter table dispute_proposals add constraint dispute_proposals_pk primary key (merchant_id, mode, id);
