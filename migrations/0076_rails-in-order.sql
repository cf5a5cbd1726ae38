-- A second rail may take a payout over only where the first was certainly never asked, or has definitely refused it; and
-- what nobody can tell is put before the operator.
alter table payouts
  -- The rail that refused it before another took over.
  add column refused_by text,
  -- Whose word ended it. A rail that has lost the payout to another can no longer end it: the check refuses that word,
  -- also where it was read before and written after.
  add column told_by text,
  add column operator_reason text,
  add column operator_since timestamptz,
  add constraint payouts_told_by_its_rail check (told_by is null or told_by = rail),
  add constraint payouts_other_rail_took_over check (refused_by is null or refused_by <> rail),
  add constraint payouts_operator_reason check (operator_reason in ('UNKNOWN_TOO_LONG', 'RAIL_CONTRADICTS')),
  add constraint payouts_operator_both check ((operator_reason is null) = (operator_since is null));

create index payouts_for_operator on payouts (merchant_id, operator_since) where operator_reason is not null;

-- Directory: a rail that does not say whose transfer its notice is about knows only the reference. Written before the
-- rail hears of it.
create table rail_references (
  rail text not null,
  rail_reference text not null,
  merchant_id uuid not null,
  mode text not null,
  payout_id uuid not null,
  constraint rail_references_pk primary key (rail, rail_reference),
  constraint rail_references_mode check (mode in ('SANDBOX', 'LIVE'))
);
