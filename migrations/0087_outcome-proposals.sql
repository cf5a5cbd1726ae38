-- What became of a payout whose rail stays silent is decided by two people with a stated source, and every proposal is
-- kept, also those that were rejected or overtaken.
create table outcome_proposals (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  payout_id uuid not null,
  outcome text not null,
  source text not null,
  note text not null,
  -- Fingerprint of what was known about the payout: a proposal made on other facts is not confirmed.
  facts_digest text not null,
  status text not null,
  -- Why it was rejected or overtaken.
  reason text,
  proposed_by uuid not null,
  proposed_at timestamptz not null,
  decided_by uuid,
  decided_at timestamptz,
  updated_at timestamptz not null,
  constraint outcome_proposals_pk primary key (merchant_id, mode, id),
  constraint outcome_proposals_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint outcome_proposals_outcome check (outcome in ('SUCCEEDED', 'FAILED', 'REVERSED')),
  constraint outcome_proposals_source check (source in (
    'BANK_LETTER', 'RAIL_DASHBOARD', 'SETTLEMENT_FILE', 'RAIL_SUPPORT', 'OTHER'
  )),
  constraint outcome_proposals_status check (status in ('PENDING', 'CONFIRMED', 'REJECTED', 'STALE')),
  -- Who proposed may take it back, and nothing else.
  constraint outcome_proposals_two_people check (decided_by <> proposed_by or status = 'REJECTED')
);
create unique index outcome_proposals_one_open on outcome_proposals (merchant_id, mode, payout_id)
  where status = 'PENDING';
create index outcome_proposals_of_payout on outcome_proposals (merchant_id, mode, payout_id, id);
