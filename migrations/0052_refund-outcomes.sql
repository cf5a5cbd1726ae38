-- What became of a refund whose provider does not say it, as two people decided it.

create table refund_outcome_proposals (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  refund_id uuid not null,
  outcome text not null,
  source text not null,
  note text not null,
  facts_digest text not null,
  digest text not null,
  status text not null,
  reason text,
  proposed_by uuid not null,
  proposed_at timestamptz not null,
  decided_by uuid,
  decided_at timestamptz,
  updated_at timestamptz not null,
  constraint refund_outcome_proposals_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint refund_outcome_proposals_outcome check (outcome in ('SUCCEEDED', 'FAILED')),
  constraint refund_outcome_proposals_source check (source in ('BANK_LETTER', 'RAIL_DASHBOARD', 'SETTLEMENT_FILE',
    'RAIL_SUPPORT', 'OTHER')),
  constraint refund_outcome_proposals_status check (status in ('PENDING', 'CONFIRMED', 'REJECTED', 'STALE')),
  constraint refund_outcome_proposals_two_people check (decided_by <> proposed_by or status = 'REJECTED')
);
comment on table refund_outcome_proposals is
  'What one of the operator''s people says became of a refund, for another to confirm. Every one is kept.';
comment on column refund_outcome_proposals.facts_digest is
  'A digest of what was known of the refund: a proposal that more became known after is void.';
comment on column refund_outcome_proposals.digest is 'SHA-256 in hex over what is proposed: the second person confirms this.';
create unique index refund_outcome_proposals_one_open on refund_outcome_proposals (merchant_id, mode, refund_id)
  where status = 'PENDING';
create index refund_outcome_proposals_of_refund on refund_outcome_proposals (merchant_id, mode, refund_id, id);
alter table refund_outcome_proposals add constraint refund_outcome_proposals_pk primary key (merchant_id, mode, id);
