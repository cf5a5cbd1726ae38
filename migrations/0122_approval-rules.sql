-- How many people a payout needs is the merchant's to say and changes: each version stays, so that what was needed at any
-- time can be proved later. A mode of a merchant without a row goes by the merchant's flag alone, with one approval.
create table approval_rules (
  merchant_id uuid not null,
  mode text not null,
  version integer not null,
  id uuid not null,
  is_enabled boolean not null,
  -- JSON text: from which amount, in kobo, how many approvals.
  tiers text not null,
  -- The approval that put it into force; null where none was needed.
  approval_id uuid,
  made_by uuid,
  made_at timestamptz not null,
  constraint approval_rules_pk primary key (merchant_id, mode, version),
  constraint approval_rules_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint approval_rules_version check (version > 0)
);
