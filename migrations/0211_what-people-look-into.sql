-- More puts a payout before the operator: a rail that answered about another transfer, and a record that is not what was
-- approved.
alter table payouts drop constraint payouts_operator_reason;
alter table payouts add constraint payouts_operator_reason check (
  operator_reason in ('UNKNOWN_TOO_LONG', 'RAIL_CONTRADICTS', 'RAIL_ANSWER_MISMATCH', 'APPROVAL_SUBJECT_ALTERED')
) not valid;
