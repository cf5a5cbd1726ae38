-- What was done with keys, people and personal data is looked for among a flood of everything else: an entry says what kind
-- of deed it is, and its seal covers that.
alter table audit_entries add column category text;
alter table audit_entries
  add constraint audit_entries_category check (category in ('KEYS', 'PEOPLE', 'SIGN_IN', 'PERSONAL_DATA', 'SETTINGS')) not valid;
