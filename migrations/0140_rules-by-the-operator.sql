-- Where approvers have left until nobody can change the rules, the operator switches approvals off from the terminal. Who
-- did it, and why, stays with the version that it made.
alter table approval_rules
  add column operator text,
  add column reason text;
alter table approval_rules
  add constraint approval_rules_operator check (
    (operator is null) = (reason is null) and (operator is null or (not is_enabled and made_by is null and approval_id is null))
  ) not valid;
