-- Where a provider contradicts the end of a dispute, people find out what it means, and note it: then nobody has to look any more.

alter table disputes add column looked_note text;
alter table disputes add column looked_by uuid;
alter table disputes add column looked_at timestamptz;
alter table disputes add constraint disputes_looked
  check (num_nonnulls(looked_note, looked_by, looked_at) in (0, 3) and (looked_at is null or ended_at is not null)) not valid;
comment on column disputes.looked_note is
  'What was found out where the provider contradicted the end; it stays where the provider says that end once more.';
comment on column disputes.looked_by is 'Who of the operator noted it.';
-- What was to be looked at while a dispute ran is over with it.
update disputes set operator_reason = null
 where ended_at is not null and operator_reason in ('ABOVE_PAYMENT', 'TAKEN_BACK_BEFORE');
